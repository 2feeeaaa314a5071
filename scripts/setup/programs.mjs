import { spawnSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Path of the first of these programs that PATH offers, or undefined. */
export function findProgram(...names) {
  for (const name of names) {
    for (const directory of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(directory || '.', name)
      if (isExecutable(path)) return path
    }
  }
  return undefined
}

/** Runs a program to its end with all of its output on our stderr; true when it succeeded. */
export function runLoudly(program, args, { cwd, env = process.env } = {}) {
  const { status, error } = spawnSync(program, args, { cwd, env, stdio: ['ignore', 2, 2] })
  if (error) process.stderr.write(`setup: ${program}: ${error.message}\n`)
  return status === 0
}

/** What a program prints, trimmed; empty when it cannot be run or fails. */
export function readOutput(program, args, options = {}) {
  const { status, stdout } = spawnSync(program, args, {
    ...options,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore']
  })
  return status === 0 ? stdout.trim() : ''
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
