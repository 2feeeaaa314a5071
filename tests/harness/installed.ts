import { spawnSync } from 'node:child_process'

/** Where a program of this name lies; undefined when this machine has none. */
export function installed(name: string): string | undefined {
  return spawnSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', name]).stdout.toString().trim() || undefined
}
