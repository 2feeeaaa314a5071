import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { openDataDir } from '../core/data/dataDir'
import { publishEndpoint } from '../core/data/discovery'
import { homeProject } from '../core/data/homeProject'
import { type Host, HostRunningError, startHost } from '../core/host'
import type { Logger } from '../core/log'
import { PortBusyError, type RunningServer, startServer } from '../server/server'
import { flagName, SETTING_NAMES, SETTINGS } from '../shared/settings'
import { EXIT_CODES } from './exitCodes'
import { chosenPort, isLoopback, type PortChoice, type ServeOptions, settingFlags } from './serveOptions'
import { createStderrLog } from './stderrLog'
import { strings } from './strings'

const RENDERER_DIR = fileURLToPath(new URL('../renderer', import.meta.url))

/** `tandem serve`: core and doors in plain Node. */
export function addServeCommand(program: Command, { userUmask }: { userUmask: number }): void {
  const command = program
    .command('serve')
    .description(strings.serveDescription)
    .option('--port <number>', strings.options.port)
    .option('--host <address>', strings.options.host, '127.0.0.1')
    .option('--data-dir <dir>', strings.options.dataDir)
    .option('--token <token>', strings.options.token)
    .option('--json', strings.options.json)
    .option('--open', strings.options.open)
    .option('--allow-remote', strings.options.allowRemote)
  for (const name of SETTING_NAMES) command.option(`${flagName(name)} <value>`, SETTINGS[name].description)
  command.action((options: ServeOptions) => serve(options, userUmask))
}

async function serve(options: ServeOptions, userUmask: number): Promise<void> {
  const token = options.token ?? process.env.TANDEM_TOKEN
  const askedPort = options.port ?? process.env.TANDEM_PORT
  const port = chosenPort(askedPort)
  if (port === undefined) return fail(strings.badPort(String(askedPort)), EXIT_CODES.usage)
  if (!isLoopback(options.host) && !(options.allowRemote && token)) {
    return fail(strings.remoteNeedsConsent(options.host), EXIT_CODES.usage)
  }
  let host: Host | undefined
  const level = () => host?.settings().log_level ?? 'info'
  const log = createStderrLog(level, (line) => process.stderr.write(line))
  try {
    const dataDir = openDataDir(process.env, options.dataDir)
    host = await startHost({ dataDir, environment: process.env, userUmask, flags: settingFlags(options), log, token })
    await openDoors(host, { options, port, log })
  } catch (failure) {
    await host?.stop()
    explain(failure)
  }
}

async function openDoors(
  host: Host,
  { options, port, log }: { options: ServeOptions; port: PortChoice; log: Logger }
): Promise<void> {
  const server = await startServer({
    workspaces: host.workspaces,
    tokens: host.tokens,
    notices: host.notices,
    log,
    version: host.version,
    homeProject: homeProject(process.env),
    rendererDir: RENDERER_DIR,
    address: options.host,
    port
  })
  const withdraw = publishEndpoint(host.dataDir.path, {
    url: server.origin,
    pid: process.pid,
    version: host.version,
    token: host.tokens.ownerToken
  })
  stopOnSignal(async () => {
    withdraw()
    await server.close()
    await host.stop()
  })
  announce(host, server, options)
}

function announce(host: Host, server: RunningServer, { json, open }: ServeOptions): void {
  const openUrl = server.openUrl()
  if (json) {
    const { origin: url, mcpUrl, wsUrl } = server
    const ready = { type: 'ready', url, openUrl, mcpUrl, wsUrl, token: host.tokens.ownerToken, pid: process.pid }
    process.stdout.write(`${JSON.stringify({ ...ready, version: host.version })}\n`)
  } else {
    const lines = [strings.ready(host.version), strings.openHere(openUrl), strings.mcpHere(server.mcpUrl)]
    process.stdout.write(`${[...lines, strings.linkWorksOnce, strings.stopHint].join('\n')}\n`)
  }
  if (open) openBrowser(server.openUrl(), host.log)
}

/** Stops once, however many signals come; a stop that fails is still an end. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const onSignal = () => {
    if (stopping) return
    stopping = true
    process.stderr.write(`${strings.stopping}\n`)
    stop().then(
      () => process.exit(EXIT_CODES.ok),
      (failure: unknown) => {
        explain(failure)
        process.exit(EXIT_CODES.failed)
      }
    )
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('SIGHUP', onSignal)
}

function openBrowser(url: string, log: Logger): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true })
  child.on('error', (err) => log.warn({ err }, 'the browser could not be opened'))
  child.unref()
}

function explain(failure: unknown): void {
  if (failure instanceof HostRunningError) {
    fail(strings.hostRunning(failure.pid, failure.url), EXIT_CODES.hostRunning)
  } else if (failure instanceof PortBusyError) {
    fail(strings.portBusy(failure.port), EXIT_CODES.portBusy)
  } else {
    fail(strings.unexpected(failure instanceof Error ? failure.message : String(failure)), EXIT_CODES.failed)
  }
}

function fail(message: string, exitCode: number): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = exitCode
}
