import { expect, test } from 'vitest'
import { FakeBackend } from '../backends/fakeBackend'
import { TerminalProgram } from './terminalProgram'
import { newSpec } from './terminals.testing'

const READER = { needsRestore: true, caughtUp: async () => undefined }
const LISTENER = {
  output: () => undefined,
  restored: () => undefined,
  exited: () => undefined,
  presence: () => undefined
}

test('the screen of a program that does not answer now cannot be restored; that of one that is gone need not be', async () => {
  const backend = new FakeBackend()
  const spec = { ...newSpec(), reservedOffset: 0 }
  const program = new TerminalProgram(spec.stamp.id)
  program.backend = await backend.create(spec, LISTENER)
  program.presence = 'unknown'
  await expect(program.resync(READER)).rejects.toMatchObject({ code: 'SESSION_ERROR' })
  program.presence = 'ok'
  await program.resync(READER)
  program.presence = 'lost'
  await program.resync(READER)
  program.isOver = true
  await program.resync(READER)
  expect(backend.program().resyncs).toBe(1)
})
