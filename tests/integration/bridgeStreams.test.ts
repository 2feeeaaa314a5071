import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RawBridge } from '../harness/agents/rawBridge'
import { ERAS } from '../harness/mcpClients'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { pause, until } from '../harness/waiting'

// What comes to an agent between its questions and answers, through tandem mcp, and what stops when it is cancelled.

let world: World
let tandem: Tandem
let bridge: RawBridge

beforeEach(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
})
afterEach(async () => {
  await bridge.close()
  await tandem.end('SIGKILL')
  await world.remove()
})

async function openTerminal(): Promise<string> {
  const { result } = await bridge.ask('tools/call', {
    name: 'terminal__create_session',
    arguments: { cwd: world.project, program: '/bin/bash' }
  })
  return String(Object(result?.structuredContent).id)
}
const type = (session_id: string, text: string) =>
  bridge.ask('tools/call', { name: 'terminal__send', arguments: { session_id, text, submit: true } })

describe.each(ERAS)('a client of %s', (era) => {
  const updates = () => bridge.told('notifications/resources/updated')

  /** Follows a resource in the way of its era; returns how to stop. */
  async function follow(uri: string): Promise<() => Promise<unknown>> {
    if (era === '2025') {
      expect((await bridge.ask('resources/subscribe', { uri })).result).toEqual({})
      return () => bridge.ask('resources/unsubscribe', { uri })
    }
    const id = bridge.send('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } })
    await until(() => bridge.told('notifications/subscriptions/acknowledged').length > 0, {
      what: 'the acknowledgement'
    })
    return async () => bridge.notify('notifications/cancelled', { requestId: id })
  }

  test('hears of a resource it follows, also from the host that comes after, until it has heard enough', async () => {
    bridge = await RawBridge.start(world, era)
    const id = await openTerminal()
    const uri = `terminal://${id}/screen`
    const stop = await follow(uri)
    await type(id, 'echo first')
    await until(() => updates().length > 0, { what: 'the first news' })
    expect(updates().every(({ params }) => params?.uri === uri)).toBe(true)
    await tandem.end('SIGKILL')
    const before = updates().length
    tandem = await Tandem.start(world)
    await until(() => updates().length > before, { what: 'news of the next host' })
    await pause(1500)
    const between = updates().length
    await type(id, 'echo second')
    await until(() => updates().length > between, { what: 'news from the next host' })
    await stop()
    await pause(1500)
    const last = updates().length
    await type(id, 'echo third')
    await pause(1500)
    expect(updates()).toHaveLength(last)
  })

  test('is not let follow what is not there', async () => {
    bridge = await RawBridge.start(world, era)
    const uri = 'terminal://nobody/screen'
    if (era === '2025') {
      const { error } = await bridge.ask('resources/subscribe', { uri })
      expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining(uri) })
      return
    }
    const there = `terminal://${await openTerminal()}/log`
    bridge.send('subscriptions/listen', { notifications: { resourceSubscriptions: [uri, there] } })
    const [word] = await until(() => nonEmpty(bridge.told('notifications/subscriptions/acknowledged')), {
      what: 'the acknowledgement'
    })
    expect(word?.params?.notifications).toEqual({ resourceSubscriptions: [there] })
  })

  test('is told that a wait goes on when it asked for that, and not when it did not', async () => {
    bridge = await RawBridge.start(world, era)
    const id = await openTerminal()
    const wait = { name: 'terminal__read', arguments: { session_id: id, wait_for: 'never', timeout_ms: 1500 } }
    await bridge.ask('tools/call', wait)
    expect(bridge.told('notifications/progress')).toEqual([])
    await bridge.answer(bridge.send('tools/call', wait, { progressToken: 'mine' }))
    expect(bridge.told('notifications/progress')[0]?.params).toMatchObject({
      progressToken: 'mine',
      progress: expect.any(Number)
    })
  })

  test('cancels a wait: it is not answered, the command goes on, and the next call works', async () => {
    bridge = await RawBridge.start(world, era)
    const id = await openTerminal()
    const command = 'sleep 3; touch finished'
    const asked = { name: 'execute_shell', arguments: { terminal_id: id, command, timeout: 40 } }
    const cancelled = bridge.send('tools/call', asked)
    await pause(1000)
    bridge.notify('notifications/cancelled', { requestId: cancelled })
    const { result } = await bridge.ask('tools/call', { name: 'list_terminals', arguments: {} })
    expect(result?.structuredContent).toMatchObject({ terminals: [{ running: true }] })
    await until(() => existsSync(join(world.project, 'finished')), { what: 'the end of the command' })
    expect(bridge.messages.some((message) => message.id === cancelled)).toBe(false)
  })
})

function nonEmpty<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined
}
