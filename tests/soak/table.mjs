import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Prints one line per fault from the reports in a folder: row, rounds, losses. Returns the number of losses. */
export function printTable(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  const entries = names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  entries.sort((one, other) => Number(one.row.slice(1)) - Number(other.row.slice(1)))
  process.stdout.write('\n row  place  rounds  losses  fault\n')
  for (const { row, fault, place, rounds, losses, notes } of entries) {
    const facts = Object.entries(notes).map(([name, value]) => `${name} ${value}`)
    const line = `${row.padEnd(4)} ${place.padEnd(5)} ${String(rounds).padStart(7)} ${String(losses.length).padStart(7)}  ${fault}`
    process.stdout.write(` ${line} (${facts.join(', ')})\n`)
  }
  const losses = entries.flatMap((entry) => entry.losses)
  for (const loss of losses) process.stdout.write(`\n${loss}\n`)
  return losses.length
}
