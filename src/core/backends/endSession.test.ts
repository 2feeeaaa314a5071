import { type ChildProcess, spawn } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { endSession } from './endSession'
import { procTable, psTable, sharingReadings } from './processTable'

const table = process.platform === 'linux' ? procTable : psTable
const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function sleeper(options: { detached: boolean }): { pid: number; ended: Promise<unknown> } {
  const child = spawn('sleep', ['600'], { ...options, stdio: 'ignore' })
  started.push(child)
  return { pid: child.pid ?? 0, ended: new Promise((resolve) => child.once('exit', resolve)) }
}

async function sessionOf(pid: number) {
  return { leader: pid, leaderStartTime: (await table.find(pid))?.startTime, tty: '/dev/none' }
}

test('a program that began after the last shared reading of all processes is ended too', async () => {
  const shared = sharingReadings(table)
  await shared.all()
  const { pid, ended } = sleeper({ detached: true })
  expect(await endSession(shared, await sessionOf(pid))).toBe(true)
  await ended
})

test('a program that does not lead its session yet is ended too', async () => {
  const { pid, ended } = sleeper({ detached: false })
  expect(await endSession(table, await sessionOf(pid))).toBe(true)
  await ended
})

test('another process with the pid of the program is left alone', async () => {
  const { pid } = sleeper({ detached: true })
  expect(await endSession(table, { ...(await sessionOf(pid)), leaderStartTime: 'long ago' })).toBe(true)
  expect(await table.find(pid)).toBeDefined()
})
