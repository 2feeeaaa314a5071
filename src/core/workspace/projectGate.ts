import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../shared/errors'
import { quote } from './quote'
import { Turns } from './turns'

// A local disk answers in milliseconds; what needs longer is a dead mount.
const LIMIT_MS = 3000
/** A disk that surely answers takes longer than this only when the host itself is short of processor time. */
const BUSY_MS = 50
/** A host that is late with everything waits so many times longer for one project, and no more. */
const MAX_EXTENSIONS = 5
/** There are four threads for files: one project that hangs leaves some for the others, however often it is asked. */
const MAX_AT_ONCE = 2

interface Cause extends ErrorOptions {
  hint?: string | undefined
}

/** A project that is gone, or on a mount that does not answer. Its terminals live on. */
export class ProjectUnavailable extends AppError {
  constructor(project: string, why: string, { hint = 'Check that its disk is mounted.', ...options }: Cause = {}) {
    super('IO_ERROR', `Project ${quote(project)} is not available: ${why}`, hint, options)
  }
}

/**
 * Keeps a project that does not answer from holding up everything else: work on it ends after a limit, and while it is
 * still stuck no more of the few file system threads are given to it.
 */
export class ProjectGate {
  readonly #stuck = new Map<string, number>()
  readonly #turns = new Map<string, Turns>()

  constructor(private readonly limitMs = LIMIT_MS) {}

  async run<T>(project: string, work: () => Promise<T>, limitMs = this.limitMs): Promise<T> {
    if (this.#stuck.has(project)) throw new ProjectUnavailable(project, 'it does not answer')
    const { working, giveUp } = this.#turnsOf(project).take(work)
    let isDone = false
    const done = () => {
      isDone = true
      if (this.#turns.get(project)?.isIdle) this.#turns.delete(project)
    }
    working.then(done, done)
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<never>((_, reject) => {
      const look = async (extensions: number): Promise<void> => {
        const isBusy = await wasBusy(limitMs)
        if (isDone) return
        if (isBusy && extensions < MAX_EXTENSIONS) {
          timer = setTimeout(look, limitMs, extensions + 1)
          return
        }
        if (!giveUp()) this.#markStuck(project, working)
        reject(new ProjectUnavailable(project, `no answer within ${limitMs / 1000} s`))
      }
      timer = setTimeout(look, limitMs, 0)
    })
    try {
      return await Promise.race([working, limit])
    } finally {
      clearTimeout(timer)
    }
  }

  #turnsOf(project: string): Turns {
    const turns = this.#turns.get(project) ?? new Turns(MAX_AT_ONCE)
    this.#turns.set(project, turns)
    return turns
  }

  #markStuck(project: string, working: Promise<unknown>): void {
    this.#stuck.set(project, (this.#stuck.get(project) ?? 0) + 1)
    const release = () => {
      const left = (this.#stuck.get(project) ?? 1) - 1
      if (left > 0) this.#stuck.set(project, left)
      else this.#stuck.delete(project)
    }
    working.then(release, release)
  }
}

/**
 * A host short of processor time is late with everything, not with this project alone: what was asked of a disk that
 * surely answers comes back first, and then whatever else is ready. Whether that took long. A disk that surely answers
 * and does not means that its threads are held by one that does not.
 */
async function wasBusy(limitMs: number): Promise<boolean> {
  const began = performance.now()
  let isAnswered = false
  const answered = () => {
    isAnswered = true
  }
  await Promise.race([stat('/').then(answered, answered), wait(limitMs, undefined, { ref: false })])
  // Timers come before what the disk has answered meanwhile.
  await new Promise(setImmediate)
  return isAnswered && performance.now() - began > BUSY_MS
}
