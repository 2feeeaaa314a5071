import { AppError } from '../../../shared/errors'

/** This machine has no tmux that could be used: another thing than one that is there and fails. */
export class TmuxMissing extends AppError {
  constructor(message: string) {
    super('TMUX_UNAVAILABLE', message, installHint())
  }
}

/** What a version of tmux can do, read once from `tmux -V`. */
export interface TmuxVersion {
  text: string
  major: number
  minor: number
}

/** 3.2 lacks remain-on-exit-format, allow-passthrough and pane_dead_signal. */
const OLDEST = { major: 3, minor: 3 }

/** `tmux 3.3a`, `tmux next-3.6`; a development build (`tmux master`) counts as the newest. */
export function parseVersion(output: string): TmuxVersion | undefined {
  const text = output.trim().replace(/^tmux /, '')
  if (text === 'master') return { text, major: Number.POSITIVE_INFINITY, minor: 0 }
  const match = /^(?:next-)?(\d+)\.(\d+)[a-z]?(?:-rc\d*)?$/.exec(text)
  if (!match) return undefined
  return { text, major: Number(match[1]), minor: Number(match[2]) }
}

/** The version, or TmuxMissing with what was found and what to do. */
export function requireVersion(output: string): TmuxVersion {
  const version = parseVersion(output)
  if (version && isAtLeast(version, OLDEST)) return version
  const found = version?.text ?? output.trim()
  throw new TmuxMissing(`tmux "${found}" is too old: 3.3 or newer is needed`)
}

export function isAtLeast(version: TmuxVersion, wanted: { major: number; minor: number }): boolean {
  return version.major > wanted.major || (version.major === wanted.major && version.minor >= wanted.minor)
}

/** What installs it on this system. */
export function installCommand(): string {
  return process.platform === 'darwin' ? 'brew install tmux' : 'apt-get install tmux'
}

export function installHint(): string {
  return `Install it: ${installCommand()}`
}
