import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { count, LIMIT_MS } from '../harness/counts'
import type { RawAnswer } from '../harness/rawHttp'
import { rawRequest } from '../harness/rawHttp'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import * as doors from '../harness/threats/doors'
import { type Candidate, hostsFor, originsFor } from '../harness/threats/headers'
import { truthAtRest, truthOf } from '../harness/threats/truth'
import { WorkspaceClient } from '../harness/workspace'

// A web page in the user's browser against the running product: other names, other origins, other sites.

let world: World
let tandem: Tandem
let port: number
let cookie: doors.Headers
let all: doors.Door[]
let terminal: { id: string; tmuxSession: string }
const work = new WorkspaceClient(() => tandem)

beforeAll(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
  port = doors.portOf(tandem)
  cookie = await doors.letInBrowser(tandem, tandem.ready.openUrl)
  all = await doors.doorsOf(tandem)
  terminal = await work.create('watched')
})
afterAll(async () => {
  await tandem.end('SIGTERM')
  await world.remove()
})

const header = (name: string, { value }: Candidate): doors.Headers => (value === undefined ? [] : [[name, value]])
const codeIn = ({ body }: RawAnswer) => (JSON.parse(body) as { error?: { code?: string } }).error?.code
const rights = () => [doors.bearer(tandem.ready.token), cookie, []]

describe('rebound names and foreign origins', () => {
  /** Each door with each Host and each Origin at least once, or with every pair of them. */
  function pairs(doorNumber: number): [Candidate, Candidate][] {
    const [hosts, origins] = [hostsFor(port), originsFor(port)]
    const every = hosts.flatMap((host) => origins.map((origin): [Candidate, Candidate] => [host, origin]))
    // The stride shares no factor with 800, so that every host and origin turns up in a sample.
    return Array.from({ length: count({ small: 44, full: every.length }) }, (_, index) => {
      const pair = every[(index * 21 + doorNumber * 7) % every.length]
      if (!pair) throw new Error('there are no pairs')
      return pair
    })
  }

  /** Each door in one form after the other, or every time in all of them. */
  function formsFor(turn: number): typeof doors.FORMS {
    const first = turn % doors.FORMS.length
    const many = count({ small: 1, full: doors.FORMS.length })
    return [...doors.FORMS, ...doors.FORMS].slice(first, first + many)
  }

  async function wrongAnswers(door: doors.Door, number: number): Promise<string[]> {
    const wrong: string[] = []
    for (const [index, [host, origin]] of pairs(number).entries()) {
      const mayEnter = host.isOurs && origin.isOurs
      // What a token asks to be deleted is in the trail, even in vain: a change, and one that must be.
      const isTrailed = mayEnter && door.method === 'DELETE'
      const right = isTrailed ? [] : (rights()[(index + number) % 3] ?? [])
      const headers = [...header('Host', host), ...header('Origin', origin), ...right]
      for (const form of formsFor(index + number)) {
        const answer = await doors.knock(port, ...form(door, headers))
        const isRefused = answer.status === 403 && codeIn(answer) === 'FORBIDDEN_ORIGIN'
        // A cookie without an Origin is refused with the same code, and may be.
        const isRight = mayEnter ? !isRefused || (right === cookie && origin.value === undefined) : isRefused
        if (!isRight) wrong.push(`${door.method} ${door.path} ${host.value} ${origin.value}: ${answer.status}`)
      }
    }
    return wrong
  }

  test(
    'every door, asked, upgraded or followed, is open to no name and no origin but its own',
    async () => {
      expect([hostsFor(port).length, originsFor(port).length]).toEqual([40, 20])
      const before = await truthAtRest(tandem)
      const wrong: string[] = []
      for (const [number, door] of all.entries()) wrong.push(...(await wrongAnswers(door, number)))
      expect(wrong).toEqual([])
      expect(await truthOf(tandem)).toBe(before)
    },
    LIMIT_MS
  )

  test('a WebSocket opens for our own origin, or for a token that no page has', async () => {
    const watch = `/ws?arg=${terminal.tmuxSession}`
    for (const origin of originsFor(port)) {
      const isOwnPage = origin.isOurs && origin.value !== undefined
      const sent = [...doors.ownHost(tandem), ...header('Origin', origin)]
      const status = async (path: string, right: doors.Headers) => {
        const door = { method: 'GET', path, isUpgrade: true, isMutating: false }
        return (await doors.knock(port, door, [...sent, ...right])).status
      }
      const what = `Origin ${origin.value}`
      expect([await status(watch, cookie), await status('/ui', cookie)], what).toEqual(
        isOwnPage ? [101, 101] : [403, 403]
      )
      expect(await status(watch, doors.bearer(tandem.ready.token)), what).toBe(origin.isOurs ? 101 : 403)
      expect(await status(`${watch}&token=${tandem.ready.token}`, []), what).toBe(origin.isOurs ? 101 : 403)
      expect(await status(watch, []), what).toBe(origin.isOurs ? 401 : 403)
    }
  })
})

describe('requests that a browser sends without asking first', () => {
  const TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined]

  test('no changing door takes a form, a text or an untyped body, and none a request of another site', async () => {
    const before = await truthAtRest(tandem)
    const body = JSON.stringify({ project: world.project, session: 'forged', name: 'forged', orderedIds: [] })
    for (const door of all.filter(({ isMutating }) => isMutating)) {
      for (const type of TYPES) {
        const typed: doors.Headers = type === undefined ? [] : [['Content-Type', type]]
        const sent: doors.Headers = [...doors.ownHost(tandem), ['Content-Length', String(body.length)], ...typed]
        const ask = async (headers: doors.Headers) =>
          (await rawRequest(port, { method: door.method, path: door.path, headers: [...sent, ...headers], body }))
            .status
        const what = `${door.method} ${door.path} as ${type}`
        expect(await ask([...doors.bearer(tandem.ready.token)]), what).toBe(415)
        expect([401, 415], what).toContain(await ask([...cookie, ...doors.ownOrigin(tandem)]))
        expect([401, 403], what).toContain(await ask(cookie))
        expect(await ask([...cookie, ['Sec-Fetch-Site', 'cross-site']]), what).toBe(403)
        expect(await ask([...cookie, ['Origin', `http://localhost:${port + 1}`]]), what).toBe(403)
      }
    }
    expect(await truthOf(tandem)).toBe(before)
  })

  test('no GET changes anything, whoever asks and whatever is in its query', async () => {
    const before = await truthAtRest(tandem)
    const query = `project=${encodeURIComponent(world.project)}&session=work&id=${terminal.id}&name=forged`
    const gets = all.filter(({ method, isUpgrade }) => method === 'GET' && !isUpgrade).map(({ path }) => path)
    const others = all.filter(({ isMutating }) => isMutating).map(({ path }) => path)
    for (const path of [...gets, ...others, '/?code=x', `/api/terminal/sessions/${terminal.id}`]) {
      for (const suffix of ['', `?${query}`, `?${query}&_method=DELETE`]) {
        for (const right of rights()) {
          const headers: doors.Headers = [...doors.ownHost(tandem), ...right, ['X-HTTP-Method-Override', 'DELETE']]
          const answer = await rawRequest(port, { path: path + suffix, headers })
          expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
        }
      }
    }
    expect(await truthOf(tandem)).toBe(before)
    expect((await work.list()).map(({ name }) => name)).toEqual(['watched'])
  })
})
