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

/** Reads through the system's own table, which cannot be looked into at these looks, counted from 1. */
async function openPipe(blindLooks: readonly number[]): Promise<void> {
  const table = systemProcesses()
  const find = async (pid: number) => {
    looks += 1
    if (blindLooks.includes(looks)) throw NO_DESCRIPTORS
    return table.find(pid)
  }
  const path = join(folder, 'fifo')
  execFileSync('mkfifo', [path])
  pipe = new OutputPipe({ processes: { ...table, find }, log: silentLog }, (bytes) => {
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
  await openPipe([1])
  appendFileSync(join(folder, 'fifo'), 'last words')
  await pipe.drained()
  expect(heard).toBe('last words')
  expect(looks).toBe(1)
})

test('while a relay cannot be looked at it is not called at rest, and is looked at again', async () => {
  await openPipe([2, 3])
  await pipe.drained()
  expect(looks).toBe(4)
})

test('a relay that cannot be looked at before it is ended is left alone, and fails nothing', async () => {
  await openPipe([2])
  await pipe.endRelay()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(relay.signalCode).toBeNull()
  await pipe.endRelay()
  await expect.poll(() => relay.signalCode).toBe('SIGTERM')
})
