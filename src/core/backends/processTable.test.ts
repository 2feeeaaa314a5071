import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { isAlive, procTable, psTable, signalProcess } from './processTable'

const children: ReturnType<typeof spawn>[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function sleeper(): number {
  const child = spawn('sleep', ['600'], { cwd: '/usr', detached: true, stdio: 'ignore' })
  children.push(child)
  return child.pid ?? 0
}

const tables = process.platform === 'linux' ? { procTable, psTable } : { psTable }

describe.each(Object.entries(tables))('%s', (_name, table) => {
  test('a process is found with its start and its command line', async () => {
    const pid = sleeper()
    const row = await table.find(pid)
    expect(row).toMatchObject({ pid, uid: process.getuid?.() })
    expect(row?.startTime).not.toBe('')
    expect((await table.commandLine(pid)).filter(Boolean)).toEqual(['sleep', '600'])
    expect((await table.all()).map((other) => other.pid)).toContain(pid)
  })

  test('a signal goes only to the very process that was meant', async () => {
    const pid = sleeper()
    const row = await table.find(pid)
    if (!row) throw new Error('the process was not found')
    expect(await signalProcess(table, { pid, startTime: 'another' }, 'SIGKILL')).toBe(false)
    expect(await isAlive(table, row)).toBe(true)
    expect(await signalProcess(table, row, 'SIGKILL')).toBe(true)
    const child = children[0]
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    expect(await isAlive(table, row)).toBe(false)
    expect(await signalProcess(table, row, 'SIGKILL')).toBe(false)
    expect(await table.find(pid)).toBeUndefined()
  })
})

test.runIf(process.platform === 'linux')(
  'a process that leads a session is a member of it, and has a directory',
  async () => {
    const pid = sleeper()
    const row = await procTable.find(pid)
    expect(row && procTable.isInSession(row, { leader: pid, tty: '' })).toBe(true)
    expect(await procTable.currentDirectory(pid)).toBe('/usr')
  }
)
