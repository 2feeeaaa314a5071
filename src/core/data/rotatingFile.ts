import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync
} from 'node:fs'
import { dirname } from 'node:path'
import { isMissing, readPrivateFile } from './privateFile'

export interface RotatingFileOptions {
  path: string
  /** One file grows to this and no further. */
  maxBytes: number
  /** How many files there are in all: `path`, `path.1` (the one before), and so on. */
  maxFiles: number
}

/** A 0600 file of lines that forgets its oldest ones. What cannot be written is thrown, and the next line tries again. */
export class RotatingFile {
  readonly #options: RotatingFileOptions
  #open: { descriptor: number; bytes: number; isTorn: boolean } | undefined

  constructor(options: RotatingFileOptions) {
    this.#options = options
  }

  append(line: string): void {
    const file = this.#file()
    const bytes = Buffer.from(`${file.isTorn ? '\n' : ''}${line}\n`)
    if (file.bytes > 0 && file.bytes + bytes.length > this.#options.maxBytes) {
      this.#rotate()
      this.append(line)
      return
    }
    // Until all of it is written, what follows must not be glued to a part of it.
    file.isTorn = true
    file.bytes += writeAll(file.descriptor, bytes)
    file.isTorn = false
  }

  close(): void {
    if (this.#open) closeSync(this.#open.descriptor)
    this.#open = undefined
  }

  #file() {
    this.#open ??= openToAppend(this.#options.path)
    return this.#open
  }

  #rotate(): void {
    this.close()
    const { path, maxFiles } = this.#options
    const names = fileNames(path, maxFiles)
    for (const [index, name] of names.entries()) {
      const older = names[index - 1]
      if (older !== undefined) renameIfThere(name, older)
    }
  }
}

/** Every line kept, or the newest of them, oldest first. Files that are too old for those are not read. */
export function readRotatingFile(
  { path, maxFiles }: Pick<RotatingFileOptions, 'path' | 'maxFiles'>,
  newest = Number.POSITIVE_INFINITY
): string[] {
  let lines: string[] = []
  for (const name of fileNames(path, maxFiles).reverse()) {
    if (lines.length >= newest) break
    const older = (readPrivateFile(name) ?? '').split('\n').filter((line) => line !== '')
    lines = [...older, ...lines]
  }
  return lines.slice(-newest)
}

/** Oldest first; the last is the one being written. */
function fileNames(path: string, maxFiles: number): string[] {
  return Array.from({ length: maxFiles }, (_, age) => (age === 0 ? path : `${path}.${age}`)).reverse()
}

function openToAppend(path: string) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants
  const descriptor = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  const { size, mode } = fstatSync(descriptor)
  if ((mode & 0o077) !== 0) fchmodSync(descriptor, 0o600)
  return { descriptor, bytes: size, isTorn: size > 0 && lastByte(descriptor, size) !== '\n' }
}

// A process that was killed in the middle of a line left a part of it.
function lastByte(descriptor: number, size: number): string {
  const byte = Buffer.alloc(1)
  readSync(descriptor, byte, 0, 1, size - 1)
  return byte.toString('latin1')
}

function writeAll(descriptor: number, bytes: Buffer): number {
  let written = 0
  while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  return written
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (failure) {
    if (!isMissing(failure)) throw failure
  }
}
