import { createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { HostAddress } from './exchange'
import { HostLink } from './hostLink'
import { Relay } from './relay'

/** Running time that passes as fast as it is waited for. */
class SteppedTime {
  ms = 0

  async wait(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 1))
    this.ms += ms
  }
}

let server: Server | undefined

afterEach(() => server?.close())

async function silentHost(): Promise<HostAddress> {
  server = createServer((socket) => socket.on('error', () => undefined))
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, token: 'x' }
}

function relayTo(find: () => Promise<HostAddress | undefined>, time: SteppedTime): Relay {
  const start = async () => {
    throw new Error('none is started here')
  }
  return new Relay({ time, headers: {}, link: new HostLink({ time, headers: {}, find, start }) })
}

function ask(relay: Relay, isRepeatable: boolean) {
  const request = { id: 1, method: 'tools/call', params: { name: 'x' } }
  return relay.carry({ request, isRepeatable, signal: new AbortController().signal, note: () => undefined })
}

test.each([
  ['OUTCOME_UNKNOWN', false],
  ['HOST_UNAVAILABLE', true]
])('a call to a host that is silent ends in %s within 45 s', async (code, isRepeatable) => {
  const time = new SteppedTime()
  const host = await silentHost()
  await expect(
    ask(
      relayTo(async () => host, time),
      isRepeatable
    )
  ).rejects.toMatchObject({ code })
  expect(time.ms).toBeLessThan(45_000)
})

test('so does one to a host that takes its time to appear and then says nothing', async () => {
  const time = new SteppedTime()
  const host = await silentHost()
  const find = async () => {
    await time.wait(24_000)
    return host
  }
  await expect(ask(relayTo(find, time), false)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  expect(time.ms).toBeGreaterThan(40_000)
  expect(time.ms).toBeLessThan(45_000)
})
