// What emulators alone cost in memory, set up as the product sets them up: empty ones, and some filled with a file.

import { readFileSync } from 'node:fs'

Buffer.poolSize = 0
const { UnicodeGraphemesAddon } = await import('@xterm/addon-unicode-graphemes')
const { default: xterm } = await import('@xterm/headless')

const [file, idleCount, fullCount] = process.argv.slice(2)
const content = Buffer.from(readFileSync(file, 'utf8').replaceAll('\n', '\r\n'))

await fill(newTerminal())
const empty = megabytes()
const terminals = Array.from({ length: Number(idleCount) }, newTerminal)
const idle = megabytes()
for (const terminal of terminals.slice(0, Number(fullCount))) await fill(terminal)
const full = megabytes()
process.stdout.write(JSON.stringify({ idle: (idle - empty) / idleCount, full: (full - idle) / fullCount }))
for (const terminal of terminals) terminal.dispose()

function newTerminal() {
  const terminal = new xterm.Terminal({ cols: 80, rows: 24, scrollback: 10_000, allowProposedApi: true })
  terminal.loadAddon(new UnicodeGraphemesAddon())
  return terminal
}

function fill(terminal) {
  return new Promise((resolve) => terminal.write(content, resolve))
}

function megabytes() {
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage.rss() / 1e6
}
