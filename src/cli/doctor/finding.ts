import type { DataDir } from '../../core/data/dataDir'
import type { Endpoint } from '../../core/data/discovery'
import type { Settings } from '../../shared/settings'

/** What is looked at, gathered once; nothing here changes anything. */
export interface Patient {
  dataDir: DataDir
  environment: NodeJS.ProcessEnv
  settings: Settings
  settingProblems: readonly string[]
  ownerId: string | undefined
  endpoint: Endpoint | undefined
  /** Whether some process holds the lock of the data dir now. */
  isOwned: boolean
}

/** One line about one thing, and what to do about it. */
export interface Finding {
  check: string
  level: 'ok' | 'warn' | 'fail'
  message: string
  /** What a person can do. */
  fix?: string
  /** What `--fix` does; says what it did. Left out of what is printed. */
  repair?(): string
}

export type Check = (patient: Patient) => Finding[] | Promise<Finding[]>
