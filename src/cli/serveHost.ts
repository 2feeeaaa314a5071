import { CLAUDE_CODE, SERVER_NAME } from '../core/clients/agentClients'
import { ownBridge } from '../core/clients/ownBridge'
import { shownCommand } from '../core/clients/shownCommand'
import { openDataDir } from '../core/data/dataDir'
import { HostJournal } from '../core/data/hostJournal'
import { secretValues } from '../core/data/scrub'
import { type Host, HostRunningError } from '../core/host'
import { HostProcess, type HostProcessPlan } from '../server/hostProcess'
import { chosenPort } from '../server/listen'
import { PortBusyError, type RunningServer } from '../server/server'
import { HandOverRefused } from '../server/takeOver'
import { EXIT_CODES } from './exitCodes'
import { openInBrowser } from './openInBrowser'
import { isLoopback, type ServeOptions, settingFlags } from './serveOptions'
import { strings } from './strings'

/** Runs the host until it is told to stop, and says what kept it from starting. */
export async function serveHost(options: ServeOptions, userUmask: number): Promise<void> {
  const token = options.token ?? process.env.TANDEM_TOKEN
  const askedPort = options.port ?? process.env.TANDEM_PORT
  const port = chosenPort(askedPort)
  if (port === undefined) return fail(strings.badPort(String(askedPort)), EXIT_CODES.usage)
  if (!isLoopback(options.host) && !(options.allowRemote && token)) {
    return fail(strings.remoteNeedsConsent(options.host), EXIT_CODES.usage)
  }
  try {
    const dataDir = openDataDir(process.env, options.dataDir)
    const [, script = ''] = process.argv
    const doors = { address: options.host, port, token, script }
    const isForced = options.takeOver === true
    const name = 'tandem-serve'
    await run({ dataDir, name, flags: settingFlags(options), userUmask, isForced, ...doors }, options)
  } catch (failure) {
    explain(failure)
  }
}

async function run(plan: Omit<HostProcessPlan, 'journal'>, options: ServeOptions): Promise<void> {
  const { dataDir, token } = plan
  const host = () => hostProcess.serving?.host
  const hidden = [...secretValues(process.env), ...(token === undefined ? [] : [token])]
  const journal = new HostJournal({
    dataDir: dataDir.path,
    environment: process.env,
    level: () => host()?.settings().log_level ?? 'info',
    secrets: () => [...hidden, ...[host()?.tokens.ownerToken].filter((secret) => secret !== undefined)]
  })
  const hostProcess = new HostProcess({ ...plan, journal }, { ended: exit })
  journal.catchCrashes(() => {
    hostProcess.serving?.withdraw()
    process.exit(EXIT_CODES.failed)
  })
  try {
    const { host, server } = await hostProcess.start()
    stopOnSignal(() => hostProcess.stop())
    announce(host, server, options)
  } finally {
    if (!hostProcess.serving) journal.close()
  }
}

function announce(host: Host, server: RunningServer, { json, open, dataDir }: ServeOptions): void {
  const openUrl = server.openUrl()
  if (json) {
    const { origin: url, mcpUrl, wsUrl } = server
    const ready = { type: 'ready', url, openUrl, mcpUrl, wsUrl, token: host.tokens.ownerToken, pid: process.pid }
    process.stdout.write(`${JSON.stringify({ ...ready, version: host.version })}\n`)
  } else {
    const lines = [strings.ready(host.version), strings.openHere(openUrl), strings.mcpHere(server.mcpUrl)]
    const hints = [strings.claudeHere(claudeCommand(dataDir)), strings.linkWorksOnce, strings.stopHint]
    process.stdout.write(`${[...lines, ...hints].join('\n')}\n`)
  }
  if (open) {
    const url = server.openUrl({ isForOwnUser: true })
    openInBrowser(url, (err) => host.log.warn({ err }, 'the browser could not be opened'))
  }
}

/** The command that connects the most common of agents, to be copied; `tandem setup` does the same for all of them. */
function claudeCommand(dataDir = process.env.TANDEM_DATA_DIR): string {
  const [, script = ''] = process.argv
  const bridge = ownBridge(CLAUDE_CODE, { environment: process.env, script, dataDir })
  return shownCommand(['claude', ...CLAUDE_CODE.add(SERVER_NAME, bridge)])
}

/** Stops once, however many signals come; a stop that fails is still an end. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const onSignal = () => {
    if (stopping) return
    stopping = true
    process.stderr.write(`${strings.stopping}\n`)
    stop().then(() => exit(), exit)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('SIGHUP', onSignal)
}

function exit(failure?: unknown): void {
  if (failure !== undefined) explain(failure)
  process.exit(failure === undefined ? EXIT_CODES.ok : EXIT_CODES.failed)
}

function explain(failure: unknown): void {
  if (failure instanceof HostRunningError) {
    fail(strings.hostRunning(failure.pid, failure.url), EXIT_CODES.hostRunning)
  } else if (failure instanceof PortBusyError) {
    fail(strings.portBusy(failure.port), EXIT_CODES.portBusy)
  } else if (failure instanceof HandOverRefused) {
    fail(failure.message, EXIT_CODES.hostRunning)
  } else {
    fail(strings.unexpected(failure instanceof Error ? failure.message : String(failure)), EXIT_CODES.failed)
  }
}

function fail(message: string, exitCode: number): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = exitCode
}
