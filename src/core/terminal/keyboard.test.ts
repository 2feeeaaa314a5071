import { expect, test } from 'vitest'
import { AGENT, openTerminal } from './terminals.testing'

const HIDING = { isCanonical: true, echoes: false }
const SHOWING = { isCanonical: true, echoes: true }

test('a prompt that hides what is typed stays the person’s while it cannot be looked at', async () => {
  const { terminal, program } = await openTerminal()
  program.modesOfTty = HIDING
  expect(await terminal.needsPerson()).toBe(true)
  program.modesOfTty = undefined
  expect(await terminal.needsPerson()).toBe(true)
  await expect(terminal.write(Buffer.from('guess\r'), AGENT)).rejects.toMatchObject({ code: 'HUMAN_HAS_CONTROL' })
  program.modesOfTty = SHOWING
  expect(await terminal.needsPerson()).toBe(false)
})
