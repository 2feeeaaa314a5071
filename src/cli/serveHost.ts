import { CLAUDE_CODE, SERVER_NAME } from '../core/clients/agentClients'
import { ownBridge } from '../core/clients/ownBridge'
import { shownCommand } from '../core/clients/shownCommand'
import { namedDataDir, openDataDir } from '../core/data/dataDir'
import { HostJournal } from '../core/data/hostJournal'
import { settingsNow } from '../core/data/settingsStore'
import { type Host, HostRunningError } from '../core/host'
import { HostProcess, type HostProcessPlan } from '../server/hostProcess'
import { PortBusyError, type RunningServer } from '../server/server'
import { HandOverRefused } from '../server/takeOver'
import { EXIT_CODES } from './exitCodes'
import { exitCodeOf, explanation } from './explanation'
import { openInBrowser } from './openInBrowser'
import { doorsFrom, type ServeOptions, settingFlags } from './serveOptions'
import { strings } from './strings'

/** A Ctrl+C reaches a program twice when its parent passes it on; one that comes later is another one. */
const ANOTHER_SIGNAL_MS = 500

/** Runs the host until it is told to stop, and says what kept it from starting. */
export async function serveHost(options: ServeOptions, userUmask: number): Promise<void> {
  const doors = doorsFrom(options, process.env)
  if ('problem' in doors) return fail(doors.problem, EXIT_CODES.usage)
  try {
    const dataDir = openDataDir(process.env, options.dataDir)
    const [, script = ''] = process.argv
    const isForced = options.takeOver === true
    const name = 'tandem-serve'
    await run({ dataDir, name, flags: settingFlags(options), userUmask, isForced, script, ...doors }, options)
  } catch (failure) {
    explain(failure)
  }
}

async function run(plan: Omit<HostProcessPlan, 'journal'>, options: ServeOptions): Promise<void> {
  const { dataDir, flags, token } = plan
  const { settings } = settingsNow(dataDir.path, { environment: process.env, flags })
  const journal = new HostJournal({ dataDir: dataDir.path, environment: process.env, level: settings.log_level })
  if (token !== undefined) journal.hide(token)
  const exit = (failure?: unknown) => {
    if (failure !== undefined) explain(failure, journal)
    process.exit(failure === undefined ? EXIT_CODES.ok : EXIT_CODES.failed)
  }
  const hostProcess = new HostProcess({ ...plan, journal }, { ended: exit })
  journal.catchCrashes(() => {
    hostProcess.serving?.withdraw()
    process.exit(EXIT_CODES.failed)
  })
  stopOnSignal(() => hostProcess.stop().then(() => exit(), exit))
  try {
    const serving = await hostProcess.start()
    if (serving) announce(serving.host, serving.server, options)
  } catch (failure) {
    explain(failure, journal)
  } finally {
    if (!hostProcess.serving) journal.close()
  }
}

function announce(host: Host, server: RunningServer, { json, open }: ServeOptions): void {
  const openUrl = server.openUrl()
  if (json) {
    const { origin: url, mcpUrl, wsUrl } = server
    const ready = { type: 'ready', url, openUrl, mcpUrl, wsUrl, token: host.tokens.ownerToken, pid: process.pid }
    process.stdout.write(`${JSON.stringify({ ...ready, version: host.version })}\n`)
  } else {
    const lines = [strings.ready(host.version), strings.openHere(openUrl), strings.mcpHere(server.mcpUrl)]
    const hints = [strings.claudeHere(claudeCommand(host)), strings.linkWorksOnce, strings.stopHint]
    process.stdout.write(`${[...lines, ...hints].join('\n')}\n`)
  }
  if (open) {
    const url = server.openUrl({ isForOwnUser: true })
    openInBrowser(url, (err) => host.log.warn({ err }, 'the browser could not be opened'))
  }
}

/** The command that connects the most common of agents, to be copied; `tandem setup` does the same for all of them. */
function claudeCommand({ dataDir: opened }: Host): string {
  const [, script = ''] = process.argv
  const dataDir = namedDataDir(process.env, opened)
  const bridge = ownBridge(CLAUDE_CODE, { environment: process.env, script, dataDir })
  return shownCommand(['claude', ...CLAUDE_CODE.add(SERVER_NAME, bridge)])
}

/** Stops once; a person who does not want to wait for it says so by another Ctrl+C. */
function stopOnSignal(stop: () => void): void {
  let stoppedAt: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now()
      process.stderr.write(`${strings.stopping}\n`)
      stop()
    } else if (signal === 'SIGINT' && performance.now() - stoppedAt > ANOTHER_SIGNAL_MS) {
      process.stderr.write(`${strings.stoppedAtOnce}\n`)
      process.exit(EXIT_CODES.failed)
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
}

function explain(failure: unknown, journal?: HostJournal): void {
  if (failure instanceof HostRunningError) {
    const { pid, url } = failure
    fail(url === undefined ? strings.hostHidden(pid) : strings.hostRunning(pid, url), EXIT_CODES.hostRunning)
  } else if (failure instanceof PortBusyError) {
    fail(strings.portBusy(failure.port), EXIT_CODES.portBusy)
  } else if (failure instanceof HandOverRefused) {
    fail(failure.message, EXIT_CODES.hostRunning)
  } else {
    const said = explanation(failure)
    fail(journal ? journal.clean(said) : said, exitCodeOf(failure))
  }
}

function fail(message: string, exitCode: number): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = exitCode
}
