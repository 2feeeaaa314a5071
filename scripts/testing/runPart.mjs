import { spawn } from 'node:child_process'

/**
 * Runs one part in a process group of its own and answers with its counts. A part without counts of its own is one
 * test. A part that crashed, ran out of time or failed without saying which test counts as one more failure.
 */
export async function runPart(part, { cwd, env }) {
  process.stdout.write(`\n── ${part.name}\n`)
  const { code, late } = await runGroup(part, { cwd, env: { ...env, ...part.env } })
  if (late) process.stdout.write(`${part.name}: ended after ${part.limitMs / 60_000} minutes\n`)
  const counted = part.count?.()
  if (!counted) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
  const unexplained = code !== 0 && counted.failed === 0
  return { ...counted, failed: counted.failed + (unexplained ? 1 : 0) }
}

function runGroup({ command: [program, ...args], limitMs }, options) {
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
    }, limitMs)
    const interrupt = (signal) => {
      endGroup(signal)
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
