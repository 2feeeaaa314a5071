import { expect, test } from 'vitest'
import { RestoreRequest } from './restoreRequest'

const NO_DESCRIPTORS = new Error('EMFILE: too many open files')

/** A backend that restores, fails or cannot restore; `failures` says how many times in a row it fails first. */
function request({ failures = 0, againMs = 0 } = {}) {
  const asked: string[] = []
  const failed: unknown[] = []
  const onBehind = async () => {
    asked.push('asked')
    if (asked.length <= failures) throw NO_DESCRIPTORS
  }
  const onNotRestored = (thrown: unknown) => void failed.push(thrown)
  return { asked, failed, restore: new RestoreRequest({ onBehind, onNotRestored, againMs }) }
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

test('a broken screen that could not be restored stays broken, and is asked for again by itself until it was', async () => {
  const { asked, failed, restore } = request({ failures: 2 })
  restore.broken()
  await restore.ask(() => restore.isBroken)
  expect([asked.length, restore.isBroken]).toEqual([1, true])
  await expect.poll(() => restore.isBroken).toBe(false)
  expect([asked.length, failed]).toEqual([3, [NO_DESCRIPTORS, NO_DESCRIPTORS]])
})

test('a flood whose restore failed is not asked about with every byte, and again when it lasts', async () => {
  const { asked, restore } = request({ failures: 1 })
  for (let byte = 0; byte < 3; byte++) await restore.ask(() => true)
  expect(asked).toHaveLength(1)
  await expect.poll(() => asked.length).toBe(2)
})

test('what is not needed any more, or nobody waits for, is not asked for again', async () => {
  const [calm, gone] = [request({ failures: 1 }), request({ failures: 1 })]
  let isNeeded = true
  await calm.restore.ask(() => isNeeded)
  isNeeded = false
  const asking = gone.restore.ask(() => true)
  gone.restore.close()
  await asking
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([calm.asked.length, gone.asked.length]).toEqual([1, 1])
})
