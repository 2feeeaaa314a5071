import { expect, test } from 'vitest'
import { Serial } from './serial'

test('a task begins at once when nothing is before it, and otherwise after what is', async () => {
  const serial = new Serial()
  const seen: string[] = []
  let finish: () => void = () => undefined
  const first = serial.run(() => {
    seen.push('first begins')
    return new Promise<void>((resolve) => {
      finish = resolve
    })
  })
  expect(seen).toEqual(['first begins'])
  const later = ['second', 'third'].map((name) => serial.run(async () => seen.push(name)))
  await Promise.resolve()
  expect(seen).toEqual(['first begins'])
  finish()
  await Promise.all([first, ...later])
  expect(seen).toEqual(['first begins', 'second', 'third'])
})

test('a task that fails tells its caller alone, and the next one runs', async () => {
  const serial = new Serial()
  const failing = serial.run(() => Promise.reject(new Error('no')))
  const next = serial.run(async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  await expect(next).resolves.toBe('yes')
})
