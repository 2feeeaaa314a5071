import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDataDir } from '../../src/core/data/dataDir'
import { type Host, startHost } from '../../src/core/host'
import { silentLog } from '../../src/core/log'
import type { Terminal } from '../../src/core/terminal/terminal'
import { FULL_ACCESS } from '../../src/core/workspace/workspacesFixture.testing'
import type { Actor, BackendKind, CommandRecord } from '../../src/shared/terminal'
import { makeWorld, type World } from './tandem'
import { until } from './waiting'

export const AGENT = { kind: 'agent', name: 'claude', key: 'one' } as const
export const PERSON = { kind: 'person', name: 'Ada' } as const

export type ShellName = 'bash' | 'zsh' | 'fish'

/** The whole core in this process with real shells, in a world of its own. */
export class ShellHost {
  readonly world: World
  #host: Host | undefined
  readonly #backend: BackendKind

  private constructor(world: World, backend: BackendKind) {
    this.world = world
    this.#backend = backend
  }

  static async start(backend: BackendKind = 'pty', environment: NodeJS.ProcessEnv = {}): Promise<ShellHost> {
    const host = new ShellHost(makeWorld(environment), backend)
    // Without it fish greets and zsh asks a new user questions.
    host.homeFile('.config/fish/config.fish', `set -g fish_greeting\nfunction fish_prompt; echo -n '$ '; end\n`)
    host.homeFile('.zshrc', "PS1='$ '\n")
    await host.begin()
    return host
  }

  get host(): Host {
    if (!this.#host) throw new Error('The host is stopped')
    return this.#host
  }

  async begin(): Promise<void> {
    const { environment } = this.world
    const dataDir = openDataDir(environment, this.world.dataDir)
    const flags = { backend: this.#backend }
    this.#host = await startHost({ dataDir, environment, userUmask: 0o022, flags, log: silentLog })
  }

  /** Lets go of the terminals; those in tmux live on. */
  async stop(): Promise<void> {
    await this.#host?.stop()
    this.#host = undefined
  }

  async close(): Promise<void> {
    await this.stop()
    await this.world.remove()
  }

  homeFile(name: string, text: string): string {
    const path = join(this.world.home, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  async open(shell: string, env: Record<string, string> = {}): Promise<OpenShell> {
    const { project } = this.world
    const request = { project, session: 'shells', command: [shell] as const, env }
    const { record } = await this.host.workspaces.create(FULL_ACCESS, request)
    return this.shell(record.id)
  }

  shell(id: string): OpenShell {
    return new OpenShell(this.host.workspaces.terminal(FULL_ACCESS, id))
  }
}

/** One shell, with what a test wants to know of it. */
export class OpenShell {
  constructor(readonly terminal: Terminal) {}

  async atPrompt(): Promise<this> {
    const { shell } = this.terminal
    await until(() => shell.state === 'prompt', {
      what: () => `a prompt, but: ${shell.state} ${JSON.stringify(this.all)}`
    })
    return this
  }

  async type(text: string, actor: Actor = AGENT): Promise<void> {
    await this.terminal.write(Buffer.from(text), actor)
  }

  /** Types a line and waits for the end of the command that it begins. */
  async run(line: string, actor: Actor = AGENT): Promise<CommandRecord> {
    await this.atPrompt()
    let ended: CommandRecord | undefined
    const stop = this.terminal.commands.onEnd((record) => {
      ended = record
    })
    try {
      await this.type(`${line}\r`, actor)
      await until(() => ended, { what: () => `the end of ${line}, but: ${JSON.stringify(this.all.slice(-500))}` })
      await this.atPrompt()
      return ended as CommandRecord
    } finally {
      stop()
    }
  }

  /** What a command printed, without escape sequences; fish goes to the beginning of the line first. */
  output({ output: { from, to } }: CommandRecord): string {
    const { bytes } = this.terminal.log.read(from, (to ?? this.terminal.log.end) - from)
    return plain(bytes.toString('utf8')).replace(/^\r/, '')
  }

  /** Everything the terminal showed, as it came. */
  get all(): string {
    const { log } = this.terminal
    return log.read(log.start, log.end - log.start).bytes.toString('utf8')
  }

  async shows(text: string): Promise<void> {
    await until(() => this.all.includes(text), { what: () => `"${text}" in ${JSON.stringify(this.all.slice(-500))}` })
  }
}

export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is removed here
  return text.replace(/\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[[0-?]*[ -/]*[@-~]|[()][A-Z0-9]|.)/g, '')
}
