import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'

const LIMIT_MS = 10_000
const MAX_BYTES = 64 * 1024
const run = promisify(execFile)

/** The versions that programs say they are; each is asked once, until its file changes. */
export class ProgramVersions {
  readonly #known = new Map<string, { changed: number; version: Promise<string | undefined> }>()

  async of(program: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
    const { mtimeMs: changed } = await stat(program)
    const known = this.#known.get(program)
    if (known?.changed === changed) return known.version
    const version = ask(program, environment)
    this.#known.set(program, { changed, version })
    return version
  }
}

async function ask(program: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    const { stdout } = await run(program, ['--version'], { env, timeout: LIMIT_MS, maxBuffer: MAX_BYTES })
    return /\d+\.\d+[\w.+-]{0,40}/.exec(stdout)?.[0]
  } catch {
    return undefined // it is shown without one
  }
}
