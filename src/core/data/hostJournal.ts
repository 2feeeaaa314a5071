import { join } from 'node:path'
import type { Settings } from '../../shared/settings'
import type { Logger } from '../log'
import { createLineLog, type Level } from '../logLine'
import { VERSION } from '../version'
import { takeUntoldCrash, writeCrashRecord } from './crashRecord'
import { hasStaleEndpoint } from './discovery'
import { openLogFile } from './logFile'
import { secretValues, withoutSecrets } from './scrub'

interface JournalOptions {
  dataDir: string
  environment: NodeJS.ProcessEnv
  /** Holds until somebody knows better. */
  level: Settings['log_level']
}

/** What a host writes about itself: stderr, the log file beside it, and a record should it crash. Never a secret. */
export class HostJournal {
  readonly log: Logger
  readonly #options: JournalOptions
  readonly #secrets: Set<string>
  readonly #closeFile: () => void
  #level: () => Settings['log_level']
  #isCrashing = false

  constructor(options: JournalOptions) {
    this.#options = options
    this.#level = () => options.level
    this.#secrets = new Set(secretValues(options.environment))
    const onTrouble = (reason: string) =>
      toStderr('warn', `The log file cannot be written (${reason}); Tandem goes on without it.`)
    const file = openLogFile({ dataDir: options.dataDir, onTrouble })
    const write = (level: Level, line: string) => {
      const clean = this.clean(line)
      toStderr(level, clean)
      file.write(level, clean)
    }
    this.log = createLineLog(() => this.#level(), write)
    this.#closeFile = file.close
  }

  /** How much is said from now on. */
  setLevel(level: () => Settings['log_level']): void {
    this.#level = level
  }

  /** Something that must never be written, for as long as this process lives. */
  hide(secret: string): void {
    this.#secrets.add(secret)
  }

  /** A text as it may be seen. */
  clean(text: string): string {
    return withoutSecrets(text, this.#secrets)
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
      const { dataDir, environment } = this.#options
      const surroundings = { version: VERSION, environment, secrets: [...this.#secrets] }
      const { code } = writeCrashRecord(dataDir, thrown, surroundings)
      this.log.error({ err: thrown }, `Tandem ends because of a fault of its own (${code}). Terminals in tmux live on.`)
    } catch (failure) {
      process.stderr.write(this.clean(`${String(thrown)}\n${String(failure)}\n`))
    } finally {
      end()
    }
  }
}

function toStderr(level: Level, line: string): void {
  process.stderr.write(`${level === 'info' ? '' : `${level}: `}${line}\n`)
}
