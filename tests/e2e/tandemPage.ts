import { expect, type Locator, type Page } from '@playwright/test'
import { type ActionId, keysOf } from '../../src/shared/actions'
import type { WireError } from '../../src/shared/errors'
import type { Calls } from '../../src/shared/ipc'
import { type KeyPlace, showChord } from '../../src/shared/keys'
import type { Tandem } from '../harness/tandem'
import type { Running } from './carriers'

export const PROMPT = 'ready> '

/** The page as a person uses it: what they see and where they click. */
export class TandemPage {
  readonly page: Page
  readonly #host: Tandem | undefined
  readonly #running: Running | undefined

  /** Without a host there is no other client to play. */
  constructor(page: Page, tandem?: Tandem, running?: Running) {
    this.page = page
    this.#host = tandem
    this.#running = running
  }

  get #place(): KeyPlace {
    return { system: 'linux', shell: this.#running?.shell ?? 'browser' }
  }

  /** The keys of an action where this window is. */
  keys(action: ActionId): string {
    const [chord] = keysOf(action, this.#place)
    if (chord === undefined) throw new Error(`${action} has no keys`)
    return chord
  }

  /** The same as a person reads them. */
  keysShown(action: ActionId): string {
    return showChord(this.keys(action), this.#place.system)
  }

  async press(action: ActionId): Promise<void> {
    await this.page.keyboard.press(this.keys(action))
  }

  /** From here on this call of the window is answered with a failure. */
  async refuses(call: keyof Calls, error: WireError): Promise<void> {
    await this.#running?.refuse({ page: this.page, call, error })
    await this.page.reload()
  }

  /** From the next load on the lines of terminals are not opened; returns what lets them go. In a browser alone. */
  async holdLines(): Promise<() => void> {
    const held: (() => void)[] = []
    await this.page.routeWebSocket(/\/ws\?/, (line) => {
      const early: (string | Buffer)[] = []
      line.onMessage((message) => early.push(message))
      held.push(() => {
        const server = line.connectToServer()
        line.onMessage((message) => server.send(message))
        for (const message of early) server.send(message)
      })
    })
    return () => {
      for (const letGo of held) letGo()
    }
  }

  /** One more window of the same kind, on the same host. */
  anotherWindow(): Promise<Page> {
    if (!this.#running) throw new Error('this page was opened without a product to open another window of')
    return this.#running.another(this.page)
  }

  /** Addresses that left the window: in a browser new tabs, in the desktop app what the system was asked to open. */
  get opened(): string[] {
    return this.#running?.outside() ?? []
  }

  get #tandem(): Tandem {
    if (!this.#host) throw new Error('this page was opened without a host to ask')
    return this.#host
  }

  get tabs(): Locator {
    return this.page.getByRole('tab')
  }

  get selectedTab(): Locator {
    return this.page.getByRole('tab', { selected: true })
  }

  tab(name: string): Locator {
    return this.page.getByRole('tab', { name, exact: true })
  }

  tabNames(): Promise<(string | null)[]> {
    return this.tabs.evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('aria-label')))
  }

  get screen(): Locator {
    return this.page.locator('.terminalPane:not([hidden]) .xterm-rows')
  }

  /** The rows a person sees, right-trimmed. */
  async lines(): Promise<string[]> {
    const rows = await this.screen.locator('> div').allTextContents()
    return rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd())
  }

  /** Opens a terminal in the chosen workspace and waits for its prompt. */
  async newTerminal(): Promise<void> {
    const before = await this.tabs.count()
    await this.page.getByRole('button', { name: 'New terminal' }).last().click()
    await expect(this.tabs).toHaveCount(before + 1)
    await this.hasPrompt()
  }

  async hasPrompt(): Promise<void> {
    await expect.poll(() => this.lines(), { message: 'a prompt' }).toContain(PROMPT.trimEnd())
  }

  async sees(text: string | RegExp): Promise<void> {
    const match = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text)
    await expect.poll(async () => (await this.lines()).join('\n')).toEqual(match)
  }

  /** Of several panes the one that has the keyboard. */
  async activeSees(text: string | RegExp): Promise<void> {
    const match = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text)
    const rows = this.page.locator('.terminalPane.focused .xterm-rows > div')
    await expect
      .poll(async () => (await rows.allTextContents()).map((row) => row.replaceAll('\u00a0', ' ').trimEnd()).join('\n'))
      .toEqual(match)
  }

  /** Scrolls back page by page until the line is on the screen. */
  async findsAbove(line: string): Promise<void> {
    const linesOneUp = async () => {
      await this.page.keyboard.press('Shift+PageUp')
      return this.lines()
    }
    await expect.poll(linesOneUp, { intervals: [50] }).toContain(line)
  }

  async run(command: string): Promise<void> {
    await this.page.keyboard.type(command)
    await this.page.keyboard.press('Enter')
  }

  /** What another client of the same host does. */
  async createByHttp(name: string): Promise<string> {
    const { home } = this.#tandem.world
    const body = { project: home, session: 'default', name }
    const answer = await this.#tandem.api('POST', '/api/terminal/sessions', body)
    expect(answer.status).toBe(200)
    return String(answer.body.id)
  }

  async namesByHttp(session = 'default'): Promise<string[]> {
    const query = new URLSearchParams({ project: this.#tandem.world.home, session })
    const { body } = await this.#tandem.api('GET', `/api/terminal/sessions?${query}`)
    return (body.sessions as unknown as { name: string }[]).map(({ name }) => name)
  }
}
