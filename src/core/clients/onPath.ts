import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

/** Where a program is found by name, as a shell would. */
export function onPath(program: string, { PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  const folders = PATH.split(':').filter((folder) => isAbsolute(folder))
  return folders.map((folder) => join(folder, program)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // not there, or not ours to run
  }
}
