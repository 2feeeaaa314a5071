import { createHmac } from 'node:crypto'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '../shared/errors'
import type { HostNotice } from '../shared/ipc'
import type { Settings } from '../shared/settings'
import { BackendChoice } from './backends/backendChoice'
import { PtyBackend } from './backends/pty/ptyBackend'
import { TmuxBackend } from './backends/tmux/tmuxBackend'
import { installCommand, TmuxMissing } from './backends/tmux/tmuxVersion'
import { CommandShelf } from './data/commandShelf'
import type { DataDir } from './data/dataDir'
import { readEndpoint } from './data/discovery'
import type { HostJournal } from './data/hostJournal'
import { keptKey } from './data/keptKey'
import { OutputFiles } from './data/outputFiles'
import { ownerIdOf } from './data/ownerId'
import { lockHolder, noteLockHolder, takeOwnerLock } from './data/ownerLock'
import { makeRuntimeDir } from './data/runtimeDir'
import { type OpenConfStore, SettingsStore } from './data/settingsStore'
import type { SettingsSources } from './data/settingsValues'
import { Tokens } from './data/tokens'
import { WindowMemory } from './data/windowMemory'
import type { Logger } from './log'
import { type Shells, Terminals } from './terminal/terminals'
import { VERSION } from './version'
import { restartsBefore } from './workspace/offsetRanges'
import { Workspaces } from './workspace/workspaces'

export interface HostOptions {
  dataDir: DataDir
  environment: NodeJS.ProcessEnv
  /** The umask programs in terminals get; the host itself runs under 077. */
  userUmask: number
  flags: SettingsSources['flags']
  log: Logger
  /** Told how much may be logged, and what never, as soon as that is known. */
  journal?: Pick<HostJournal, 'setLevel' | 'hide'>
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
  /** Where settings are read, changed and followed. */
  readonly settingsStore: SettingsStore
  readonly windowMemory: WindowMemory
  /** What a person should read: bad settings, no tmux. */
  notices(): HostNotice[]
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

// The same two steps up from the sources and from the build. A shell cannot look into the archive of a packed app.
const SHELL_SCRIPTS = fileURLToPath(new URL('../../resources/shell', import.meta.url)).replace(
  `app.asar${sep}`,
  `app.asar.unpacked${sep}`
)
const NONCE_CHARACTERS = 32
const WITHOUT_TMUX = 'Terminals work meanwhile, but they end with Tandem.'
const NEEDS_TMUX = 'No terminal can be opened without it.'
const INSTALLS_TMUX = 'This installs it:'

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
  closers.push(await takeLock(dataDir.path, owner, log))
  const settingsStore = openSettings(options)
  closers.push(settingsStore.follow())
  const settings = () => settingsStore.current
  const tokens = new Tokens({ dataDir: dataDir.path, ownerToken: options.token })
  closers.push(() => tokens.close())
  options.journal?.hide(tokens.ownerToken)
  const runtimeDir = makeRuntimeDir(dataDir.path, environment)
  closers.push(() => runtimeDir.remove())
  const socket = dataDir.tmuxSocket
  const backend = new TmuxBackend({ socket, owner, runtimeDir, settings, log, environment, userUmask })
  const pty = new PtyBackend({ userUmask, log })
  closers.push(
    () => backend.stop(),
    () => pty.stop()
  )
  const unavailable = await startBackend(backend, { settings, log })
  const choice = new BackendChoice({ tmux: backend, pty, choice: () => settings().backend })
  const outputs = new OutputFiles(dataDir.path)
  const shells = makeShells(dataDir.path, log)
  const terminals = new Terminals({ backend, backendForNew: () => choice.forNew(), settings, outputs, shells, log })
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
  if (unavailable.length === 0) await forgetGone({ outputs, shelf: shells.shelf, terminals, settings, log })
  const notices = () => [...settingsStore.problems.map((text) => ({ text })), ...unavailable]
  const stop = () => closeAll(closers)
  const windowMemory = new WindowMemory({ dataDir: dataDir.path, log })
  const parts = { workspaces, terminals, tokens, settings, settingsStore, windowMemory }
  return { dataDir, version: VERSION, ...parts, log, notices, stop }
}

interface HostShells extends Shells {
  shelf: CommandShelf
}

/** A nonce is derived, not kept: the next host knows what the shells that run on sign with. */
function makeShells(dataDir: string, log: Logger): HostShells {
  const key = keptKey(join(dataDir, 'shell-key'), log)
  const nonceOf = (id: string, offset: number) =>
    createHmac('sha256', key)
      .update(`${id} ${restartsBefore(offset)}`)
      .digest('hex')
      .slice(0, NONCE_CHARACTERS)
  const shelf = new CommandShelf(dataDir, log)
  return { scripts: SHELL_SCRIPTS, nonceOf, shelf, inputOf: (id) => shelf.inputOf(id) }
}

interface Kept extends Pick<Host, 'terminals' | 'settings' | 'log'> {
  outputs: OutputFiles
  shelf: CommandShelf
}

// Without tmux nobody can say which terminals live; what was kept of them stays.
async function forgetGone({ outputs, shelf, terminals, settings, log }: Kept): Promise<void> {
  await outputs.keepOnly(settings().persist_buffers ? terminals.all().map(({ id }) => id) : [])
  try {
    shelf.removeAllBut(new Set((await terminals.listLiving()).map(({ stamp }) => stamp.id)))
  } catch (failure) {
    log.warn({ err: failure }, 'Commands of terminals that are gone could not be removed')
  }
}

/** One that starts or stops has no address; which process it is can be said all the same. */
async function takeLock(dataDir: string, owner: string, log: Logger): Promise<() => void> {
  const release = await takeOwnerLock(dataDir, owner)
  if (!release) {
    const endpoint = readEndpoint(dataDir)
    throw new HostRunningError(endpoint?.pid ?? lockHolder(dataDir), endpoint?.url)
  }
  try {
    noteLockHolder(dataDir)
  } catch (failure) {
    log.warn({ err: failure }, 'Who owns the data directory could not be written down')
  }
  return release
}

function openSettings({ dataDir, environment, flags, log, journal, openConf }: HostOptions): SettingsStore {
  const store = new SettingsStore({
    dataDir: dataDir.path,
    overrides: { environment, flags },
    log,
    ...(openConf ? { open: openConf } : {})
  })
  journal?.setLevel(() => store.current.log_level)
  return store
}

// A host without tmux still shows what it knows and says what is missing; where it must be tmux, every create then answers
// with the same code.
async function startBackend(
  backend: TmuxBackend,
  { settings, log }: { settings: () => Settings; log: Logger }
): Promise<HostNotice[]> {
  try {
    await backend.start()
    return []
  } catch (failure) {
    const error = AppError.from(failure)
    if (!error.code.startsWith('TMUX_')) throw failure
    log.warn({ code: error.code }, `${error.message}${error.hint ? ` ${error.hint}` : ''}`)
    return [noticeOf(error, settings().backend)]
  }
}

function noticeOf(error: AppError, setting: Settings['backend']): HostNotice {
  const isMissing = error instanceof TmuxMissing
  const meanwhile = setting === 'pty' || (setting === 'auto' && isMissing) ? WITHOUT_TMUX : NEEDS_TMUX
  const text = `${error.message}. ${meanwhile}`
  return isMissing ? { text: `${text} ${INSTALLS_TMUX}`, command: installCommand() } : { text: `${text} ${error.hint}` }
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
