import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { truthAtRest, truthOf } from '../harness/threats/truth'
import { WorkspaceClient } from '../harness/workspace'

// A page of another server on the same machine, in a browser that is signed in here.

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))

let world: World
let tandem: Tandem
let browser: Browser
let foreign: Server
const work = new WorkspaceClient(() => tandem)

beforeAll(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
  foreign = createServer((_, response) => response.end('<!doctype html><title>foreign</title>'))
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
  browser = await chromium.launch({
    ...(CHROMIUM ? { executablePath: CHROMIUM } : { channel: 'chrome' }),
    args: ['--no-sandbox']
  })
})
afterAll(async () => {
  await browser.close()
  foreign.close()
  await tandem.end('SIGTERM')
  await world.remove()
})

const SCRIPT = readFileSync(new URL('../harness/threats/pageAttack.mjs', import.meta.url), 'utf8')

interface Target {
  http: string
  socket: string
  project: string
}

/** What a page gets, by what it tried. */
async function attack(page: Page, target: Target): Promise<string[]> {
  const source = SCRIPT.slice(SCRIPT.indexOf('async function'))
  const got: Record<string, boolean> = await page.evaluate(`(${source.trimEnd()})(${JSON.stringify(target)})`)
  return Object.keys(got).filter((attempt) => got[attempt])
}

test('a page from any other port, under either name, gets nothing and changes nothing', async () => {
  const { id, tmuxSession } = await work.create('mine')
  const { port } = foreign.address() as AddressInfo
  for (const name of ['127.0.0.1', 'localhost']) {
    const context = await browser.newContext()
    const own = await context.newPage()
    const { body } = await tandem.api('POST', '/api/open-code', {})
    const ownPort = new URL(tandem.ready.url).port
    await own.goto(String(body.openUrl).replace('127.0.0.1', name))
    await own.getByRole('tab', { name: 'mine' }).or(own.getByText('mine')).first().waitFor()
    // Our own page keeps what it shows with the host: it leaves, and the host comes to rest, before anything is compared.
    await own.goto('about:blank')
    const before = await truthAtRest(tandem)
    const page = await context.newPage()
    await page.goto(`http://${name}:${port}/`)
    const http = `http://${name}:${ownPort}`
    const socket = `${http.replace('http', 'ws')}/ws?arg=${tmuxSession}`
    const target = { http, socket, project: world.project }
    expect(await attack(page, target)).toEqual([])
    expect(await truthOf(tandem)).toBe(before)
    // The same attempts succeed in our own page, so the ones above were real.
    await own.goto(http)
    expect(await attack(own, target)).toEqual(expect.arrayContaining(['terminalSocket', 'uiSocket', 'read', 'create']))
    await context.close()
  }
  expect((await work.find(id))?.state).toBe('running')
})
