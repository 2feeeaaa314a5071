import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { World } from '../harness/tandem'
import { until } from '../harness/waiting'
import { preloadScript } from './desktopPreload'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

interface WindowMessage {
  window: number
  url: string
  webPreferences: Record<string, unknown>
  options: Record<string, unknown>
}

type Message =
  | ({ type: 'window' } & WindowMessage)
  | { type: 'closed'; window: number }
  | { type: 'event'; window: number; channel: string; args: unknown[] }
  | { type: 'opened'; url: string }
  | { type: 'errorBox'; title: string; text: string }
  | { type: 'messageBox'; message: string; detail?: string; buttons?: string[] }
  | { type: 'notification'; title: string; body: string; silent: boolean }
  | { type: 'badge'; count: number }
  | { type: 'menu'; template: { role?: string; enabled?: boolean }[] }
  | { type: 'answer'; id: number; value?: unknown; failure?: string }

export interface DesktopOptions {
  /** Another build of the product: its command line, as `otherVersion` answers. */
  entry?: string
  /** What the app is started with. */
  words?: string[]
}

/** The built desktop shell under Node, with a stand-in for Electron and Chromium pages as its windows. */
export class Desktop {
  readonly child: ChildProcess
  readonly #messages: Message[] = []
  readonly #pages = new Map<number, Page>()
  #first: Page | undefined
  #following = Promise.resolve()
  #asked = 0
  #isOver = false

  constructor(world: World, { entry = path('../../out/main/tandem.js'), words = [] }: DesktopOptions = {}) {
    const shell = entry.replace(/tandem\.js$/, 'index.js')
    const args = ['--import', path('./electronHooks.mjs'), shell, ...words]
    const env = { TANDEM_PORT: portOfItsOwn(), ...world.environment, TANDEM_DATA_DIR: world.dataDir }
    // Values cross as they do between Electron's processes: also the undefined ones.
    const channel = { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced' } satisfies SpawnOptions
    this.child = spawn(process.execPath, args, { env, ...channel })
    this.child.on('message', (message: Message) => {
      this.#messages.push(message)
      if (message.type === 'event') this.#deliver(message)
      const { window } = message as { window?: number }
      if (this.#first && window !== undefined && message.type !== 'event') {
        // One after the other, as they were said.
        this.#following = this.#following.then(() => this.#follow(message)).catch(onlyWhenClosed)
      }
    })
  }

  async window(): Promise<WindowMessage> {
    return until(() => this.shown('window')[0], { what: 'a window' })
  }

  /** Everything of one kind that the shell has shown so far, the oldest first. */
  shown<T extends Message['type']>(type: T): Extract<Message, { type: T }>[] {
    return this.#messages.filter((message): message is Extract<Message, { type: T }> => message.type === type)
  }

  get opened(): string[] {
    return this.shown('opened').map(({ url }) => url)
  }

  async ask(ask: string, question: Record<string, unknown> = {}): Promise<unknown> {
    const id = ++this.#asked
    // One that is just ending has closed its end: the wait below says so.
    this.child.send({ id, ask, ...question }, () => undefined)
    const mine = () => this.shown('answer').find((answer) => answer.id === id)
    await until(() => mine() ?? this.#hasEnded, { what: `an answer to ${ask}` })
    const answer = mine()
    if (!answer) throw new Error(`the shell ended before it answered ${ask}`)
    if (answer.failure !== undefined) throw new Error(answer.failure)
    return answer.value
  }

  /** From here on the pages follow the windows: the first is shown in this page, later ones in pages beside it. */
  async show(page: Page): Promise<void> {
    const { window } = await this.window()
    const latest = this.shown('window').findLast((message) => message.window === window)
    this.#first = page
    if (latest) await this.#follow(latest)
  }

  /** The page of a later window, the newest unless told which. */
  async pageOf(window = Math.max(...this.shown('window').map((message) => message.window))): Promise<Page> {
    return until(() => this.#pages.get(window), { what: `a page for window ${window}` })
  }

  async exited(): Promise<number | null> {
    await until(() => this.#hasEnded, { what: 'the end of the shell' })
    return this.child.exitCode
  }

  /** Ends the shell as the system does, and its pages follow nothing any more. */
  async end(): Promise<void> {
    this.#first = undefined
    this.#isOver = true
    if (!this.#hasEnded) this.child.kill('SIGTERM')
    await this.exited()
    await this.#following
  }

  get #hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  async #follow(message: Message): Promise<void> {
    if (this.#isOver) return
    if (message.type === 'closed') await this.#pages.get(message.window)?.close()
    if (message.type !== 'window') return
    const { window, url, webPreferences } = message
    const page = this.#pages.get(window) ?? (await this.#makePage(message))
    await page.goto(url)
    // Without its preload the page would work over its socket, and nothing here would be tested.
    const hasShell = await page.evaluate("'desktop' in window")
    if (webPreferences.preload !== undefined && !hasShell) throw new Error('the preload did not run in the page')
  }

  async #makePage({ window, webPreferences }: WindowMessage): Promise<Page> {
    const first = this.#first
    if (!first) throw new Error('no page was given to show windows in')
    const page = this.#pages.size === 0 ? first : await first.context().newPage()
    await page.exposeBinding('standInInvoke', ({ frame }, call: string, args: unknown[]) => {
      // A window whose process is gone hears nothing any more.
      if (!this.child.connected) return new Promise(() => undefined)
      const sender = { url: frame.url(), isMain: frame === page.mainFrame() }
      return this.ask('invoke', { window, call, args, frame: sender })
    })
    await page.exposeBinding('standInOpen', (_source, url: string) => this.ask('openWindow', { window, url }))
    await page.addInitScript(preloadScript(String(webPreferences.preload), webPreferences.additionalArguments ?? []))
    this.#pages.set(window, page)
    return page
  }

  #deliver({ window, channel, args }: Extract<Message, { type: 'event' }>): void {
    if (this.#isOver) return
    const text = `window.standInListeners?.get(${JSON.stringify(channel)})?.forEach((listener) => listener({}, ...${JSON.stringify(args)}))`
    this.#pages.get(window)?.evaluate(text).catch(onlyWhenClosed)
  }
}

/** A page that goes away, or to another address, while something is said to it hears it no more; all else is a fault. */
function onlyWhenClosed(failure: unknown): void {
  if (!/closed|destroyed|navigation|ERR_ABORTED|ERR_CONNECTION_REFUSED|Test ended/i.test(String(failure))) throw failure
}

/** Apps that are started at the same time do not want each other's port, which would be theirs at the next start. */
function portOfItsOwn(): string {
  return String(20_000 + Math.floor(Math.random() * 12_000))
}
