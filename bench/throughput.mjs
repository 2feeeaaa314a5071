import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import WebSocket from 'ws'
import { startHost } from './world.mjs'

const MEGABYTES = 20

/** A program's output through tmux, log and emulator to one viewer, beside tmux with nobody looking. */
export async function throughputRow(world) {
  const file = join(world.root, 'lines.txt')
  writeFileSync(file, asciiLines(MEGABYTES * 1_000_000))
  const host = await startHost(world)
  return {
    name: 'tmux terminal: throughput, one viewer',
    unit: 'MB/s',
    better: 'higher',
    reach: '0.85 of the limit',
    limit: () => throughTmuxAlone(world, file),
    product: () => throughTandem(world, host, file),
    close: host.stop
  }
}

function throughTmuxAlone({ tmux }, file) {
  const done = `bench-${randomBytes(4).toString('hex')}`
  tmux('-bare', '-f', '/dev/null', 'new-session', '-d', '-x', '80', '-y', '24', '-s', done, 'cat')
  const began = performance.now()
  // cat can end only when tmux has read all but the last few kilobytes.
  tmux('-bare', 'new-window', '-d', '-t', `=${done}:`, `cat '${file}'; tmux wait-for -S ${done}`)
  tmux('-bare', 'wait-for', done)
  const figure = rate(began)
  tmux('-bare', 'kill-session', '-t', `=${done}`)
  return figure
}

async function throughTandem({ project }, host, file) {
  const terminal = await createTerminal(host, project)
  const viewer = await openViewer(host, terminal)
  const done = `done-${randomBytes(4).toString('hex')}`
  const began = performance.now()
  // Split in the typed line, so that its echo is not taken for the end.
  viewer.type(`cat ${file}; echo ${done.slice(0, 6)}''${done.slice(6)}\r`)
  await viewer.seen(done)
  const figure = rate(began)
  viewer.close()
  await call(
    host,
    'DELETE',
    `/api/terminal/sessions/${terminal.id}?${new URLSearchParams({ project, session: 'bench' })}`
  )
  return figure
}

const createTerminal = (host, project) => call(host, 'POST', '/api/terminal/sessions', { project, session: 'bench' })

async function call({ url, token }, method, path, body) {
  const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  const response = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

async function openViewer({ token }, { wsUrl }) {
  const socket = new WebSocket(wsUrl, 'tty', { headers: { authorization: `Bearer ${token}` } })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  let tail = Buffer.alloc(0)
  let look = () => undefined
  socket.on('message', (frame) => {
    if (frame[0] !== 0x30) return
    tail = Buffer.concat([tail, frame.subarray(1)]).subarray(-4096)
    look()
  })
  socket.send(JSON.stringify({ AuthToken: '', columns: 80, rows: 24 }))
  const seen = (text) =>
    new Promise((resolve) => {
      look = () => tail.includes(text) && resolve()
      look()
    })
  return { type: (text) => socket.send(`0${text}`), seen, close: () => socket.close() }
}

function asciiLines(bytes) {
  const line = `${'the quick brown fox jumps over the lazy dog '.repeat(2).slice(0, 79)}\n`
  return line.repeat(Math.ceil(bytes / line.length))
}

function rate(began) {
  return (MEGABYTES * 1000) / (performance.now() - began)
}
