import { join } from 'node:path'
import type { Settings } from '../../shared/settings'
import type { Logger } from '../log'
import { createLineLog, teeLog } from '../logLine'
import { VERSION } from '../version'
import { takeUntoldCrash, writeCrashRecord } from './crashRecord'
import { hasStaleEndpoint } from './discovery'
import { openLogFile } from './logFile'

interface JournalOptions {
  dataDir: string
  environment: NodeJS.ProcessEnv
  level(): Settings['log_level']
  secrets(): readonly string[]
}

/** What a host writes about itself: stderr, the log file beside it, and a record should it crash. */
export class HostJournal {
  readonly log: Logger
  readonly #options: JournalOptions
  readonly #closeFile: () => void
  #isCrashing = false

  constructor(options: JournalOptions) {
    this.#options = options
    const toStderr = createLineLog(options.level, (own, line) =>
      process.stderr.write(`${own === 'info' ? '' : `${own}: `}${line}\n`)
    )
    const onTrouble = (reason: string) =>
      toStderr.warn({}, `The log file cannot be written (${reason}); Tandem goes on without it.`)
    const file = openLogFile({ ...options, onTrouble })
    this.log = teeLog([toStderr, file.log])
    this.#closeFile = file.close
  }

  /** Sentences about how the last host ended, each told once. Call it when the data dir is ours. */
  aboutLastHost(): string[] {
    const { dataDir } = this.#options
    if (hasStaleEndpoint(dataDir)) this.log.debug({}, 'The last host ended without saying goodbye.')
    const crash = takeUntoldCrash(dataDir)
    if (!crash) return []
    const { time, code } = crash
    const sentence = `Tandem ended unexpectedly at ${time} (${code}). What is known is in ${join(dataDir, 'crashes')}.`
    this.log.warn({}, sentence)
    return [sentence]
  }

  /** From now on a failure that nobody caught is written down before `end` ends the process. */
  catchCrashes(end: () => void): void {
    const crash = (thrown: unknown) => this.#crash(thrown, end)
    process.on('uncaughtException', crash)
    process.on('unhandledRejection', crash)
    // Whoever read our output went away: that is no reason to go as well.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  }

  close(): void {
    this.#closeFile()
  }

  #crash(thrown: unknown, end: () => void): void {
    if (this.#isCrashing) return
    this.#isCrashing = true
    try {
      const { dataDir, secrets, environment } = this.#options
      const surroundings = { version: VERSION, environment, secrets: secrets() }
      const { code } = writeCrashRecord(dataDir, thrown, surroundings)
      this.log.error({ err: thrown }, `Tandem ends because of a fault of its own (${code}). Terminals in tmux live on.`)
    } catch (failure) {
      process.stderr.write(`${String(thrown)}\n${String(failure)}\n`)
    } finally {
      end()
    }
  }
}
