import { readFileSync } from 'node:fs'

/** A process that cannot be mistaken for a later one with the same pid. */
export interface ProcessIdentity {
  pid: number
  startTime: string
}

/** Undefined when there is no such process, or only its remains. */
export function identify(pid: number): ProcessIdentity | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : { pid, startTime: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  return identify(pid)?.startTime === startTime
}
