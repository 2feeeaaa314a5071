import { join } from 'node:path'
import { AppError } from '../../shared/errors'
import { fileSignature } from './fileSignature'
import { COLLAB_DIRECTORY, STORE_NAME } from './paths'
import { type ProjectGate, ProjectUnavailable } from './projectGate'
import { quote } from './quote'
import { codeOf, SafeDirectory } from './safeDirectory'
import { ignoreForGit, readSmallFile, removeTemporaries, replaceFile } from './safeFiles'
import { emptyState, MAX_STORE_BYTES, parseStore, printStore, type StoreState } from './storeState'

const GENERATION_NAME = `${STORE_NAME}.bak`
// Reading has proved by then that the disk answers; an fsync on a busy one may take a while.
const WRITE_LIMIT_MS = 10_000

/**
 * What was found on disk. `missing`, `corrupt` and `unreadable` come with the last good generation (or nothing) as
 * their state; `unreadable` and `future` files are not ours to replace.
 */
export interface LoadedStore {
  kind: 'ok' | 'missing' | 'corrupt' | 'unreadable' | 'future'
  state: StoreState
  /** Completes the sentence "… cannot be used:". */
  why: string
}

export interface StoreFileOptions {
  project: string
  segments: readonly string[]
  gate: ProjectGate
  /** The owner id written into the file. */
  owner: string
}

/** The store of one workspace, `<project>/.collab/<session>/terminal-sessions.json`. Not safe for two writers at once. */
export class StoreFile {
  #hasSwept = false
  #known: { signature: string; loaded: LoadedStore } | undefined

  constructor(private readonly options: StoreFileOptions) {}

  /** Reads; never writes, never makes a directory. Throws ProjectUnavailable, OUTSIDE_PROJECT or INVALID_ARGUMENTS. */
  load(): Promise<LoadedStore> {
    const { project, segments, gate } = this.options
    return gate.run(project, async () => {
      // Agents ask often and the file changes seldom; to read it again takes sixteen steps, to see that it is the same two.
      const signature = await fileSignature(join(project, COLLAB_DIRECTORY, ...segments), STORE_NAME)
      if (this.#known && this.#known.signature === signature) return this.#known.loaded
      const loaded = await this.#read()
      this.#known = signature !== undefined && loaded.kind === 'ok' ? { signature, loaded } : undefined
      return loaded
    })
  }

  /** Makes the directory, so that what stands in the way of a later save is known before anything is started. */
  async prepare(): Promise<void> {
    await this.#write(async () => undefined)
  }

  /** The state as saved, or STORE_WRITE_FAILED. `aside`: what stands there now is corrupt and is kept under a name. */
  async save(state: StoreState, { aside }: { aside: boolean } = { aside: false }): Promise<StoreState> {
    const saved = { ...state, lastModified: new Date().toISOString(), owner: this.options.owner }
    const text = printStore(saved)
    if (Buffer.byteLength(text) > MAX_STORE_BYTES)
      throw this.#failed(`it would be larger than ${MAX_STORE_BYTES} bytes`)
    this.#known = undefined
    await this.#orFailed(async (directory) => {
      if (!this.#hasSwept) await removeTemporaries(directory, STORE_NAME)
      this.#hasSwept = true
      const keepAs = aside ? `${STORE_NAME}.corrupt-${fileTime(saved.lastModified)}` : GENERATION_NAME
      await replaceFile(directory, { name: STORE_NAME, text, keepAs })
    })
    return saved
  }

  get name(): string {
    return quote([this.options.project, '.collab', ...this.options.segments, STORE_NAME].join('/'))
  }

  /** Whatever keeps a save from happening has one code: by then something may have to be undone because of it. */
  async #orFailed(work: (directory: SafeDirectory) => Promise<void>): Promise<void> {
    try {
      await this.#write(work)
    } catch (failure) {
      const error = AppError.from(failure)
      throw error.code === 'STORE_WRITE_FAILED' ? error : this.#failed(error.message, failure)
    }
  }

  async #write(work: (directory: SafeDirectory) => Promise<void>): Promise<void> {
    try {
      await this.options.gate.run(this.options.project, () => this.#within(work), WRITE_LIMIT_MS)
    } catch (failure) {
      if (failure instanceof AppError && !(failure instanceof ProjectUnavailable)) throw failure
      throw this.#failed(codeOf(failure) ?? AppError.from(failure).message, failure)
    }
  }

  async #within(work: (directory: SafeDirectory) => Promise<void>): Promise<void> {
    const directory = await this.#open(true)
    if (!directory) throw this.#failed('its directory vanished while it was made')
    try {
      await work(directory)
    } finally {
      await directory.close()
    }
  }

  async #read(): Promise<LoadedStore> {
    const directory = await this.#open(false)
    if (!directory) return { kind: 'missing', state: emptyState(), why: 'it does not exist' }
    try {
      return await readStore(directory)
    } finally {
      await directory.close()
    }
  }

  #open(create: boolean): Promise<SafeDirectory | undefined> {
    const { project, segments } = this.options
    return SafeDirectory.open({ project, segments, create, onMade: ignoreForGit })
  }

  #failed(why: string, cause?: unknown): AppError {
    const hint = 'Check free space and permissions, then try again.'
    return new AppError('STORE_WRITE_FAILED', `${this.name} could not be written: ${why}`, hint, { cause })
  }
}

async function readStore(directory: SafeDirectory): Promise<LoadedStore> {
  const found = await readParsed(directory, STORE_NAME)
  if (found.kind === 'ok') return { ...found, why: '' }
  if (found.kind === 'future') return { ...found, why: `it was written by a newer Tandem (version ${found.version})` }
  const generation = await readParsed(directory, GENERATION_NAME)
  return { why: 'it does not exist', ...found, state: generation.kind === 'ok' ? generation.state : emptyState() }
}

type ReadStore = ReturnType<typeof parseStore> | { kind: 'missing' } | { kind: 'unreadable'; why: string }

async function readParsed(directory: SafeDirectory, name: string): Promise<ReadStore> {
  try {
    const content = await readSmallFile(directory, name, MAX_STORE_BYTES)
    if (content.kind === 'missing') return content
    return content.kind === 'text' ? parseStore(content.text) : { kind: 'corrupt', why: content.why }
  } catch (failure) {
    if (failure instanceof AppError) throw failure
    return { kind: 'unreadable', why: `it cannot be read (${codeOf(failure) ?? String(failure)})` }
  }
}

function fileTime(time: string): string {
  return time.replaceAll(/[:.]/g, '-')
}
