import { constants, existsSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/errors'
import { COLLAB_DIRECTORY } from './paths'
import { ProjectUnavailable } from './projectGate'
import { quote } from './quote'

const OPEN_DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const HAS_DESCRIPTOR_PATHS = process.platform === 'linux' && existsSync('/proc/self/fd')

export interface SafeDirectoryRequest {
  /** The project's real path. */
  project: string
  segments: readonly string[]
  /** Make what is missing, 0700; otherwise a missing directory is `undefined`. */
  create: boolean
  /** Called in `.collab` before a directory is made in it. */
  onMaking?: (collab: SafeDirectory) => Promise<void>
  /** Work through open descriptors, so that a swapped directory cannot redirect anything. */
  descriptors?: boolean
}

/**
 * A directory below `<project>/.collab`, reached step by step without following any symbolic link. With descriptors
 * (Linux) every later file operation happens in the very directory that was opened; elsewhere its identity is compared
 * before and after each one.
 */
export class SafeDirectory {
  private constructor(
    readonly path: string,
    readonly handle: FileHandle,
    private readonly descriptors: boolean
  ) {}

  static async open(request: SafeDirectoryRequest): Promise<SafeDirectory | undefined> {
    const descriptors = request.descriptors ?? HAS_DESCRIPTOR_PATHS
    let current = await openProject(request.project, descriptors)
    try {
      for (const segment of [COLLAB_DIRECTORY, ...request.segments]) {
        const isInCollab = current.path === join(request.project, COLLAB_DIRECTORY)
        const next = await current.#enter(segment, request, isInCollab ? request.onMaking : undefined)
        await current.close()
        if (!next) return undefined
        current = next
      }
      await current.verify()
      return current
    } catch (failure) {
      await current.close()
      // What stands in the way of a write is told by the one who wants to write.
      if (request.create || failure instanceof AppError) throw failure
      throw unreachable(request.project, failure)
    }
  }

  /** @internal */
  static over(path: string, handle: FileHandle, descriptors: boolean): SafeDirectory {
    return new SafeDirectory(path, handle, descriptors)
  }

  /** Where a file of this directory is to be opened. */
  at(name: string): string {
    return this.descriptors ? `/proc/self/fd/${this.handle.fd}/${name}` : join(this.path, name)
  }

  /** Throws OUTSIDE_PROJECT when this directory is not, or no longer, the one its path names. */
  async verify(): Promise<void> {
    if ((await this.#realPath()) === this.path && (this.descriptors || (await this.#isSame()))) return
    throw outside(this.path, 'was moved or replaced')
  }

  async close(): Promise<void> {
    await this.handle.close()
  }

  #realPath(): Promise<string> {
    return this.descriptors ? readlink(`/proc/self/fd/${this.handle.fd}`) : realpath(this.path)
  }

  async #isSame(): Promise<boolean> {
    const [named, opened] = await Promise.all([lstat(this.path), this.handle.stat()])
    return named.ino === opened.ino && named.dev === opened.dev
  }

  async #enter(
    segment: string,
    { create }: SafeDirectoryRequest,
    onMaking: SafeDirectoryRequest['onMaking']
  ): Promise<SafeDirectory | undefined> {
    const found = await this.#openChild(segment)
    if (found || !create) return found
    await onMaking?.(this)
    await this.#make(segment)
    return this.#openChild(segment)
  }

  async #openChild(segment: string): Promise<SafeDirectory | undefined> {
    try {
      const handle = await open(this.at(segment), OPEN_DIRECTORY)
      return new SafeDirectory(join(this.path, segment), handle, this.descriptors)
    } catch (failure) {
      if (codeOf(failure) === 'ENOENT') return undefined
      throw await this.#explain(segment, failure)
    }
  }

  async #make(segment: string): Promise<void> {
    try {
      await mkdir(this.at(segment), 0o700)
      await this.handle.sync()
    } catch (failure) {
      if (codeOf(failure) !== 'EEXIST') throw failure
    }
  }

  // The kernel says ENOTDIR or ELOOP for a link and ENOTDIR for a file: only a look tells them apart.
  async #explain(segment: string, failure: unknown): Promise<unknown> {
    if (codeOf(failure) !== 'ENOTDIR' && codeOf(failure) !== 'ELOOP') return failure
    const found = await lstat(this.at(segment))
    if (found.isSymbolicLink()) return outside(join(this.path, segment), 'is a symbolic link')
    return new AppError(
      'INVALID_ARGUMENTS',
      `${quote(join(this.path, segment))} is not a directory`,
      'Move it away, or choose another session.'
    )
  }
}

async function openProject(project: string, descriptors: boolean): Promise<SafeDirectory> {
  let handle: FileHandle
  try {
    handle = await open(project, OPEN_DIRECTORY)
  } catch (failure) {
    throw unreachable(project, failure)
  }
  const directory = SafeDirectory.over(project, handle, descriptors)
  try {
    await directory.verify()
    return directory
  } catch (failure) {
    await handle.close()
    throw failure
  }
}

function unreachable(project: string, cause: unknown): ProjectUnavailable {
  const { hint } = AppError.from(cause)
  return new ProjectUnavailable(project, `it cannot be opened (${codeOf(cause) ?? cause})`, { cause, hint })
}

function outside(path: string, why: string): AppError {
  return new AppError(
    'OUTSIDE_PROJECT',
    `${quote(path)} ${why}`,
    'Tandem writes only to real directories below the project; remove the link.'
  )
}

export function codeOf(failure: unknown): string | undefined {
  return failure instanceof Error && 'code' in failure ? String(failure.code) : undefined
}
