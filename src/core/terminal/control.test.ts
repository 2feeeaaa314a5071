import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Control } from './control'

const ADA = { kind: 'person', name: 'Ada' } as const
const BOB = { kind: 'person', name: 'Bob' } as const
const CLAUDE = { kind: 'agent', name: 'claude', key: 'one' } as const
const OTHER = { kind: 'agent', name: 'claude', key: 'two' } as const
const REFUSED = { code: 'HUMAN_HAS_CONTROL' }

let control: Control
let isAtPrompt: boolean
let giveBackAfterMs: number

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00.000Z') })
  isAtPrompt = true
  giveBackAfterMs = 30_000
  control = new Control({
    isAtPrompt: async () => isAtPrompt,
    look: async () => undefined,
    giveBackAfterMs: () => giveBackAfterMs
  })
})
afterEach(() => {
  control.close()
  vi.useRealTimers()
})

const write = (agent: typeof CLAUDE | typeof OTHER) => control.write(agent, async () => undefined)

test('nobody has the keyboard until somebody types', () => {
  expect(control.state).toEqual({ holder: null, since: null, isTaken: false, needsPerson: false })
})

test("a person's key keeps agents out until 4 seconds after the last one, and says who and since when", async () => {
  control.typed(ADA)
  await vi.advanceTimersByTimeAsync(3_000)
  control.typed(ADA)
  await vi.advanceTimersByTimeAsync(3_999)
  await expect(write(CLAUDE)).rejects.toMatchObject({
    ...REFUSED,
    message: '"Ada" has the keyboard of this terminal since 2026-01-01T00:00:00.000Z',
    hint: expect.stringContaining('4 seconds')
  })
  await vi.advanceTimersByTimeAsync(1)
  await write(CLAUDE)
  expect(control.state).toMatchObject({ holder: CLAUDE, isTaken: false })
})

test('a keyboard that was taken is kept until it is given back', async () => {
  isAtPrompt = false
  control.take(ADA)
  await vi.advanceTimersByTimeAsync(600_000)
  await expect(write(CLAUDE)).rejects.toMatchObject({ ...REFUSED, hint: expect.stringContaining('give') })
  expect(control.state).toMatchObject({ holder: ADA, since: '2026-01-01T00:00:00.000Z', isTaken: true })
  control.giveBack()
  await write(CLAUDE)
})

test('a keyboard that was taken goes back after 30 seconds without a key at a prompt', async () => {
  control.take(ADA)
  await vi.advanceTimersByTimeAsync(20_000)
  control.typed(ADA)
  await vi.advanceTimersByTimeAsync(29_000)
  expect(control.state.isTaken).toBe(true)
  await vi.advanceTimersByTimeAsync(1_001)
  expect(control.state).toMatchObject({ holder: null, isTaken: false })
})

test('how long it may rest is set, also while it is taken: 0 keeps it, 5 gives it back after 5 seconds', async () => {
  giveBackAfterMs = 0
  control.take(ADA)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(control.state.isTaken).toBe(true)
  giveBackAfterMs = 5_000
  await vi.advanceTimersByTimeAsync(5_000)
  expect(control.state.isTaken).toBe(false)
})

test('the half minute begins with the prompt, not while a command runs', async () => {
  isAtPrompt = false
  control.take(ADA)
  await vi.advanceTimersByTimeAsync(50_000)
  isAtPrompt = true
  control.active()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(control.state.isTaken).toBe(true)
  await vi.advanceTimersByTimeAsync(2_001)
  expect(control.state.isTaken).toBe(false)
})

test('the one who took the keyboard has it, whoever else types', () => {
  control.take(ADA)
  control.typed(BOB)
  expect(control.state.holder).toEqual(ADA)
})

test('what one agent writes as one piece is never mixed with what another writes', async () => {
  const written: string[] = []
  const piece = (agent: typeof CLAUDE | typeof OTHER, word: string) =>
    control.hold(agent, async () => {
      for (let part = 0; part < 5; part++) {
        await control.write(agent, async () => void written.push(`${word}${part}`))
        await vi.advanceTimersByTimeAsync(10)
      }
    })
  const loose = () => control.write(OTHER, async () => void written.push('loose'))
  await Promise.all([piece(CLAUDE, 'a'), loose(), piece(OTHER, 'b'), piece(CLAUDE, 'c')])
  expect(written.join(' ')).toBe('a0 a1 a2 a3 a4 loose b0 b1 b2 b3 b4 c0 c1 c2 c3 c4')
})

test("a person's key ends an agent's hold: what was still to be written is refused, even much later", async () => {
  const held = control.hold(CLAUDE, async () => {
    await write(CLAUDE)
    control.typed(ADA)
    await expect(write(CLAUDE)).rejects.toMatchObject(REFUSED)
    await vi.advanceTimersByTimeAsync(10_000)
    await write(CLAUDE)
  })
  await expect(held).rejects.toMatchObject(REFUSED)
  await write(CLAUDE)
})

test('one that fails does not keep those behind it out', async () => {
  const failing = control.hold(CLAUDE, () => Promise.reject(new Error('no')))
  const next = write(OTHER)
  await expect(failing).rejects.toThrow('no')
  await next
})

test('while something is typed without being shown, agents are told that it waits for the person', async () => {
  control.setNeedsPerson(true)
  await expect(write(CLAUDE)).rejects.toMatchObject({ ...REFUSED, message: expect.stringContaining('password') })
  control.setNeedsPerson(false)
  await write(CLAUDE)
})

test('a prompt that hides what is typed is noticed by the look before the write', async () => {
  const looking = new Control({
    isAtPrompt: async () => false,
    look: async () => looking.setNeedsPerson(true),
    giveBackAfterMs: () => 0
  })
  await expect(looking.write(CLAUDE, async () => undefined)).rejects.toMatchObject(REFUSED)
  looking.close()
})

test('a change of hands is announced once, not with every key', async () => {
  const heard: (string | undefined)[] = []
  control.onChange(() => heard.push(control.state.holder?.name))
  for (let key = 0; key < 10; key++) control.typed(ADA)
  control.typed(BOB)
  await vi.advanceTimersByTimeAsync(5_000)
  await write(CLAUDE)
  await write(CLAUDE)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(heard).toEqual(['Ada', 'Bob', undefined, 'claude', undefined])
})
