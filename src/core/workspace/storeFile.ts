import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { AppError } from '../../shared/errors'
import { BegunSave } from './begunSave'
import { fileSignature } from './fileSignature'
import { COLLAB_DIRECTORY, STORE_NAME } from './paths'
import { type ProjectGate, ProjectUnavailable } from './projectGate'
import { quote } from './quote'
import { codeOf, SafeDirectory } from './safeDirectory'
import { type FileContent, ignoreForGit, readSmallFile, removeTemporaries, writeBeside } from './safeFiles'
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

export interface SaveOptions {
  /** What stands there now is corrupt and is kept under a name. */
  aside: boolean
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
  /** What was read or written last, and what tells that it is still the same. */
  #known: { signature: string | undefined; digest: string; loaded: LoadedStore } | undefined

  constructor(private readonly options: StoreFileOptions) {}

  /** Reads; never writes, never makes a directory. Throws ProjectUnavailable, OUTSIDE_PROJECT or INVALID_ARGUMENTS. */
  load(): Promise<LoadedStore> {
    const { project, segments, gate } = this.options
    return gate.run(project, async () => {
      // Agents ask often and the file changes seldom; to read it again takes sixteen steps, to see that it is the same two.
      const signature = await fileSignature(join(project, COLLAB_DIRECTORY, ...segments), STORE_NAME)
      if (signature !== undefined && this.#known?.signature === signature) return this.#known.loaded
      const { digest, loaded } = await this.#read()
      this.#known = digest !== undefined && loaded.kind === 'ok' ? { signature, digest, loaded } : undefined
      return loaded
    })
  }

  /** The state as saved, or STORE_WRITE_FAILED. */
  async save(state: StoreState, how: SaveOptions = { aside: false }): Promise<StoreState> {
    try {
      return await (await this.begin(state, how)).commit()
    } catch (failure) {
      throw this.#asFailed(failure)
    }
  }

  /**
   * The first half of a save: opens the directory, so that what stands in the way is known, and writes the new file beside
   * the old one while the caller does something else. Nothing has changed before its `commit`.
   */
  async begin(state: StoreState, { aside }: SaveOptions = { aside: false }): Promise<BegunSave> {
    const saved = { ...state, lastModified: new Date().toISOString(), owner: this.options.owner }
    const text = printStore(saved)
    if (Buffer.byteLength(text) > MAX_STORE_BYTES)
      throw this.#failed(`it would be larger than ${MAX_STORE_BYTES} bytes`)
    const keepAs = aside ? `${STORE_NAME}.corrupt-${fileTime(saved.lastModified)}` : GENERATION_NAME
    const directory = await this.#openToWrite()
    return new BegunSave({
      state: saved,
      directory,
      replacement: { name: STORE_NAME, keepAs },
      write: () => this.#writeIn(directory, text),
      limited: (work) => this.options.gate.run(this.options.project, work, WRITE_LIMIT_MS),
      failed: (failure) => this.#asFailed(failure),
      done: () => {
        this.#known = { signature: undefined, digest: digestOf(text), loaded: { kind: 'ok', state: saved, why: '' } }
      }
    })
  }

  get name(): string {
    return quote([this.options.project, '.collab', ...this.options.segments, STORE_NAME].join('/'))
  }

  /** Whatever keeps a save from happening has one code: by then something may have to be undone because of it. */
  #asFailed(failure: unknown): AppError {
    const error = AppError.from(failure)
    if (error.code === 'STORE_WRITE_FAILED') return error
    return this.#failed(failure instanceof AppError ? error.message : (codeOf(failure) ?? error.message), failure)
  }

  async #openToWrite(): Promise<SafeDirectory> {
    const opening = this.#open(true)
    try {
      const directory = await this.options.gate.run(this.options.project, () => opening, WRITE_LIMIT_MS)
      if (directory) return directory
    } catch (failure) {
      // Of a disk that answers after all, nothing stays open.
      opening.then((late) => late?.close()).catch(() => undefined)
      if (failure instanceof AppError && !(failure instanceof ProjectUnavailable)) throw failure
      throw this.#asFailed(failure)
    }
    throw this.#failed('its directory vanished while it was made')
  }

  async #writeIn(directory: SafeDirectory, text: string): Promise<string> {
    if (!this.#hasSwept) await removeTemporaries(directory, STORE_NAME)
    this.#hasSwept = true
    return writeBeside(directory, STORE_NAME, text)
  }

  async #read(): Promise<{ digest: string | undefined; loaded: LoadedStore }> {
    const directory = await this.#open(false)
    const missing = { kind: 'missing', state: emptyState(), why: 'it does not exist' } as const
    if (!directory) return { digest: undefined, loaded: missing }
    try {
      return await readStore(directory, this.#known)
    } finally {
      await directory.close()
    }
  }

  #open(create: boolean): Promise<SafeDirectory | undefined> {
    const { project, segments } = this.options
    return SafeDirectory.open({ project, segments, create, onMaking: ignoreForGit })
  }

  #failed(why: string, cause?: unknown): AppError {
    const hint = 'Check free space and permissions, then try again.'
    return new AppError('STORE_WRITE_FAILED', `${this.name} could not be written: ${why}`, hint, { cause })
  }
}

type Known = { digest: string; loaded: LoadedStore } | undefined

// Checking a store takes longer than reading it: the same text is checked once.
async function readStore(directory: SafeDirectory, known: Known) {
  const content = await readText(directory, STORE_NAME)
  const digest = content.kind === 'text' ? digestOf(content.text) : undefined
  if (known && known.digest === digest) return { digest, loaded: known.loaded }
  return { digest, loaded: await readChecked(directory, checked(content)) }
}

async function readChecked(directory: SafeDirectory, found: ReadStore): Promise<LoadedStore> {
  if (found.kind === 'ok') return { ...found, why: '' }
  if (found.kind === 'future') return { ...found, why: `it was written by a newer Tandem (version ${found.version})` }
  const generation = checked(await readText(directory, GENERATION_NAME))
  const best = generation.kind === 'ok' ? generation.state : (stateOf(found) ?? stateOf(generation))
  return { why: 'it does not exist', ...found, state: best ?? emptyState() }
}

function stateOf(store: ReadStore): StoreState | undefined {
  return 'state' in store ? store.state : undefined
}

type ReadStore = ReturnType<typeof parseStore> | { kind: 'missing' } | { kind: 'unreadable'; why: string }

type StoreText = FileContent | { kind: 'unreadable'; why: string }

function checked(content: StoreText): ReadStore {
  if (content.kind === 'text') return parseStore(content.text)
  return content.kind === 'bad' ? { kind: 'corrupt', why: content.why } : content
}

async function readText(directory: SafeDirectory, name: string): Promise<StoreText> {
  try {
    return await readSmallFile(directory, name, MAX_STORE_BYTES)
  } catch (failure) {
    if (failure instanceof AppError) throw failure
    return { kind: 'unreadable', why: `it cannot be read (${codeOf(failure) ?? String(failure)})` }
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

function fileTime(time: string): string {
  return time.replaceAll(/[:.]/g, '-')
}
