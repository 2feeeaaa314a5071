import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const LIBRARIES = { reader: process.platform === 'linux' ? ['-lutil'] : [], pacer: [] }

/** The path of one of our C programs, compiled for this run; undefined where there is no C compiler. */
export function compiled({ root }, name) {
  const target = join(root, name)
  if (existsSync(target)) return target
  const source = fileURLToPath(new URL(`${name}.c`, import.meta.url))
  const { status } = spawnSync('cc', ['-O2', '-o', target, source, ...LIBRARIES[name]], { stdio: ['ignore', 2, 2] })
  return status === 0 ? target : undefined
}

export const NO_COMPILER = 'there is no C compiler (cc) for the limit'
