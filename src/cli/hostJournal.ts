import { join } from 'node:path'
import { takeUntoldCrash, writeCrashRecord } from '../core/data/crashRecord'
import { hasStaleEndpoint } from '../core/data/discovery'
import { openLogFile } from '../core/data/logFile'
import type { Logger } from '../core/log'
import { teeLog } from '../core/logLine'
import { VERSION } from '../core/version'
import type { Settings } from '../shared/settings'
import { EXIT_CODES } from './exitCodes'
import { createStderrLog } from './stderrLog'
import { strings } from './strings'

interface JournalOptions {
  dataDir: string
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
    const toStderr = createStderrLog(options.level, (line) => process.stderr.write(line))
    const onTrouble = (reason: string) => toStderr.warn({}, strings.logFileTrouble(reason))
    const file = openLogFile({ ...options, onTrouble })
    this.log = teeLog([toStderr, file.log])
    this.#closeFile = file.close
  }

  /** Sentences about how the last host ended, each told once. Call it when the data dir is ours. */
  aboutLastHost(): string[] {
    const { dataDir } = this.#options
    if (hasStaleEndpoint(dataDir)) this.log.debug({}, strings.noGoodbye)
    const crash = takeUntoldCrash(dataDir)
    if (!crash) return []
    const sentence = strings.crashedLastTime(crash.time, crash.code, join(dataDir, 'crashes'))
    this.log.warn({}, sentence)
    return [sentence]
  }

  /** From now on a failure that nobody caught is written down before it ends the process. */
  catchCrashes(beforeExit: () => void): void {
    const crash = (thrown: unknown) => this.#crash(thrown, beforeExit)
    process.on('uncaughtException', crash)
    process.on('unhandledRejection', crash)
    // Whoever read our output went away: that is no reason to go as well.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  }

  close(): void {
    this.#closeFile()
  }

  #crash(thrown: unknown, beforeExit: () => void): void {
    if (this.#isCrashing) return
    this.#isCrashing = true
    try {
      const { dataDir, secrets } = this.#options
      beforeExit()
      const surroundings = { version: VERSION, environment: process.env, secrets: secrets() }
      const { code } = writeCrashRecord(dataDir, thrown, surroundings)
      this.log.error({ err: thrown }, strings.crashing(code))
    } catch (failure) {
      process.stderr.write(`${strings.unexpected(String(thrown))}\n${strings.unexpected(String(failure))}\n`)
    } finally {
      process.exit(EXIT_CODES.failed)
    }
  }
}
