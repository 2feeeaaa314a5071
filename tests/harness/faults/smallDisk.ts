import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A real file system of one megabyte. */
export interface SmallDisk {
  path: string
  /** Leaves not one byte. */
  fill(): void
  free(): void
  setReadOnly(isReadOnly: boolean): void
  remove(): void
}

/** Only root may mount. */
export function mountMissing(): string | undefined {
  return process.getuid?.() === 0 && process.platform === 'linux'
    ? undefined
    : 'only root on Linux can mount a small disk'
}

export function mountSmallDisk(path: string): SmallDisk {
  mkdirSync(path)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'tmpfs', path])
  const filler = join(path, 'filler')
  return {
    path,
    fill: () => fillUp(filler),
    free: () => rmSync(filler),
    setReadOnly: (isReadOnly) => execFileSync('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, path]),
    remove: () => {
      execFileSync('umount', ['-l', path])
      rmSync(path, { recursive: true })
    }
  }
}

function fillUp(path: string): void {
  const descriptor = openSync(path, 'w')
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(4096))
  } catch (failure) {
    if (!(failure instanceof Error && 'code' in failure && failure.code === 'ENOSPC')) throw failure
  } finally {
    closeSync(descriptor)
  }
}
