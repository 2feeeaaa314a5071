// The least that stands between tmux and a viewer: a control client with `send-keys` on the way in; `pipe-pane` with its
// relay, a FIFO and a WebSocket on the way out; with `isEmulated` also the emulator, read as the product reads. Nothing is
// kept, checked or looked at. It speaks as much of the product's protocol as the bench's viewer needs, so that both are
// measured by the same client. Each viewer gets a new pane; one that asks for a preview is told when the last pane's
// emulator has parsed everything.

import { execFileSync, spawn } from 'node:child_process'
import { constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'

const { bareArguments, root, program, isEmulated } = JSON.parse(process.argv[2])
const OUTPUT = Buffer.from('0')
const FIFO_BYTES = 65_536
const GATHER_MS = 1

const newEmulator = isEmulated ? await emulators() : () => ({ write: (_bytes, parsed) => parsed?.() })
const control = spawn('tmux', [...bareArguments, '-C', 'new-session', '-A', '-s', 'control', 'exec tail -f /dev/null'])
await new Promise((resolve) => control.stdout.once('data', resolve))
control.stdout.resume()

let panes = 0
let last
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
  control.once('exit', () => process.exit())
  control.stdin.end('kill-server\n')
})

function serve(viewer) {
  const name = `pane-${++panes}`
  const path = join(root, `${name}-${process.pid}.fifo`)
  const pane = { emulator: newEmulator(), bytes: 0 }
  last = pane
  execFileSync('mkfifo', [path])
  viewer.send(preferences(0))
  const socket = readFifo(path, (bytes) => {
    pane.bytes += bytes.length
    viewer.send(Buffer.concat([OUTPUT, bytes]))
    pane.emulator.write(bytes)
  })
  const words = ['new-session', '-d', '-x', '80', '-y', '24', '-s', name, program]
  execFileSync('tmux', [...bareArguments, ...words, ';', 'pipe-pane', '-O', '-t', `=${name}:`, `exec cat >${path}`])
  viewer.on('message', (frame) => {
    const hex = Array.from(frame.subarray(1), (byte) => byte.toString(16).padStart(2, '0'))
    control.stdin.write(`send-keys -H -t =${name}: ${hex.join(' ')}\n`)
  })
  viewer.once('close', () => {
    control.stdin.write(`kill-session -t =${name}\n`)
    socket.destroy()
  })
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
  return () => {
    const term = new xterm.Terminal({ cols: 80, rows: 24, scrollback: 10_000, allowProposedApi: true })
    term.loadAddon(new UnicodeGraphemesAddon())
    return term
  }
}
