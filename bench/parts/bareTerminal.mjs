// The least a terminal in a browser can be: xterm.js as it comes, a WebSocket, and a shell in a pty behind it.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
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
  const size = new URL(request.url, 'http://x').searchParams
  const [cols, rows] = [Number(size.get('columns')), Number(size.get('rows'))]
  const shell = spawn('/bin/bash', [], { cols, rows, cwd: process.env.HOME, env: process.env, encoding: null })
  shell.onData((bytes) => socket.send(bytes))
  socket.on('message', (text) => shell.write(text.toString()))
  socket.on('close', () => shell.kill())
})

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`)
})
