import { expect, test } from 'vitest'
import { silentLog } from '../log'
import { type KeptShell, ShellKeeper } from './keptShell'

const KEPT: KeptShell = { state: 'prompt', cwd: '/', commands: { made: 0, records: [] } }

function newKeeper(): { keeper: ShellKeeper; saved: unknown[] } {
  const saved: unknown[] = []
  const shelf = {
    load: () => undefined,
    remove: () => undefined,
    save: async (_id: string, kept: unknown) => void saved.push(kept)
  }
  return { keeper: new ShellKeeper('one', { shelf, kept: () => KEPT, log: silentLog }), saved }
}

test('what changed is kept when the terminal is let go', async () => {
  const { keeper, saved } = newKeeper()
  keeper.changed()
  await keeper.settle()
  expect(saved).toEqual([KEPT])
})

test('what is heard of a terminal after it was let go is not kept', async () => {
  const { keeper, saved } = newKeeper()
  keeper.forget()
  keeper.changed()
  await new Promise(setImmediate)
  await keeper.settle()
  expect(saved).toEqual([])
})
