// Prints a file byte by byte, each in a write of its own, so that everything is cut everywhere.
import { readFileSync, writeSync } from 'node:fs'

for (const byte of readFileSync(process.argv[2])) {
  writeSync(1, Buffer.of(byte))
  await new Promise((resolve) => setImmediate(resolve))
}
