import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((name) => `/usr/lib/${name}/faketime/libfaketime.so.1`)

export function fakeClockMissing(): string | undefined {
  return LIBRARIES.some((path) => existsSync(path)) ? undefined : 'libfaketime is not installed'
}

/** A wall clock that can be set while a process runs; its monotonic clock stays true, as on a real machine. */
export function fakeClock(): { wrapper: string[]; set(offset: string): void; remove(): void } {
  const folder = mkdtempSync('/tmp/tandem-test-clock-')
  const file = join(folder, 'offset')
  const set = (offset: string) => writeFileSync(file, `${offset}\n`)
  set('+0')
  return {
    wrapper: [
      'env',
      `LD_PRELOAD=${LIBRARIES.find((path) => existsSync(path))}`,
      `FAKETIME_TIMESTAMP_FILE=${file}`,
      'FAKETIME_NO_CACHE=1',
      'FAKETIME_DONT_FAKE_MONOTONIC=1'
    ],
    set,
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
