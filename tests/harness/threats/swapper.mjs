// Puts a link to another place where a directory or a file is, and back, again and again.

import { existsSync, renameSync, symlinkSync, unlinkSync } from 'node:fs'

const [, , path, target, rounds] = process.argv
let asides = 0
let swaps = 0
while (swaps < Number(rounds)) {
  const aside = `${path}.aside${asides}`
  pause(swaps % 4)
  swaps += 1
  if (!existsSync(path)) continue
  try {
    renameSync(path, aside)
    symlinkSync(target, path)
    pause(swaps % 3)
    unlinkSync(path)
    renameSync(aside, path)
  } catch (failure) {
    // The host may have made something of its own there meanwhile; then that is what is swapped next.
    if (!['EEXIST', 'EISDIR', 'ENOTEMPTY', 'ENOENT', 'EPERM'].includes(failure.code)) throw failure
    asides += 1
  }
}

function pause(milliseconds) {
  if (milliseconds > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
