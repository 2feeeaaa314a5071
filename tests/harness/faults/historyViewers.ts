import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Tab } from '../tab'
import { pause, until } from '../waiting'
import type { History } from './history'
import { StreamClient } from './streamClient'
import { TcpProxy } from './tcpProxy'

// Viewers that misbehave in a history, or are treated badly.

const FLOOD = "head -c 3000000 /dev/zero | tr '\\0' x | fold -w 70"
// The end of what was typed before may stand in front of it.
const MAX_BEFORE = 100

/** What was on its way is asked for again from the last byte that is certain; all that is typed meanwhile comes once. */
export async function cut({ host, typist, random, injection }: History, cuts: number): Promise<void> {
  const proxy = await TcpProxy.start(host.tandem.ready.url)
  const client = new StreamClient(host.tandem, typist.tmuxSession, proxy)
  try {
    await findPlace(client)
    const typed: string[] = []
    for (let number = 0; number < cuts; number += 1) {
      const typing = typist.type(5, 5)
      await pause(random.below(40))
      proxy.cut()
      await until(() => client.isClosed, { what: 'the cut to be noticed' })
      client.take()
      await client.connect()
      typed.push(...(await typing))
    }
    const echoed = typed.map((number) => `${number}\r\n`).join('')
    const last = `${typed.at(-1)}\r\n`
    const isThere = () => Buffer.concat([...client.received, client.output]).includes(last)
    await until(isThere, { what: 'the last of what was typed' })
    client.take()
    const stream = Buffer.concat(client.received).toString('latin1')
    const at = stream.indexOf(echoed)
    const isOnce = at !== -1 && at <= MAX_BEFORE && at + echoed.length === stream.length
    if (client.gaps > 0) injection.loss(`${client.gaps} times a viewer did not go on where it was cut`)
    else if (!isOnce) injection.loss(`a viewer saw ${JSON.stringify(stream)} of ${JSON.stringify(echoed)}`)
  } finally {
    await proxy.close()
  }
}

/** One that never heard where it is in the stream could not go on there. */
async function findPlace(client: StreamClient): Promise<void> {
  await client.connect()
  for (; client.offset === undefined; await client.connect()) {
    await pause(20)
    client.take()
  }
}

export async function stormSizes({ host, typist, random }: History, count: number): Promise<void> {
  const tabs = [await Tab.open(host.tandem, typist.tmuxSession), await Tab.open(host.tandem, typist.tmuxSession)]
  for (let number = 0; number < count; number += 1)
    random.pick(tabs).resize(random.pick([0, -1, 65535, random.between(20, 300)]), random.between(1, 120))
  const size = () =>
    host.world.tmux('display-message', '-p', '-t', `=${typist.tmuxSession}:`, '#{pane_width}x#{pane_height}').trim()
  // Two connections have no order among each other.
  const isLast = () => {
    tabs[1]?.resize(91, 33)
    return size() === '91x33'
  }
  await until(isLast, { what: 'the last size' })
  for (const tab of tabs) tab.close()
}

/** The program is not held up by a viewer that takes nothing, and whoever comes then sees the end. */
export async function flood({ host }: History): Promise<void> {
  const door = host.door('flood')
  const { id, tmuxSession } = await door.create()
  const slow = await Tab.open(host.tandem, tmuxSession)
  slow.stopReading()
  const file = join(host.world.root, `flooded-${id}`)
  slow.type(`${FLOOD}; echo flooded-$((1+1)); touch ${file}\r`)
  await until(() => existsSync(file), { what: 'the end of the flood' })
  const reader = await Tab.open(host.tandem, tmuxSession)
  await reader.sees('flooded-2')
  for (const tab of [slow, reader]) tab.close()
  await door.kill(id)
}
