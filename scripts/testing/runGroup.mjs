import { spawn } from 'node:child_process'
import { endRun, RUN_MARKER } from './leftovers.mjs'

/** Runs a command in a process group of its own, of which nothing is left afterwards; ends it when its time is up. */
export function runGroup({ command: [program, ...args], limitMs }, options) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'], detached: true })
    let late = false
    const endGroup = (signal) => {
      try {
        process.kill(-child.pid, signal)
      } catch (error) {
        if (error.code !== 'ESRCH') throw error
      }
    }
    const timer = setTimeout(() => {
      late = true
      endGroup('SIGKILL')
      endRun(options.env[RUN_MARKER])
    }, limitMs)
    const interrupt = () => {
      endGroup('SIGKILL')
      endRun(options.env[RUN_MARKER])
      process.exit(1)
    }
    process.on('SIGINT', interrupt)
    process.on('SIGTERM', interrupt)
    const settle = (code) => {
      clearTimeout(timer)
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
      endGroup('SIGKILL')
      resolve({ code, late })
    }
    child.once('error', () => settle(1))
    child.once('exit', (code) => settle(code ?? 1))
  })
}
