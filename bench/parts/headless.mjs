// The emulator alone, set up as the product sets it up: reads a file as a terminal would send it. Prints MB/s
// and the processor time of a MB.

import { readFileSync } from 'node:fs'

const PIECE_BYTES = 65_536

// The addon reads its tables wrongly out of Node's pool of buffers.
Buffer.poolSize = 0
const { UnicodeGraphemesAddon } = await import('@xterm/addon-unicode-graphemes')
const { default: xterm } = await import('@xterm/headless')

const file = readFileSync(process.argv[2])
const content = Buffer.from(file.toString('utf8').replaceAll('\n', '\r\n'))
const term = new xterm.Terminal({ cols: 80, rows: 24, scrollback: 10_000, allowProposedApi: true })
term.loadAddon(new UnicodeGraphemesAddon())

const [began, cpu] = [performance.now(), process.cpuUsage()]
for (let at = 0; at < content.length; at += PIECE_BYTES) {
  await new Promise((resolve) => term.write(content.subarray(at, at + PIECE_BYTES), resolve))
}
const { user, system } = process.cpuUsage(cpu)
const rate = file.length / 1000 / (performance.now() - began)
process.stdout.write(JSON.stringify({ rate, cpu: (user + system) / 1000 / (file.length / 1e6) }))
