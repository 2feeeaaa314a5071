import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { World } from '../harness/tandem'
import { until } from '../harness/waiting'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

interface WindowMessage {
  url: string
  webPreferences: Record<string, unknown>
}

type Message =
  | ({ type: 'window' } & WindowMessage)
  | { type: 'event'; channel: string; args: unknown[] }
  | { type: 'opened'; url: string }
  | { type: 'errorBox'; title: string; text: string }
  | { type: 'messageBox'; message: string; detail?: string; buttons?: string[] }
  | { type: 'notification'; title: string; body: string; silent: boolean }
  | { type: 'badge'; count: number }
  | { type: 'answer'; id: number; value: unknown }

/** The built desktop shell under Node, with a stand-in for Electron and Chromium pages as its windows. */
export class Desktop {
  readonly #child: ChildProcess
  readonly #messages: Message[] = []
  readonly #events: ((channel: string, args: unknown[]) => void)[] = []
  #asked = 0

  constructor(world: World) {
    const args = ['--import', path('./electronHooks.mjs'), path('../../out/main/index.js')]
    const env = { ...world.environment, TANDEM_DATA_DIR: world.dataDir }
    this.#child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    this.#child.on('message', (message: Message) => {
      this.#messages.push(message)
      if (message.type === 'event') for (const listener of this.#events) listener(message.channel, message.args)
    })
  }

  async window(): Promise<WindowMessage> {
    return until(() => this.#messages.find((message) => message.type === 'window'), { what: 'a window' })
  }

  /** Everything of one kind that the shell has shown so far, the oldest first. */
  shown<T extends Message['type']>(type: T): Extract<Message, { type: T }>[] {
    return this.#messages.filter((message): message is Extract<Message, { type: T }> => message.type === type)
  }

  get opened(): string[] {
    return this.#messages.flatMap((message) => (message.type === 'opened' ? [message.url] : []))
  }

  async ask(ask: string, question: Record<string, unknown> = {}): Promise<unknown> {
    const id = ++this.#asked
    this.#child.send({ id, ask, ...question })
    const isAnswer = (message: Message) => message.type === 'answer' && message.id === id
    const answer = await until(() => this.#messages.find(isAnswer), { what: `an answer to ${ask}` })
    return answer.type === 'answer' ? answer.value : undefined
  }

  /** Opens the window's address in a page, with the built preload in it when the window has one. */
  async show(page: Page): Promise<void> {
    const { url, webPreferences } = await this.window()
    if (webPreferences.preload !== undefined) {
      await page.exposeFunction('standInInvoke', (call: string, args: unknown[]) => this.ask('invoke', { call, args }))
      await page.addInitScript(preloadScript(String(webPreferences.preload), webPreferences.additionalArguments ?? []))
      this.#events.push((channel, args) => {
        const text = `window.standInListeners?.get(${JSON.stringify(channel)})?.forEach((listener) => listener({}, ...${JSON.stringify(args)}))`
        page.evaluate(text).catch(() => undefined)
      })
    }
    await page.goto(url)
    // Without its preload the page would work over its socket, and nothing here would be tested.
    const hasShell = await page.evaluate("'desktop' in window")
    if (webPreferences.preload !== undefined && !hasShell) throw new Error('the preload did not run in the page')
  }

  async exited(): Promise<number | null> {
    await until(() => this.#child.exitCode !== null || this.#child.signalCode !== null, {
      what: 'the end of the shell'
    })
    return this.#child.exitCode
  }
}

/** The preload as it was built, in a page: `require('electron')` leads to the test. */
function preloadScript(file: string, words: unknown): string {
  return `(() => {
    const process = { argv: ${JSON.stringify(words)} }
    const listeners = (window.standInListeners = new Map())
    const of = (channel) => listeners.get(channel) ?? listeners.set(channel, new Set()).get(channel)
    const standIn = {
      contextBridge: { exposeInMainWorld: (name, value) => { window[name] = value } },
      ipcRenderer: {
        invoke: (call, ...args) => window.standInInvoke(call, args),
        on: (channel, listener) => of(channel).add(listener),
        off: (channel, listener) => of(channel).delete(listener)
      },
      webUtils: { getPathForFile: (file) => file.standInPath ?? '' }
    }
    const module = { exports: {} }
    ;((require, module, exports) => {
      ${readFileSync(file, 'utf8')}
    })(() => standIn, module, module.exports)
  })()`
}
