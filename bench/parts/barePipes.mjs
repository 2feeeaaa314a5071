// The bare reader of tmux's pipes: opens panes in a bare server, reads each pipe and drops the bytes. Told what to do by
// its argument, prints one line of JSON. What it measures is the limit of anything that reads tmux this way.

import { execFileSync, spawn } from 'node:child_process'
import { constants, openSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { ECHO_PROGRAM, echoTimes } from './echo.mjs'

const { bareArguments, root, programs, go, echoMs, watchMs } = JSON.parse(process.argv[2])
const RESOLUTION_MS = 1

const control = spawn('tmux', [...bareArguments, '-C', 'new-session', '-A', '-s', 'control', 'exec tail -f /dev/null'])
control.stdout.resume()
const panes = programs.map((program, number) => openPane(`flood-${number}`, program))
const result = echoMs ? await measureEcho() : await measureDelay()
process.stdout.write(`${JSON.stringify(result)}\n`)
for (const pane of panes) pane.close()
control.stdin.end('kill-server\n')

function totalBytes() {
  return panes.reduce((sum, pane) => sum + pane.bytes, 0)
}

function openPane(name, program) {
  const path = join(root, `${name}-${process.pid}.fifo`)
  execFileSync('mkfifo', [path])
  const socket = new Socket({ fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK), readable: true })
  const pane = { bytes: 0, onBytes: () => undefined, close: () => socket.destroy() }
  socket.on('data', (bytes) => {
    pane.bytes += bytes.length
    pane.onBytes(bytes)
  })
  const words = ['new-session', '-d', '-x', '80', '-y', '24', '-s', name, program]
  execFileSync('tmux', [...bareArguments, ...words, ';', 'pipe-pane', '-O', '-t', `=${name}:`, `exec cat >${path}`])
  return pane
}

async function measureEcho() {
  const pane = openPane('echo', ECHO_PROGRAM)
  await until(pane, () => pane.bytes >= 'READY'.length)
  if (go) writeFileSync(go, '')
  await pause(300)
  const end = performance.now() + echoMs
  let expected = pane.bytes
  const press = () => control.stdin.write('send-keys -H -t =echo: 6b\n')
  const echoed = () => {
    expected += 1
    return until(pane, () => pane.bytes >= expected)
  }
  const times = await echoTimes({ press, echoed, isEnough: () => performance.now() > end })
  pane.close()
  return times
}

function until(pane, isTrue) {
  return new Promise((resolve) => {
    pane.onBytes = () => isTrue() && resolve()
    pane.onBytes()
  })
}

async function measureDelay() {
  await pause(1000)
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const [before, began] = [totalBytes(), performance.now()]
  await pause(watchMs)
  delay.disable()
  const rate = (totalBytes() - before) / 1000 / (performance.now() - began)
  return { rate, p99: Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS) }
}
