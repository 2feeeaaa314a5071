import { lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readPrivateFile, writePrivateFile } from './privateFile'

/** A 0700 directory for FIFOs and passing files: short and of safe characters, because tmux hands its path to a shell. */
export interface RuntimeDir {
  path: string
  remove(): void
}

// tmux expands strftime and format characters in the pipe command, so the path must have none of them.
const SAFE_PARENT = /^\/[A-Za-z0-9/_-]{1,60}$/
const OUR_NAME = /\/tandem-[A-Za-z0-9]{6}$/

/** Makes this host's runtime dir with an unguessable name, and clears the one a killed host left. */
export function makeRuntimeDir(dataDir: string, environment: NodeJS.ProcessEnv): RuntimeDir {
  const note = noteIn(dataDir)
  removeLeftoverRuntimeDir(dataDir)
  const path = mkdtempSync(join(parentDir(environment), 'tandem-'))
  writePrivateFile(note, `${path}\n`)
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true })
      rmSync(note, { force: true })
    }
  }
}

function parentDir(environment: NodeJS.ProcessEnv): string {
  const offered = environment.XDG_RUNTIME_DIR
  return offered && SAFE_PARENT.test(offered) && isOurs(offered) ? offered : '/tmp'
}

/** The directory a killed host left behind, if there is one. While a host runs it is that host's. */
export function leftoverRuntimeDir(dataDir: string): string | undefined {
  const path = readPrivateFile(noteIn(dataDir))?.trim()
  return path && OUR_NAME.test(path) && isOurs(path) ? path : undefined
}

/** Removes it; only for the owner of the data dir. */
export function removeLeftoverRuntimeDir(dataDir: string): void {
  const path = leftoverRuntimeDir(dataDir)
  if (path !== undefined) rmSync(path, { recursive: true, force: true })
}

function noteIn(dataDir: string): string {
  return join(dataDir, 'runtime-dir')
}

// A link is nobody's directory: another user may have put it where ours was, and we could not even remove it.
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return false
  return found.isDirectory() && found.uid === process.getuid?.()
}
