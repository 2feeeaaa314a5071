import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { Logger } from '../../log'

const HEARTBEAT_MS = 1_000
const MAX_SILENT_SECONDS = 5

/**
 * A stopped host leaves tmux filling memory with output nobody takes. This small process sees that the heartbeat stands
 * still and closes our pipes; the host opens them again when it goes on. It ends with the host: its input closes. Its two halves end
 * together.
 */
const SCRIPT = `
close_pipes() {
  "$2" -N -L "$3" list-panes -a -f "#{==:#{@tandem_owner},$4}" -F '#{pane_id}' |
    while read -r pane; do "$2" -N -L "$3" pipe-pane -t "$pane"; done
}
watch() {
  last=; silent=0
  while sleep 1 && kill -s 0 $$; do
    now=; read -r now <"$1"
    if [ "$now" != "$last" ]; then last=$now; silent=0; continue; fi
    silent=$((silent + 1))
    [ "$silent" -eq "$5" ] && close_pipes "$@"
  done
}
watch "$@" &
while read -r line; do :; done
kill -s KILL 0
`

export interface WatchdogOptions {
  heartbeatPath: string
  tmux: string
  socket: string
  owner: string
  environment: Readonly<Record<string, string>>
  maxSilentSeconds?: number
}

/** Starts the watchdog alone; whoever holds the returned process's input keeps it alive. */
export function spawnWatchdog(options: WatchdogOptions): ChildProcess {
  const { heartbeatPath, tmux, socket, owner, environment, maxSilentSeconds = MAX_SILENT_SECONDS } = options
  const words = [heartbeatPath, tmux, socket, owner, String(maxSilentSeconds)]
  return spawn('/bin/sh', ['-c', SCRIPT, 'tandem-watchdog', ...words], {
    env: environment,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore']
  })
}

/** Keeps the heartbeat going and a watchdog watching, another one when that ends, until closed. */
export function startWatchdog(options: WatchdogOptions & { log: Logger }): () => Promise<void> {
  const beat = heartbeat(options)
  let isClosing = false
  let watching: { child: ChildProcess; ended: Promise<void> } | undefined
  const tend = () => {
    beat()
    if (watching) return
    const child = spawnWatchdog(options)
    const ended = endOf(child).then((failure) => {
      watching = undefined
      if (!isClosing) options.log.warn({ err: failure }, 'the watchdog ended; another one is started')
    })
    watching = { child, ended }
  }
  tend()
  const timer = setInterval(tend, HEARTBEAT_MS)
  return async () => {
    isClosing = true
    clearInterval(timer)
    watching?.child.stdin?.end()
    await watching?.ended
  }
}

function heartbeat({ heartbeatPath, log }: WatchdogOptions & { log: Logger }): () => void {
  let beats = 0
  return () => {
    try {
      writeFileSync(heartbeatPath, `${beats++}\n`, { mode: 0o600 })
    } catch (failure) {
      // Without a heartbeat the pipes are closed once and opened again: harmless, and no reason to end the host.
      log.warn({ err: failure }, 'the heartbeat file could not be written')
    }
  }
}

/** Why there is no such process any more: undefined where there was one that ended. */
function endOf(child: ChildProcess): Promise<Error | undefined> {
  return new Promise((resolve) => {
    child.on('error', resolve)
    child.on('exit', () => resolve(undefined))
  })
}
