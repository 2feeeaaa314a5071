// A program that writes down every byte it is typed, as it comes. `THE-END` ends it.

import { appendFileSync, writeFileSync } from 'node:fs'

const [, , path] = process.argv
let tail = ''
writeFileSync(path, '')
process.stdin.setRawMode(true)
process.stdin.on('data', (bytes) => {
  appendFileSync(path, bytes)
  tail = (tail + bytes.toString('latin1')).slice(-7)
  if (tail === 'THE-END') process.exit()
})
process.stdout.write('recording-now')
