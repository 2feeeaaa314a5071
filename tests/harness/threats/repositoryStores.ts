import { randomUUID } from 'node:crypto'
import { HOSTILE_STORES } from '../../../src/core/workspace/hostileStores.testing'

export interface RepositoryStore {
  title: string
  content: string
  /** Absent: either answer is right, as long as nothing happens. */
  isCorrupt?: boolean
}

/** What a terminal that really lives can be named by. */
export interface Living {
  id: string
  tmuxSession: string
}

/** Store files as a cloned repository could bring them: 200 and more, the last ones made from what lives here now. */
export function repositoryStores(living: Living, canary: string): RepositoryStore[] {
  return [
    ...HOSTILE_STORES.map(({ title, content, expected }) => ({ title, content, isCorrupt: expected === 'corrupt' })),
    ...commands(canary),
    ...claims(living),
    ...damaged(living)
  ]
}

const record = (more: object = {}) => ({
  id: randomUUID(),
  name: 'came with the repository',
  tmuxSession: 'mc-work-aaaa',
  created: '2026-01-01T00:00:00.000Z',
  order: 0,
  backend: 'tmux',
  cwd: '/',
  program: '/bin/sh',
  ...more
})
const file = (sessions: object[], more: object = {}) =>
  JSON.stringify({ version: 1, sessions, ended: [], lastModified: '2026-01-01T00:00:00.000Z', ...more })

/** Every field that anybody might take for something to run. */
function commands(canary: string): RepositoryStore[] {
  const fields = [
    'command',
    'program',
    'shell',
    'args',
    'init',
    'autostart',
    'restore',
    'onOpen',
    'env',
    'hook',
    'cwd',
    'name',
    'seal'
  ]
  const values = [`touch ${canary}`, `#(touch ${canary})`, `$(touch ${canary})`, ['sh', '-c', `touch ${canary}`]]
  return fields.flatMap((field) =>
    values.flatMap((value) => [
      { title: `${field} in a terminal`, content: file([record({ [field]: value })]) },
      { title: `${field} in an ended one`, content: file([], { ended: [record({ [field]: value, endedAt: '2026' })] }) }
    ])
  )
}

/** Records that name a terminal of another workspace. */
function claims({ id, tmuxSession }: Living): RepositoryStore[] {
  const records = [
    record({ id }),
    record({ id: id.toUpperCase() }),
    record({ tmuxSession }),
    record({ id, tmuxSession }),
    record({ id, tmuxSession, seal: 'x'.repeat(43) }),
    record({ id, backend: 'pty' })
  ]
  return records.flatMap((claim) => [
    { title: 'claims a living terminal', content: file([claim]) },
    { title: 'says a living terminal has ended', content: file([], { ended: [claim] }) }
  ])
}

/** One good file with one byte turned at each of many places. */
function damaged(living: Living): RepositoryStore[] {
  const good = Buffer.from(file([record(living), record({ tmuxSession: 'mc-work-bbbb', order: 1 })]))
  return Array.from({ length: 40 }, (_, index) => {
    const bad = Buffer.from(good)
    const place = Math.floor((good.length * index) / 40)
    bad[place] = (bad[place] ?? 0) ^ (1 << (index % 8))
    return { title: `byte ${place} turned`, content: bad.toString('latin1') }
  })
}
