// The least a terminal in a browser can be: xterm.js as it comes, a WebSocket, and behind it a shell in a pty, or one in
// tmux whose output is piped out of it.

import { execFileSync, spawn as spawnChild } from 'node:child_process'
import { constants, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { spawn } from 'node-pty'
import { WebSocketServer } from 'ws'

const require = createRequire(import.meta.url)
const scrollback = 10_000

const page = `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/xterm.css">
<body style="margin:0"><div class="bare"></div><script src="/xterm.js"></script><script>
const size = new URLSearchParams(location.search)
const [cols, rows] = [Number(size.get('columns')), Number(size.get('rows'))]
const terminal = new Terminal({ cols, rows, scrollback: ${scrollback} })
terminal.open(document.querySelector('.bare'))
terminal.focus()
const socket = new WebSocket('ws://' + location.host + location.search)
socket.binaryType = 'arraybuffer'
socket.onmessage = ({ data }) => terminal.write(new Uint8Array(data))
terminal.onData((text) => socket.send(text))
</script>`

const files = {
  '/': ['text/html', () => page],
  '/xterm.js': ['text/javascript', () => readFileSync(require.resolve('@xterm/xterm/lib/xterm.js'))],
  '/xterm.css': ['text/css', () => readFileSync(require.resolve('@xterm/xterm/css/xterm.css'))]
}

const server = createServer((request, response) => {
  const [type, content] = files[new URL(request.url, 'http://x').pathname] ?? ['text/plain', () => '']
  response.writeHead(200, { 'content-type': type }).end(content())
})

new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket, request) => {
  const asked = new URL(request.url, 'http://x').searchParams
  const size = { cols: Number(asked.get('columns')), rows: Number(asked.get('rows')) }
  const shell = (asked.get('backend') === 'tmux' ? tmuxShell : ptyShell)(size, (bytes) => socket.send(bytes))
  socket.on('message', (text) => shell.write(text.toString()))
  socket.on('close', () => shell.end())
})

function ptyShell(size, send) {
  const shell = spawn('/bin/bash', [], { ...size, cwd: process.env.HOME, env: process.env, encoding: null })
  shell.onData(send)
  return { write: (text) => shell.write(text), end: () => shell.kill() }
}

function tmuxShell({ cols, rows }, send) {
  const tmuxArguments = JSON.parse(process.argv[2])
  const tmux = (...args) => execFileSync('tmux', [...tmuxArguments, ...args])
  const path = join(mkdtempSync(join(process.env.TMUX_TMPDIR, 'bare-')), 'pipe')
  execFileSync('mkfifo', [path])
  const pipe = new Socket({ fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK), readable: true })
  pipe.on('data', send)
  const size = ['-x', String(cols), '-y', String(rows)]
  tmux('new-session', '-d', '-s', 'bare', ...size, '/bin/bash', ';', 'pipe-pane', '-O', `exec cat >${path}`)
  const control = spawnChild('tmux', [...tmuxArguments, '-C', 'new-session', '-s', 'control', 'exec tail -f /dev/null'])
  control.stdout.resume()
  const write = (text) => {
    const keys = [...Buffer.from(text)].map((byte) => byte.toString(16))
    control.stdin.write(`send-keys -t =bare: -H ${keys.join(' ')}\n`)
  }
  const end = () => {
    pipe.destroy()
    control.stdin.end('kill-server\n')
  }
  return { write, end }
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`)
})
