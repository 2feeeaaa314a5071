import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../log'
import { defaultSettings } from '../../workspace/workspacesFixture.testing'
import { systemProcesses } from '../processTable'
import { Control } from './control'
import { TmuxServer } from './tmuxServer'

const SOCKET = 'tandem-control-test'
const NODE_SLEEP = ['-e', 'process.on("SIGUSR1", () => {}); setInterval(() => {}, 1000)', '--']
let root: string
let keeper: ChildProcess
let stale: ChildProcess

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tandem-control-'))
  keeper = spawn(process.execPath, NODE_SLEEP)
  stale = spawn(process.execPath, [...NODE_SLEEP, '-L', SOCKET])
})

afterEach(() => {
  keeper.kill('SIGKILL')
  stale.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

/** A program that speaks tmux's control protocol; its first client ends after it was asked for the other clients. */
function fakeTmux(): void {
  const path = join(root, 'tmux')
  writeFileSync(
    path,
    `#!/bin/bash
case "$*" in -V) echo tmux 3.3a; exit 0 ;; *-C*) ;; *) exit 0 ;; esac
n=0
say() { n=$((n+1)); printf '%%begin 1 %s 1\\n' "$n"; [ -z "$1" ] || printf '%s\\n' "$1"; printf '%%end 1 %s 1\\n' "$n"; }
first=; [ -e ${root}/first ] || { first=yes; : > ${root}/first; }
while read -r line; do
  case "$line" in
    *socket_path*) say '${keeper.pid} ${root}/socket' ;;
    list-clients*) if [ "$first" ]; then say 'client ${stale.pid}'; ends=yes; else say; fi ;;
    display-message*) say "\${line##* }"; [ -z "$ends" ] || exit 0 ;;
    *) say ;;
  esac
done
`
  )
  chmodSync(path, 0o700)
}

test('a client that ends as soon as it has greeted is not kept: the next one is used', async () => {
  fakeTmux()
  const environment = { PATH: `${root}:/usr/bin:/bin` }
  const parts = {
    settings: defaultSettings,
    environment,
    userUmask: 0o077,
    processes: systemProcesses(),
    log: silentLog
  }
  const server = new TmuxServer({ ...parts, socket: SOCKET, label: 'test', configPath: join(root, 'conf') })
  const nothing = () => undefined
  const events = { onNotification: nothing, onServerGone: nothing, onConnected: nothing }
  const control = new Control({ server, processes: parts.processes, log: silentLog, ...events })
  await control.connect()
  expect(await control.run([['display-message', '-p', 'alive']])).toEqual(['alive'])
  control.stop()
})
