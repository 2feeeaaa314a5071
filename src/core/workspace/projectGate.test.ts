import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ProjectGate, ProjectUnavailable } from './projectGate'
import { SerialQueue } from './serialQueue'

test('work that answers goes through, and so does its failure', async () => {
  const gate = new ProjectGate()
  expect(await gate.run('/p', async () => 1)).toBe(1)
  await expect(gate.run('/p', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})

test('a project that hangs is given no more work until it answers; others are not held up', async () => {
  const gate = new ProjectGate(20)
  let answer: () => void = () => undefined
  const hanging = gate.run('/dead', () => new Promise<void>((resolve) => (answer = resolve)))
  await expect(hanging).rejects.toBeInstanceOf(ProjectUnavailable)
  let started = 0
  await expect(gate.run('/dead', async () => ++started)).rejects.toMatchObject({ code: 'IO_ERROR' })
  expect(started).toBe(0)
  expect(await gate.run('/alive', async () => 'fine')).toBe('fine')
  answer()
  await expect.poll(() => gate.run('/dead', async () => 'back').catch(() => 'stuck'), { timeout: 10_000 }).toBe('back')
})

test('a project that hangs holds two pieces of work however often it is asked; what had to wait never begins', async () => {
  const gate = new ProjectGate(20)
  const answers: (() => void)[] = []
  const ask = () => gate.run('/dead', () => new Promise<void>((resolve) => answers.push(resolve)))
  const asked = await Promise.allSettled(Array.from({ length: 6 }, ask))
  expect(asked.map(({ status }) => status)).toEqual(Array(6).fill('rejected'))
  for (const answer of answers) answer()
  await expect.poll(() => gate.run('/dead', async () => 'back').catch(() => 'stuck')).toBe('back')
  expect(answers).toHaveLength(2)
})

test('work that has to wait for its turn is done in order', async () => {
  const gate = new ProjectGate()
  const done: number[] = []
  const work = (number: number) => gate.run('/p', async () => void done.push(number))
  await Promise.all([1, 2, 3, 4, 5, 6].map(work))
  expect(done).toEqual([1, 2, 3, 4, 5, 6])
})

test('a queue runs one at a time, in order, past a failure', async () => {
  const queue = new SerialQueue()
  const heard: string[] = []
  const step = (name: string, fails = false) =>
    queue.run(async () => {
      heard.push(`${name} begins`)
      await new Promise(setImmediate)
      heard.push(`${name} ends`)
      if (fails) throw new Error(name)
    })
  await Promise.allSettled([step('a'), step('b', true), step('c')])
  expect(heard).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(queue.isIdle).toBe(true)
})

test('a host that stood still takes nobody for dead: what is ready by then counts', async () => {
  const limitMs = 40
  const gate = new ProjectGate(limitMs)
  const answered = gate.run('/p', () => wait(limitMs / 2, 'late but there'))
  const end = performance.now() + 4 * limitMs
  while (performance.now() < end); // the event loop is held; both timers are due when it goes on
  expect(await answered).toBe('late but there')
})

test('work of many steps in a host that is late with each of them is waited for', async () => {
  const gate = new ProjectGate(40)
  const isHeld = { value: true }
  const hold = () => {
    // Every turn of the event loop takes longer than a disk that answers.
    const end = performance.now() + 60
    while (performance.now() < end);
    if (isHeld.value) setImmediate(hold)
  }
  setImmediate(hold)
  const steps = async () => {
    for (let step = 0; step < 3; step += 1) await stat('/')
    isHeld.value = false
    return 'all done'
  }
  expect(await gate.run('/p', steps)).toBe('all done')
})
