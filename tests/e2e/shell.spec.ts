import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HistoryEntry } from '../../src/shared/history'
import { HookedAgent } from '../harness/hookedAgent'
import { until } from '../harness/waiting'
import type { Desktop } from './desktop'
import { expect, test } from './fixtures'
import { TandemPage } from './tandemPage'

// The desktop shell around the page: menu, dialogs, notifications, recovery and the way out.

interface Item {
  label?: string
  id?: string
  accelerator?: string
  submenu?: Item[]
}

test('the menu has every group of actions with their keys, and what is chosen there is done in the window', async ({
  world,
  page,
  startDesktop
}) => {
  const desktop = startDesktop()
  await desktop.show(page)
  const app = new TandemPage(page)
  await app.newTerminal()
  const menu = (await desktop.ask('menu')) as Item[]
  expect(menu.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['Terminal', 'Tabs', 'Panes', 'View', 'Agents'])
  )
  const items = menu.flatMap(({ submenu = [] }) => submenu)
  expect(items.find(({ id }) => id === 'newTerminal')?.accelerator).toMatch(/\+T$/)
  await desktop.ask('choose', { action: 'newTerminal' })
  await expect(app.tabs).toHaveCount(2)
  await desktop.ask('choose', { action: 'palette' })
  await expect(page.getByRole('dialog')).toBeVisible()
  writeFileSync(join(world.dataDir, 'config.json'), '{ "shortcuts": { "newTerminal": "Ctrl+Alt+N" } }')
  const keys = async () =>
    ((await desktop.ask('menu')) as Item[])
      .flatMap(({ submenu = [] }) => submenu)
      .find(({ id }) => id === 'newTerminal')?.accelerator
  await expect.poll(keys).toBe('Control+Alt+N')
})

test('a folder is chosen in the system’s dialog, or named by a second start; other words do nothing', async ({
  world,
  page,
  startDesktop
}) => {
  const folder = join(world.root, 'chosen')
  const named = join(world.root, 'named')
  for (const path of [folder, named]) mkdirSync(path)
  const desktop = startDesktop()
  await desktop.show(page)
  const app = new TandemPage(page)
  await app.newTerminal()
  await desktop.ask('answerDialogs', { answers: [[], [folder]] })
  await desktop.ask('choose', { action: 'openFolder' })
  await desktop.ask('choose', { action: 'openFolder' })
  await until(async () => (await projects(desktop)).includes(folder), { what: 'the chosen folder to be a project' })
  for (const word of ['tandem://run?command=id', 'javascript:alert(1)', '--inspect', 'relative', '/no/such/folder']) {
    await desktop.ask('secondStart', { words: ['electron', '/app', word] })
  }
  await desktop.ask('secondStart', { words: ['electron', '/app', named] })
  await until(async () => (await projects(desktop)).includes(named), { what: 'the named folder to be a project' })
  expect((await projects(desktop)).sort()).toEqual([folder, named, world.home].sort())
})

async function projects(desktop: Desktop): Promise<string[]> {
  const answer = (await desktop.ask('invoke', { call: 'listWorkspaces', args: [] })) as { value: { project: string }[] }
  return answer.value.map(({ project }) => project)
}

test('a password prompt is told of while the person looks elsewhere, counted on the icon, and a click leads there', async ({
  page,
  startDesktop
}) => {
  const desktop = startDesktop()
  await desktop.show(page)
  const app = new TandemPage(page)
  await app.newTerminal()
  await app.newTerminal()
  // Before it asks: who looks is not told.
  await desktop.ask('focus', { focused: false })
  await app.run('sleep 1; read -s -p secret: answer')
  await app.tab('Terminal 1').click()
  const notice = await until(() => desktop.shown('notification').at(-1), { what: 'a notification' })
  expect(notice).toMatchObject({ title: 'Terminal 2 needs you', silent: false })
  await until(() => desktop.shown('badge').at(-1)?.count === 1, { what: 'the count on the icon' })
  await desktop.ask('clickNotification')
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 2')
})

test('a page that crashed is loaded again a few times, and then the person is asked', async ({
  page,
  startDesktop
}) => {
  const desktop = startDesktop()
  await desktop.show(page)
  for (let times = 2; times <= 4; times += 1) {
    await desktop.ask('crashPage', { reason: 'crashed' })
    await until(() => desktop.shown('window').length === times, { what: 'the page to be loaded again' })
  }
  await desktop.ask('answerDialogs', { answers: [1] })
  await desktop.ask('crashPage', { reason: 'oom' })
  await until(() => desktop.shown('messageBox').length === 1, { what: 'the question' })
  expect(desktop.shown('window')).toHaveLength(4)
})

test('closing the last window says once that the terminals go on', async ({ world, page, startDesktop }) => {
  for (const times of [1, 0]) {
    const desktop = startDesktop()
    await desktop.window()
    await desktop.ask('invoke', { call: 'createTerminal', args: [{ project: world.home, session: 'default' }] })
    await desktop.ask('closeWindows').catch(() => undefined)
    expect(await desktop.exited()).toBe(0)
    expect(desktop.shown('messageBox').filter(({ message }) => message.includes('go on running'))).toHaveLength(times)
  }
  expect(page.isClosed()).toBe(false)
})

test('where programs end with the app the person may stay', async ({ world, startDesktop }) => {
  world.environment.TANDEM_BACKEND = 'pty'
  const desktop = startDesktop()
  await desktop.window()
  await desktop.ask('invoke', { call: 'createTerminal', args: [{ project: world.home, session: 'default' }] })
  await desktop.ask('answerDialogs', { answers: [1] })
  await desktop.ask('closeWindows')
  await until(() => desktop.shown('messageBox').length === 1, { what: 'the question' })
  expect(desktop.shown('messageBox')[0]?.message).toContain('Quitting ends one terminal')
  expect(await desktop.ask('windowCount')).toBe(1)
  await desktop.ask('closeWindows').catch(() => undefined)
  expect(await desktop.exited()).toBe(0)
})

test('the question of an agent in a terminal is told of while the person looks elsewhere, with its place, and counted', async ({
  world,
  page,
  startDesktop
}) => {
  const agent = new HookedAgent(world)
  const desktop = startDesktop()
  await desktop.show(page)
  const app = new TandemPage(page)
  await app.newTerminal()
  await app.run(agent.command)
  await app.sees('at your service')
  await desktop.ask('focus', { focused: false })
  agent.event('Notification', { message: 'May I run make?' })
  const notice = await until(() => desktop.shown('notification').at(-1), { what: 'a notification' })
  expect(notice).toMatchObject({ title: 'home / default · Terminal 1', body: 'May I run make?', silent: false })
  await until(() => desktop.shown('badge').at(-1)?.count === 1, { what: 'the count on the icon' })
  agent.quit()
  await until(() => desktop.shown('badge').at(-1)?.count === 0, { what: 'the count to go' })
})

test('a long command is told of when it is over, but not to who looks at the window, nor when it was stopped by hand', async ({
  world,
  page,
  startDesktop
}) => {
  world.environment.TANDEM_NOTIFY_AFTER = '1'
  const desktop = startDesktop()
  await desktop.show(page)
  const app = new TandemPage(page)
  await app.newTerminal()
  const commandsOver = async (count: number) => {
    const listed = (await desktop.ask('invoke', { call: 'listHistory', args: [] })) as {
      value: HistoryEntry[]
    }
    return listed.value.filter(({ deed }) => deed.kind === 'command' && !deed.running).length >= count
  }
  await app.run('sleep 1.2')
  await until(() => commandsOver(1), { what: 'the first command to be over' })
  await desktop.ask('focus', { focused: false })
  await app.run('sh -c "sleep 1.2; exit 130"')
  await until(() => commandsOver(2), { what: 'the second command to be over' })
  await app.run('sh -c "sleep 1.2; exit 4"')
  await until(() => desktop.shown('notification').length > 0, { what: 'a notification' })
  expect(desktop.shown('notification')).toMatchObject([{ title: 'Terminal 1: exit 4', silent: true }])
})

test('text fields have the system’s menu, everything else the page’s own', async ({ startDesktop }) => {
  const desktop = startDesktop()
  await desktop.window()
  const editFlags = { canUndo: true, canCut: false, canCopy: true, canPaste: true, canSelectAll: true }
  await desktop.ask('contextMenu', { isEditable: false, editFlags })
  await desktop.ask('contextMenu', { isEditable: true, editFlags })
  expect(desktop.shown('menu')).toHaveLength(1)
  const items = desktop.shown('menu')[0]?.template.filter(({ role }) => role !== undefined)
  expect(items?.map(({ role, enabled }) => [role, enabled])).toEqual([
    ['undo', true],
    ['cut', false],
    ['copy', true],
    ['paste', true],
    ['selectAll', true]
  ])
})

test('a page that hangs is loaded again when the person says so', async ({ page, startDesktop }) => {
  const desktop = startDesktop()
  await desktop.show(page)
  await desktop.ask('answerDialogs', { answers: [1] })
  await desktop.ask('hangPage')
  await until(() => desktop.shown('messageBox').length === 1, { what: 'the question' })
  await desktop.ask('hangPage')
  await until(() => desktop.shown('window').length === 2, { what: 'the page to be loaded again' })
  expect(desktop.shown('messageBox')).toHaveLength(2)
})
