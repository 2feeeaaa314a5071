import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { desktopCalls } from '../../src/shared/desktop'
import { calls } from '../../src/shared/ipc'
import type { Desktop } from './desktop'
import { expect, test } from './fixtures'
import { HOSTILE_WORDS, SCHEMES } from './hostileWords'
import { TandemPage } from './tandemPage'

// What the shell refuses: addresses, navigation, permissions, frames that are not its page, words it was started with.

const PERMISSIONS =
  'ar automatic-fullscreen background-fetch background-sync clipboard-read deprecated-sync-clipboard-read display-capture fileSystem fullscreen geolocation hid idle-detection keyboardLock local-fonts local-network-access media mediaKeySystem midi midiSysex nfc notifications openExternal payment-handler periodic-background-sync persistent-storage pointerLock screen-wake-lock sensors serial speaker-selection storage-access system-wake-lock top-level-storage-access usb vr web-app-installation window-management unknown'.split(
    ' '
  )

test('the window is locked down: only its own page, nothing opened, nothing granted', async ({ startDesktop }) => {
  const desktop = startDesktop()
  const { url, webPreferences } = await desktop.window()
  expect(new URL(url).hostname).toBe('127.0.0.1')
  expect(webPreferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false })
  expect(webPreferences).toMatchObject({ webviewTag: false })
  for (const address of ['https://example.org/', 'file:///etc/passwd', 'data:text/html,x', 'about:blank', `${url}x`]) {
    expect(await desktop.ask('navigate', { url: address })).toBe(true)
  }
  expect(await desktop.ask('attachWebview')).toBe(true)
  for (const name of PERMISSIONS) {
    expect(await desktop.ask('permission', { name }), name).toEqual({ requested: false, checked: false })
  }
  const copying = await desktop.ask('permission', { name: 'clipboard-sanitized-write' })
  expect(copying).toEqual({ requested: true, checked: true })
})

test('of forty schemes none leaves the app; http and https do, and never in a window of it', async ({
  startDesktop
}) => {
  const desktop = startDesktop()
  await desktop.window()
  const good = ['https://example.org/page', 'http://example.org/']
  const twisted = [' javascript:1', 'http:', 'https://', 'http://[', '//example.org', '', 'x'.repeat(9999)]
  const bad = [...SCHEMES.flatMap((scheme) => [`${scheme}:x`, `${scheme}://here/x`]), ...twisted]
  for (const address of [...bad, ...good]) {
    expect(await desktop.ask('openWindow', { url: address })).toEqual({ action: 'deny' })
  }
  expect(desktop.opened).toEqual(good)
  expect(await desktop.ask('windowCount')).toBe(1)
})

test('every call from a frame that is not the window’s own page is refused', async ({ page, startDesktop }) => {
  const desktop = startDesktop()
  await desktop.show(page)
  const channels = (await desktop.ask('channels')) as string[]
  expect(channels.sort()).toEqual([...Object.keys(calls), ...Object.keys(desktopCalls)].sort())
  const invokeAll = `Promise.all(${JSON.stringify(channels)}.map((channel) => window.standInInvoke(channel, [])))`
  const refusal = { ok: false, error: { code: 'FORBIDDEN_ORIGIN' } }
  const refused = channels.map(() => refusal)

  await page.evaluate(`for (const source of ['', '<p>framed</p>']) {
    const frame = document.createElement('iframe')
    if (source) frame.srcdoc = source
    document.body.append(frame)
  }`)
  await expect.poll(() => page.frames().length).toBe(3)
  for (const frame of page.frames().filter((one) => one !== page.mainFrame())) {
    expect(await frame.evaluate(invokeAll), frame.url()).toMatchObject(refused)
  }
  await page.route('http://foreign.example/**', (route) => route.fulfill({ body: 'foreign', contentType: 'text/html' }))
  for (const address of ['about:blank', 'data:text/html,x', 'http://foreign.example/']) {
    await page.goto(address)
    expect(await page.evaluate(invokeAll), address).toMatchObject(refused)
  }
  expect(desktop.opened).toEqual([])
  expect(await desktop.ask('windowCount')).toBe(1)
})

async function terminalCount(desktop: Desktop): Promise<number> {
  const answer = (await desktop.ask('invoke', { call: 'listWorkspaces', args: [] })) as {
    value: { total: number }[]
  }
  return answer.value.length
}

test('more than a hundred hostile words of a start make no terminal, open nothing and run nothing', async ({
  world,
  page,
  startDesktop
}) => {
  expect(HOSTILE_WORDS.length).toBeGreaterThan(100)
  const atStart = HOSTILE_WORDS.filter((word) => !word.includes('\0') && word.length < 1000)
  const desktop = startDesktop({ words: atStart })
  await desktop.show(page)
  await new TandemPage(page).newTerminal()
  const before = await terminalCount(desktop)
  for (const word of HOSTILE_WORDS) await desktop.ask('secondStart', { words: ['electron', '/app', word] })
  for (const word of HOSTILE_WORDS) expect(await desktop.ask('openFile', { path: word })).toBe(true)
  await desktop.ask('secondStart', { words: ['electron', '/app', ...HOSTILE_WORDS] })
  expect(await terminalCount(desktop)).toBe(before)
  expect(world.tmux('list-sessions', '-F', '#{session_name}').trim().split('\n').filter(isTerminal)).toHaveLength(1)
  expect(desktop.opened).toEqual([])
  expect(await desktop.ask('windowCount')).toBe(1)
  for (const folder of [world.root, world.home, process.cwd()]) expect(existsSync(join(folder, 'CANARY'))).toBe(false)
})

const isTerminal = (name: string) => name.startsWith('mc-')

test('settings go through the shell’s own store into the one file, which nobody else may read', async ({
  world,
  startDesktop
}) => {
  const desktop = startDesktop()
  await desktop.window()
  const changed = await desktop.ask('invoke', { call: 'changeSetting', args: ['theme', 'dark'] })
  expect(changed).toMatchObject({ ok: true, value: { values: { theme: 'dark' } } })
  const file = join(world.dataDir, 'config.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theme: 'dark' })
  expect(statSync(file).mode & 0o077).toBe(0)
  const refused = await desktop.ask('invoke', { call: 'changeSetting', args: ['theme', 'pink'] })
  expect(refused).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENTS' } })
})
