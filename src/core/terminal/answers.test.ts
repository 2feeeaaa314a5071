import { expect, test } from 'vitest'
import { Answers } from './answers'

test('replies that a program does not read are dropped past a limit, and given again when it has read', async () => {
  const given: number[] = []
  const reads: (() => void)[] = []
  const answers = new Answers((bytes) => {
    given.push(bytes.length)
    return new Promise((resolve) => reads.push(resolve))
  })
  const all = Array.from({ length: 100 }, () => answers.give('x'.repeat(1000)))
  expect(given).toHaveLength(65)
  for (const read of reads.splice(0)) read()
  await Promise.all(all)
  const next = answers.give('again')
  expect(given).toHaveLength(66)
  for (const read of reads) read()
  await next
})

test('a reply that cannot be given makes room for the next', async () => {
  const answers = new Answers(() => Promise.reject(new Error('gone')))
  for (let round = 0; round < 3; round++) await expect(answers.give('x'.repeat(60_000))).rejects.toThrow('gone')
})
