import { expect, test } from 'vitest'
import { Emulation } from './emulation'

const turn = () => new Promise(setImmediate)

function worker(steps: number, log: string[], name: string) {
  let left = steps
  return {
    step: () => {
      log.push(name)
      return --left > 0
    }
  }
}

test('terminals with work take turns', async () => {
  const emulation = new Emulation()
  const log: string[] = []
  emulation.enqueue(worker(3, log, 'a'))
  emulation.enqueue(worker(2, log, 'b'))
  expect(log).toEqual([])
  await turn()
  expect(log.join('')).toBe('ababa')
})

test('a terminal that floods leaves the event loop between turns', async () => {
  const emulation = new Emulation()
  let steps = 0
  const busy = {
    step: () => {
      const until = performance.now() + 2
      while (performance.now() < until);
      return ++steps < 20
    }
  }
  emulation.enqueue(busy)
  await turn()
  expect(steps).toBeLessThan(20)
  while (steps < 20) await turn()
})

test('an idle terminal is served at once, until the budget of this turn is spent', async () => {
  const emulation = new Emulation()
  let steps = 0
  const slow = {
    step: () => {
      const until = performance.now() + 4
      while (performance.now() < until);
      steps++
      return false
    }
  }
  for (let time = 0; time < 10; time++) emulation.atOnce({ step: slow.step })
  expect(steps).toBeGreaterThan(0)
  expect(steps).toBeLessThan(10)
  while (steps < 10) await turn()
})

test('a terminal that was removed gets no more turns', async () => {
  const emulation = new Emulation()
  const log: string[] = []
  const gone = worker(2, log, 'gone')
  emulation.enqueue(gone)
  emulation.remove(gone)
  await turn()
  expect(log).toEqual([])
})
