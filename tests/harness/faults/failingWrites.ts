import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

export type WriteError = 'EIO' | 'EDQUOT' | 'ENOSPC'

/** Writes of a host's new files that fail as asked; strace cannot tell them from those by which threads wake each other. */
export interface FailingWrites {
  /** What the host is started with. */
  wrapper: string[]
  fail(error: WriteError): void
  /** Writes succeed again. True when one had failed. */
  mend(): boolean
  remove(): void
}

export function compilerMissing(): string | undefined {
  if (process.platform !== 'linux') return 'only a Linux host can be given another write'
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'there is no C compiler'
  }
}

export function failingWrites(): FailingWrites {
  const folder = mkdtempSync('/tmp/tandem-test-writes-')
  const library = join(folder, 'writes.so')
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(import.meta.dirname, 'failingWrites.c')])
  const control = join(folder, 'error')
  const told = `${control}.failed`
  return {
    wrapper: ['env', `LD_PRELOAD=${library}`, `FAILING_WRITES_FILE=${control}`],
    fail: (error) => writeFileSync(control, `${constants.errno[error]}\n`),
    mend: () => {
      const hasFailed = existsSync(told)
      for (const path of [control, told]) rmSync(path, { force: true })
      return hasFailed
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
