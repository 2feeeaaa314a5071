import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

const PROBE = new URL('probe.mjs', import.meta.url).href
const HOST_FLAGS = ['--max-terminals', '500', '--max-sessions', '500', '--log-level', 'error']

/** Starts `tandem serve` in this world; with what its ready line says, a probe inside it, and how to stop it. */
export async function startHost(world, { backend = 'tmux', probe = true, flags = [] } = {}) {
  const dataDir = join(world.root, 'data', backend)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const serve = ['serve', '--port', '0', '--json', '--data-dir', dataDir, '--backend', backend, ...HOST_FLAGS, ...flags]
  return startProcess(world, { script: world.entry, args: serve, probe })
}

/** Starts a Node program that says it is ready with one line of JSON. */
export async function startProcess({ env, children }, { script, args = [], probe = true }) {
  const words = [...(probe ? ['--import', PROBE] : []), script, ...args]
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe', ...(probe ? ['ipc'] : [])] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    children.delete(stop)
  }
  children.add(stop)
  const ready = JSON.parse(await firstLine(child))
  return { ...ready, ask: asker(child), stop }
}

function asker(child) {
  let id = 0
  return (ask) =>
    new Promise((resolve, reject) => {
      const mine = ++id
      const answered = (message) => {
        if (message.id !== mine) return
        child.off('message', answered)
        child.off('exit', died)
        resolve(message.answer)
      }
      const died = () => reject(new Error(`the measured process ended before it answered "${ask}"`))
      child.on('message', answered)
      child.once('exit', died)
      child.send({ id: mine, ask })
    })
}

function firstLine(child) {
  return new Promise((resolve, reject) => {
    let text = ''
    let said = ''
    child.stderr.on('data', (chunk) => (said += chunk))
    child.stdout.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    child.once('exit', (code) => reject(new Error(`it ended with ${code} before it was ready: ${said}`)))
  })
}
