// The least that stands between tmux and a viewer: a control client with `send-keys` on the way in; `pipe-pane` with its
// relay, a FIFO and a WebSocket on the way out; with `isEmulated` also the emulator, read as the product reads. Nothing is
// kept, checked or looked at. It speaks as much of the product's protocol as the bench's viewer needs, so that both are
// measured by the same client. Each viewer gets a new pane; one that asks for a preview is told when the last pane's
// emulator has parsed everything. `floods` run in panes of their own that nobody views. With `isPty` there is no tmux: the
// program runs in a pty of this process.

import { execFileSync, spawn } from 'node:child_process'
import { constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { spawn as spawnInPty } from 'node-pty'
import { WebSocketServer } from 'ws'

const { bareArguments, root, program, isEmulated, isPty, floods = [] } = JSON.parse(process.argv[2])
const OUTPUT = Buffer.from('0')
const FIFO_BYTES = 65_536
const GATHER_MS = 1
// What comes in one read of a pty at most, or nearly.
const PTY_BYTES = 4000
// As the product shares its time: so much emulation in one turn of the event loop, in pieces of so many bytes.
const TURN_MS = 6
const PIECE_BYTES = 16_384

const newEmulator = isEmulated ? await emulators() : () => ({ write: (_bytes, parsed) => parsed?.() })
const control = isPty ? undefined : await controlTmux()

let panes = 0
let last
for (const flood of floods) openPane(flood, () => undefined)
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (viewer, { url }) => {
  viewer.once('message', () => {
    if (!url.includes('preview')) serve(viewer)
    else last.emulator.write('', () => viewer.send(preferences(last.bytes)))
  })
})
server.once('listening', () => {
  const wsUrl = `ws://127.0.0.1:${server.address().port}/?arg=bare`
  process.stdout.write(`${JSON.stringify({ wsUrl, token: 'none' })}\n`)
})
process.once('SIGTERM', () => {
  if (!control) process.exit()
  control.once('exit', () => process.exit())
  control.stdin.end('kill-server\n')
})

function serve(viewer) {
  viewer.send(preferences(0))
  const open = isPty ? openPty : openPane
  const pane = open(program, (bytes) => viewer.send(Buffer.concat([OUTPUT, bytes])))
  last = pane
  viewer.on('message', (frame) => pane.type(frame.subarray(1)))
  viewer.once('close', () => pane.close())
}

async function controlTmux() {
  const words = ['-C', 'new-session', '-A', '-s', 'control', 'exec tail -f /dev/null']
  const tmux = spawn('tmux', [...bareArguments, ...words])
  await new Promise((resolve) => tmux.stdout.once('data', resolve))
  tmux.stdout.resume()
  return tmux
}

// A key is passed on as it comes; the pieces of a flood, four kilobytes each, are gathered for a moment.
function openPty(runs, onBytes) {
  const pane = { emulator: newEmulator(), bytes: 0 }
  const shell = spawnInPty('/bin/sh', ['-c', runs], { cols: 80, rows: 24, encoding: null })
  let pieces = []
  const pass = () => {
    const bytes = Buffer.concat(pieces)
    pieces = []
    pane.bytes += bytes.length
    onBytes(bytes)
    pane.emulator.write(bytes)
  }
  shell.onData((bytes) => {
    if (pieces.push(bytes) > 1) return
    if (bytes.length < PTY_BYTES) pass()
    else setTimeout(pass, GATHER_MS)
  })
  return Object.assign(pane, { type: (bytes) => shell.write(bytes), close: () => shell.kill('SIGKILL') })
}

function openPane(runs, onBytes) {
  const name = `pane-${++panes}`
  const path = join(root, `${name}-${process.pid}.fifo`)
  const pane = { name, emulator: newEmulator(), bytes: 0 }
  execFileSync('mkfifo', [path])
  pane.socket = readFifo(path, (bytes) => {
    pane.bytes += bytes.length
    onBytes(bytes)
    pane.emulator.write(bytes)
  })
  pane.type = (bytes) => {
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    control.stdin.write(`send-keys -H -t =${name}: ${hex.join(' ')}\n`)
  }
  pane.close = () => {
    control.stdin.write(`kill-session -t =${name}\n`)
    pane.socket.destroy()
  }
  const words = ['new-session', '-d', '-x', '80', '-y', '24', '-s', name, runs]
  execFileSync('tmux', [...bareArguments, ...words, ';', 'pipe-pane', '-O', '-t', `=${name}:`, `exec cat >${path}`])
  return pane
}

// The key of an echo is passed on at once; a flood is read in as large pieces as the FIFO has.
function readFifo(path, onBytes) {
  const buffer = Buffer.allocUnsafeSlow(FIFO_BYTES)
  const callback = (length) => {
    onBytes(Buffer.from(buffer.subarray(0, length)))
    if (!isEmulated || length >= FIFO_BYTES / 2) return true
    setTimeout(() => socket.resume(), GATHER_MS)
    return false
  }
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const socket = new Socket({ fd, readable: true, writable: false, onread: { buffer, callback } })
  return socket
}

function preferences(offset) {
  return Buffer.from(`2${JSON.stringify({ tandem: { offset, columns: 80, rows: 24 } })}`)
}

async function emulators() {
  // The addon reads its tables wrongly out of Node's pool of buffers.
  const { poolSize } = Buffer
  Buffer.poolSize = 0
  const { UnicodeGraphemesAddon } = await import('@xterm/addon-unicode-graphemes')
  const { default: xterm } = await import('@xterm/headless')
  Buffer.poolSize = poolSize
  const options = { cols: 80, rows: 24, scrollback: 10_000, allowProposedApi: true, logLevel: 'off' }
  const inTurns = sharedTurns()
  return () => {
    const term = new xterm.Terminal(options)
    term.loadAddon(new UnicodeGraphemesAddon())
    return inTurns((bytes) => term._core.writeSync(bytes))
  }
}

// All emulators share the time of a turn, one piece each after the other.
function sharedTurns() {
  const waiting = new Set()
  let isScheduled = false
  const schedule = () => {
    if (!isScheduled && waiting.size > 0) setImmediate(turn)
    isScheduled = waiting.size > 0
  }
  const turn = () => {
    const deadline = performance.now() + TURN_MS
    do {
      const [queue] = waiting
      waiting.delete(queue)
      queue.items.shift()()
      if (queue.items.length > 0) waiting.add(queue)
    } while (waiting.size > 0 && performance.now() < deadline)
    isScheduled = false
    schedule()
  }
  return (parse) => {
    const queue = { items: [] }
    const enqueue = (item) => {
      queue.items.push(item)
      waiting.add(queue)
      schedule()
    }
    const write = (bytes, parsed = () => undefined) => {
      for (let from = 0; from < bytes.length; from += PIECE_BYTES)
        enqueue(() => parse(bytes.subarray(from, from + PIECE_BYTES)))
      enqueue(parsed)
    }
    return { write }
  }
}
