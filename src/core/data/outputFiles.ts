import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TerminalId } from '../../shared/terminal'
import { isMissing } from './privateFile'

/** A run of output by its offset. */
interface Run {
  from: number
  bytes: Buffer
}

const DIRECTORY = 'buffers'
const SUFFIX = '.output'
/** Before each run: its offset as a double, its length as a whole number. */
const HEADER_BYTES = 12
const PRIVATE_FILE = { mode: 0o600 }

/** Output of terminals in the data directory, a file each: runs one after another, so that adding is cheap. */
export class OutputFiles {
  readonly #directory: string

  constructor(dataDir: string) {
    this.#directory = join(dataDir, DIRECTORY)
  }

  async load(id: TerminalId): Promise<Run[]> {
    try {
      return runsIn(await readFile(this.#path(id)))
    } catch (failure) {
      if (isMissing(failure)) return []
      throw failure
    }
  }

  async append(id: TerminalId, output: readonly Run[]): Promise<number> {
    await this.#prepare()
    const bytes = written(output)
    await appendFile(this.#path(id), bytes, PRIVATE_FILE)
    return bytes.length
  }

  async replace(id: TerminalId, output: readonly Run[]): Promise<number> {
    await this.#prepare()
    const bytes = written(output)
    const temporary = `${this.#path(id)}.new`
    await writeFile(temporary, bytes, PRIVATE_FILE)
    await rename(temporary, this.#path(id))
    return bytes.length
  }

  async remove(id: TerminalId): Promise<void> {
    await rm(this.#path(id), { force: true })
  }

  /** Removes what was kept of all other terminals. */
  async keepOnly(ids: readonly TerminalId[]): Promise<void> {
    const names = new Set(ids.map((id) => `${id}${SUFFIX}`))
    for (const name of await this.#names()) {
      if (!names.has(name)) await rm(join(this.#directory, name), { force: true })
    }
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#directory)
    } catch (failure) {
      if (isMissing(failure)) return []
      throw failure
    }
  }

  async #prepare(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
  }

  #path(id: TerminalId): string {
    return join(this.#directory, `${id}${SUFFIX}`)
  }
}

function written(output: readonly Run[]): Buffer {
  return Buffer.concat(
    output.flatMap(({ from, bytes }) => {
      const header = Buffer.alloc(HEADER_BYTES)
      header.writeDoubleBE(from)
      header.writeUInt32BE(bytes.length, 8)
      return [header, bytes]
    })
  )
}

/** Up to the first run that is not whole: a host that was killed may have left a part of one. */
function runsIn(file: Buffer): Run[] {
  const runs: Run[] = []
  for (let at = 0; at + HEADER_BYTES <= file.length; ) {
    const from = file.readDoubleBE(at)
    const end = at + HEADER_BYTES + file.readUInt32BE(at + 8)
    if (!Number.isSafeInteger(from) || from < 0 || end > file.length) break
    runs.push({ from, bytes: file.subarray(at + HEADER_BYTES, end) })
    at = end
  }
  return runs
}
