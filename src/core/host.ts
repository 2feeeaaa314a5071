import { AppError } from '../shared/errors'
import type { Settings } from '../shared/settings'
import { BackendChoice } from './backends/backendChoice'
import { PtyBackend } from './backends/pty/ptyBackend'
import { TmuxBackend } from './backends/tmux/tmuxBackend'
import type { DataDir } from './data/dataDir'
import { readEndpoint } from './data/discovery'
import { ownerIdOf } from './data/ownerId'
import { takeOwnerLock } from './data/ownerLock'
import { makeRuntimeDir } from './data/runtimeDir'
import { type OpenConfStore, SettingsStore } from './data/settingsStore'
import type { SettingsSources } from './data/settingsValues'
import { Tokens } from './data/tokens'
import type { Logger } from './log'
import { Terminals } from './terminal/terminals'
import { VERSION } from './version'
import { Workspaces } from './workspace/workspaces'

export interface HostOptions {
  dataDir: DataDir
  environment: NodeJS.ProcessEnv
  /** The umask programs in terminals get; the host itself runs under 077. */
  userUmask: number
  flags: SettingsSources['flags']
  log: Logger
  /** The owner token for this run; absent: the one kept in the data dir. */
  token?: string | undefined
  openConf?: OpenConfStore
}

/** The one process that owns all terminals of a data dir, without any door. */
export interface Host {
  readonly dataDir: DataDir
  readonly version: string
  readonly workspaces: Workspaces
  readonly terminals: Terminals
  readonly tokens: Tokens
  readonly log: Logger
  settings(): Settings
  /** Sentences a person should read: bad settings, no tmux. */
  notices(): string[]
  /** Lets go of everything; programs in tmux live on. */
  stop(): Promise<void>
}

/** Thrown when another process owns the data dir already. */
export class HostRunningError extends Error {
  override readonly name = 'HostRunningError'

  constructor(
    readonly pid: number | undefined,
    readonly url: string | undefined
  ) {
    super(
      pid === undefined ? 'Another Tandem host owns this data directory' : `Process ${pid} owns this data directory`
    )
  }
}

type Close = () => void | Promise<void>

/** Builds the whole core; the only place that does. A start that fails leaves nothing open. */
export async function startHost(options: HostOptions): Promise<Host> {
  const closers: Close[] = []
  try {
    return await build(options, closers)
  } catch (failure) {
    await closeAll(closers)
    throw failure
  }
}

async function build(options: HostOptions, closers: Close[]): Promise<Host> {
  const { dataDir, environment, log, userUmask } = options
  const owner = ownerIdOf(dataDir.path)
  closers.push(await takeLock(dataDir.path, owner))
  const settingsStore = openSettings(options)
  closers.push(settingsStore.follow())
  const settings = () => settingsStore.current
  const tokens = new Tokens({ dataDir: dataDir.path, ownerToken: options.token })
  closers.push(() => tokens.close())
  const runtimeDir = makeRuntimeDir(dataDir.path, environment)
  closers.push(() => runtimeDir.remove())
  const socket = dataDir.tmuxSocket
  const backend = new TmuxBackend({ socket, owner, runtimeDir, settings, log, environment, userUmask })
  const pty = new PtyBackend({ userUmask })
  closers.push(
    () => backend.stop(),
    () => pty.stop()
  )
  const unavailable = await startBackend(backend, log)
  const choice = new BackendChoice({ tmux: backend, pty, choice: () => settings().backend })
  const terminals = new Terminals({ backend, backendForNew: () => choice.forNew(), settings, log })
  closers.push(() => terminals.stop())
  const workspaces = new Workspaces({
    terminals,
    dataDir: dataDir.path,
    owner,
    settings,
    environment,
    log,
    backendFor: () => (choice.isFallback ? 'pty' : 'tmux')
  })
  closers.push(() => workspaces.stop())
  await workspaces.start()
  const notices = () => [...settingsStore.problems, ...unavailable]
  const stop = () => closeAll(closers)
  return { dataDir, version: VERSION, workspaces, terminals, tokens, log, settings, notices, stop }
}

async function takeLock(dataDir: string, owner: string): Promise<() => void> {
  const release = await takeOwnerLock(dataDir, owner)
  if (release) return release
  const endpoint = readEndpoint(dataDir)
  throw new HostRunningError(endpoint?.pid, endpoint?.url)
}

function openSettings({ dataDir, environment, flags, log, openConf }: HostOptions): SettingsStore {
  return new SettingsStore({
    dataDir: dataDir.path,
    overrides: { environment, flags },
    log,
    ...(openConf ? { open: openConf } : {})
  })
}

// A host without tmux still shows what it knows and says what is missing; every create then answers with the same code.
async function startBackend(backend: TmuxBackend, log: Logger): Promise<string[]> {
  try {
    await backend.start()
    return []
  } catch (failure) {
    const { code, message, hint } = AppError.from(failure)
    if (!code.startsWith('TMUX_')) throw failure
    log.warn({ code }, `${message}${hint ? ` ${hint}` : ''}`)
    return [`${message}. ${hint ?? ''}`.trim()]
  }
}

/** Last opened, first closed; one that fails does not keep the others open. */
async function closeAll(closers: Close[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.splice(0).reverse()) {
    try {
      await close()
    } catch (failure) {
      failures.push(failure)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed')
}
