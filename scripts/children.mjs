import { spawn } from 'node:child_process'

// At a terminal Ctrl-C reaches the child by itself; passing it on would make it two.
const PASSED_ON = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Runs a program in the foreground, passes our signals on, and resolves with its exit code (1 for a signal). */
export function runToEnd(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', ...options })
    const passOn = (signal) => child.kill(signal)
    const stay = () => undefined
    process.on('SIGINT', stay)
    for (const signal of PASSED_ON) process.on(signal, passOn)
    const settle = (finish) => (value) => {
      process.off('SIGINT', stay)
      for (const signal of PASSED_ON) process.off(signal, passOn)
      finish(value)
    }
    child.once('error', settle(reject))
    child.once(
      'exit',
      settle((code) => resolve(code ?? 1))
    )
  })
}

/** Runs one of our own scripts with all its output on stderr. */
export function runQuietly(script, args = []) {
  return runToEnd(process.execPath, [script, ...args], { stdio: ['ignore', 2, 2] })
}
