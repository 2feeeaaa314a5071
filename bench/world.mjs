import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ENTRY = join(dirname(dirname(fileURLToPath(import.meta.url))), 'out/main/tandem.js')

/** A home, a project and a tmux server of its own for one bench run, and how to take it all away again. */
export function makeWorld() {
  const root = mkdtempSync('/tmp/tandem-bench-')
  const socket = `tandem-bench-${process.pid}`
  for (const name of ['home', 'data', 'project', 'tmux']) mkdirSync(join(root, name), { mode: 0o700 })
  const env = {
    ...process.env,
    HOME: join(root, 'home'),
    SHELL: '/bin/bash',
    TMUX_TMPDIR: join(root, 'tmux'),
    TANDEM_TMUX_SOCKET: socket
  }
  for (const name of ['TMUX', 'TMUX_PANE', 'XDG_RUNTIME_DIR']) delete env[name]
  const tmux = (name, ...args) =>
    execFileSync('tmux', ['-L', `${socket}${name}`, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8'
    })
  const remove = () => {
    for (const name of ['', '-bare']) endServer(() => tmux(name, 'kill-server'))
    rmSync(root, { recursive: true, force: true })
  }
  return { root, project: join(root, 'project'), dataDir: join(root, 'data'), env, tmux, remove }
}

/** Starts `tandem serve` and answers with its ready line and how to stop it. */
export async function startHost(world) {
  const args = [ENTRY, 'serve', '--port', '0', '--json', '--data-dir', world.dataDir, '--log-level', 'error']
  const child = spawn(process.execPath, args, { env: world.env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const line = await firstLine(child)
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { ...JSON.parse(line), stop }
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
    child.once('exit', (code) => reject(new Error(`tandem serve ended with ${code}: ${said}`)))
  })
}

function endServer(kill) {
  try {
    kill()
  } catch (error) {
    if (!/no server running|No such file|error connecting/.test(String(error))) throw error
  }
}
