import { expect, test } from 'vitest'
import { RestoreRequest } from './restoreRequest'

/** A backend that restores, fails or cannot restore: all it does is to come to an end. */
function request() {
  const asked: string[] = []
  return { asked, restore: new RestoreRequest(async () => void asked.push('asked')) }
}

test('where nobody can restore a broken screen it is whole again as it is, and what comes later is told as ever', async () => {
  const { asked, restore } = request()
  restore.broken()
  await restore.ask(() => restore.isBroken)
  expect([asked.length, restore.isBroken]).toEqual([1, false])
  restore.broken()
  await restore.ask(() => restore.isBroken)
  expect(asked).toHaveLength(2)
})

test('what is still needed after it was asked for is asked for again only when the backlog was worked off', async () => {
  const { asked, restore } = request()
  for (let byte = 0; byte < 3; byte++) await restore.ask(() => true)
  expect(asked).toHaveLength(1)
  restore.caughtUp()
  await restore.ask(() => true)
  expect(asked).toHaveLength(2)
})

test('while a request is under way there is no second one, and a restored screen may be asked for at once', async () => {
  const { asked, restore } = request()
  await Promise.all([restore.ask(() => true), restore.ask(() => true)])
  expect(asked).toHaveLength(1)
  restore.settled()
  await restore.ask(() => true)
  expect(asked).toHaveLength(2)
})
