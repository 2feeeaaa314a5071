import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseStore } from '../../../src/core/workspace/storeState'
import type { StoredSession } from './faultHost'

const STORE = 'terminal-sessions.json'
const ASIDE = '.corrupt-'

export interface DiskStore {
  sessions: StoredSession[]
  /** The ids of terminals that are over. */
  ended: string[]
}

/** What lies on disk, asked of nobody: undefined where there is no store; throws where it, or its generation, is torn. */
export function storeOnDisk(directory: string): DiskStore | undefined {
  if (existsSync(join(directory, `${STORE}.bak`))) wholeStore(join(directory, `${STORE}.bak`))
  const path = join(directory, STORE)
  return existsSync(path) ? wholeStore(path) : undefined
}

function wholeStore(path: string): DiskStore {
  const text = readFileSync(path, 'utf8')
  const { kind } = parseStore(text)
  if (kind !== 'ok') throw new Error(`${path} is ${kind}: ${text}`)
  const { sessions, ended } = JSON.parse(text) as { sessions: StoredSession[]; ended: { id: string }[] }
  if (sessions.some(({ order }, index) => order !== index)) throw new Error(`the orders in ${path} have gaps: ${text}`)
  return { sessions, ended: ended.map(({ id }) => id) }
}

/** What a host found to be damaged and kept aside. */
export function asideIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.includes(ASIDE)) : []
}

/** Every JSON file of a data directory is whole, also when the host died while it wrote one, and none was ever damaged. */
export function requireWholeFiles(dataDir: string): void {
  const [aside] = asideIn(dataDir)
  if (aside) throw new Error(`a host found a damaged file in its data directory: ${aside}`)
  for (const name of readdirSync(dataDir).filter((found) => found.endsWith('.json'))) {
    const text = readFileSync(join(dataDir, name), 'utf8')
    try {
      JSON.parse(text)
    } catch (failure) {
      throw new Error(`${name} in the data directory is torn: ${JSON.stringify(text)}`, { cause: failure })
    }
  }
}
