import { expect, test } from 'vitest'
import { Idempotency } from './idempotency'

const attempt = { caller: 'agent', key: 'k', request: '{}' }

function counter() {
  let count = 0
  return async () => ++count
}

test('repeats within ten minutes share the outcome, later ones do not', async () => {
  let nowMs = 0
  const idempotency = new Idempotency(() => nowMs)
  const work = counter()
  expect(await idempotency.run(attempt, work)).toBe(1)
  nowMs = 10 * 60_000
  expect(await idempotency.run(attempt, work)).toBe(1)
  nowMs += 1
  expect(await idempotency.run(attempt, work)).toBe(2)
})

test('repeats share the outcome while it is under way', async () => {
  const idempotency = new Idempotency()
  const work = counter()
  expect(await Promise.all([idempotency.run(attempt, work), idempotency.run(attempt, work)])).toEqual([1, 1])
})

test('a failure is shared by those who wait for it, and forgotten', async () => {
  const idempotency = new Idempotency()
  const fail = () => Promise.reject(new Error('no'))
  const both = await Promise.allSettled([idempotency.run(attempt, fail), idempotency.run(attempt, counter())])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await idempotency.run(attempt, counter())).toBe(1)
})

test('callers do not share keys, however they are spelled', async () => {
  const idempotency = new Idempotency()
  const work = counter()
  await idempotency.run({ ...attempt, caller: 'a', key: 'b-c' }, work)
  await idempotency.run({ ...attempt, caller: 'a-b', key: 'c' }, work)
  expect(await idempotency.run({ ...attempt, caller: 'a', key: 'b' }, work)).toBe(3)
})

test('a key that was used for another request is refused', async () => {
  const idempotency = new Idempotency()
  await idempotency.run(attempt, counter())
  expect(() => idempotency.run({ ...attempt, request: '{"x":1}' }, counter())).toThrow(
    /"k" was used for another request/
  )
})

test.each(['', 'x'.repeat(256)])('a key of the wrong length is refused', (key) => {
  expect(() => new Idempotency().run({ ...attempt, key }, counter())).toThrow(/1 to 255/)
})

test('endlessly many keys do not fill the memory, and the newest are kept', async () => {
  const idempotency = new Idempotency()
  for (let index = 0; index < 10_500; index += 1)
    await idempotency.run({ ...attempt, key: String(index) }, async () => index)
  expect(await idempotency.run({ ...attempt, key: '10499' }, async () => -1)).toBe(10_499)
  expect(await idempotency.run({ ...attempt, key: '0' }, async () => -1)).toBe(-1)
})
