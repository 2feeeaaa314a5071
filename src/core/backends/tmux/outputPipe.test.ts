import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../log'
import { systemProcesses } from '../processTable'
import { OutputPipe } from './outputPipe'

const NO_DESCRIPTORS = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })

let folder: string
let relay: ChildProcess
let pipe: OutputPipe
let heard: string
let looks: number

interface PipeFaults {
  /** Looks into the system's own table that fail, counted from 1. */
  blindLooks?: readonly number[]
  /** What the relay does while it is looked at. */
  meanwhile?: (look: number) => void
  maxSilentMs?: number
}

async function openPipe({ blindLooks = [], meanwhile = () => undefined, ...limits }: PipeFaults): Promise<void> {
  const table = systemProcesses()
  const find = async (pid: number) => {
    looks += 1
    if (blindLooks.includes(looks)) throw NO_DESCRIPTORS
    meanwhile(looks)
    return table.find(pid)
  }
  const path = join(folder, 'fifo')
  execFileSync('mkfifo', [path])
  pipe = new OutputPipe({ processes: { ...table, find }, log: silentLog, ...limits }, (bytes) => {
    heard += bytes.toString()
  })
  pipe.open(path)
  pipe.release()
  await pipe.relayedBy(relay.pid ?? 0)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-pipe-'))
  relay = spawn('sleep', ['1000'])
  heard = ''
  looks = 0
})

afterEach(() => {
  pipe.close()
  relay.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

test('a relay that cannot be looked up when it says who it is fails nothing, and the end is told after silence', async () => {
  await openPipe({ blindLooks: [1] })
  appendFileSync(join(folder, 'fifo'), 'last words')
  await pipe.drained()
  expect(heard).toBe('last words')
  expect(looks).toBe(1)
})

test('while a relay cannot be looked at it is not called at rest, and is looked at again', async () => {
  await openPipe({ blindLooks: [2, 3] })
  await pipe.drained()
  expect(looks).toBe(4)
})

test('what a relay writes while it is looked at is read before the end is told', async () => {
  const write = (look: number) => look === 2 && appendFileSync(join(folder, 'fifo'), 'last words')
  await openPipe({ meanwhile: write })
  await pipe.drained()
  expect(heard).toBe('last words')
})

test('a relay that comes to no rest is waited for as long as bytes come, and then no longer than a stuck one', async () => {
  const maxSilentMs = 150
  const pieces = 20
  const blindLooks = Array.from({ length: 1000 }, (_, look) => look + 2)
  await openPipe({ blindLooks, maxSilentMs })
  let sent = 0
  const flow = setInterval(() => {
    if (sent++ < pieces) appendFileSync(join(folder, 'fifo'), 'x')
  }, maxSilentMs / 10)
  await pipe.drained()
  clearInterval(flow)
  expect(heard).toBe('x'.repeat(pieces))
})

test('a relay that cannot be looked at before it is ended is left alone, and fails nothing', async () => {
  await openPipe({ blindLooks: [2] })
  await pipe.endRelay()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(relay.signalCode).toBeNull()
  await pipe.endRelay()
  await expect.poll(() => relay.signalCode).toBe('SIGTERM')
})
