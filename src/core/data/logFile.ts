import { join } from 'node:path'
import type { Level } from '../logLine'
import { RotatingFile, readRotatingFile } from './rotatingFile'

const LOG_BYTES = 1024 * 1024
const LOG_FILES = 5
/** A stack fits; a value that grew out of hand does not fill the file. */
const MAX_LINE_CHARACTERS = 8192

export interface LogFile {
  write(level: Level, line: string): void
  close(): void
}

export interface LogFileOptions {
  dataDir: string
  /** Told once per trouble: the disk is full, the file is not ours. The host goes on. */
  onTrouble(reason: string): void
}

/** `logs/tandem.log` in the data dir: what the host said, with times, bounded. */
export function openLogFile({ dataDir, onTrouble }: LogFileOptions): LogFile {
  const file = new RotatingFile(placeOf(dataDir))
  let isTroubled = false
  const write = (level: Level, line: string) => {
    const short = line.slice(0, MAX_LINE_CHARACTERS).replaceAll('\n', '\\n')
    try {
      file.append(`${new Date().toISOString()} ${level} ${short}`)
      isTroubled = false
    } catch (failure) {
      if (!isTroubled) onTrouble(failure instanceof Error ? failure.message : String(failure))
      isTroubled = true
    }
  }
  return { write, close: () => file.close() }
}

/** The newest lines, oldest first. */
export function readLog(dataDir: string, limit: number): string[] {
  return readRotatingFile(placeOf(dataDir), limit)
}

function placeOf(dataDir: string) {
  return { path: join(dataDir, 'logs', 'tandem.log'), maxBytes: LOG_BYTES, maxFiles: LOG_FILES }
}
