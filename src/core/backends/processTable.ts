import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { promisify } from 'node:util'

/** A process beyond doubt: a pid alone may be another process by now. */
export interface ProcessIdentity {
  pid: number
  /** As the system writes it; only ever compared. */
  startTime: string
}

export interface ProcessRow extends ProcessIdentity {
  uid: number
  sessionId: number
  /** Device of the controlling terminal as the system names it: a number in /proc, `pts/3` or `ttys003` in ps. */
  terminal: string
  /** One letter: R running, S sleeping, T stopped, Z ended but not yet collected. */
  state: string
  foregroundGroup: number
}

/** What the system says about its processes. Ended ones that nobody collected yet do not count as alive. */
export interface ProcessTable {
  all(): Promise<ProcessRow[]>
  find(pid: number): Promise<ProcessRow | undefined>
  commandLine(pid: number): Promise<string[]>
  currentDirectory(pid: number): Promise<string | undefined>
  /** Processes of the session that this leader began; on systems that hide session ids, those on its terminal. */
  isInSession(row: ProcessRow, session: { leader: number; tty: string }): boolean
}

/** How old a reading of all processes may be: signals look at their own process again anyway. */
const SHARED_READING_MS = 20

export function systemProcesses(): ProcessTable {
  return sharingReadings(process.platform === 'linux' ? procTable : psTable)
}

/** Terminals that end at the same time look at the whole system once, not each for itself. */
export function sharingReadings(table: ProcessTable): ProcessTable {
  let latest: { rows: Promise<ProcessRow[]>; readAtMs: number } | undefined
  return {
    ...table,
    all() {
      const nowMs = performance.now()
      if (!latest || nowMs - latest.readAtMs > SHARED_READING_MS) latest = { rows: table.all(), readAtMs: nowMs }
      return latest.rows
    }
  }
}

export async function isAlive(table: ProcessTable, { pid, startTime }: ProcessIdentity): Promise<boolean> {
  const row = await table.find(pid)
  return row !== undefined && row.startTime === startTime
}

/** Signals exactly this process, looked at again right before; false when it is gone. */
export async function signalProcess(
  table: ProcessTable,
  identity: ProcessIdentity,
  signal: NodeJS.Signals
): Promise<boolean> {
  if (!(await isAlive(table, identity))) return false
  try {
    process.kill(identity.pid, signal)
    return true
  } catch (failure) {
    if (isCode(failure, 'ESRCH')) return false
    throw failure
  }
}

/** What one turn of the event loop has read: a hundred terminals that end at once look at the same rows. */
let rowsOfThisTurn: ProcessRow[] | undefined

/** Linux: /proc, read at once so that hardly any time passes between a look and a signal. */
export const procTable: ProcessTable = {
  async all() {
    rowsOfThisTurn ??= readProcRows()
    return rowsOfThisTurn
  },
  find: async (pid) => readProcRow(pid),
  commandLine: async (pid) => ifThere(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')) ?? [],
  currentDirectory: async (pid) => ifThere(() => readlinkSync(`/proc/${pid}/cwd`)),
  isInSession: (row, { leader }) => row.sessionId === leader
}

function readProcRows(): ProcessRow[] {
  setImmediate(() => {
    rowsOfThisTurn = undefined
  })
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => readProcRow(Number(pid))).filter((row) => row !== undefined)
}

function readProcRow(pid: number): ProcessRow | undefined {
  const stat = ifThere(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const uid = ifThere(() => statSync(`/proc/${pid}`).uid)
  if (stat === undefined || uid === undefined) return undefined
  // The name stands in brackets and may hold anything, brackets and spaces too: fields count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = '', , , sessionId, terminal = '', foregroundGroup] = fields
  if (state === 'Z' || state === 'X') return undefined
  return {
    pid,
    uid,
    state,
    terminal,
    startTime: fields[19] ?? '',
    sessionId: Number(sessionId),
    foregroundGroup: Number(foregroundGroup)
  }
}

const PS_COLUMNS = 'pid=,uid=,tty=,stat=,tpgid=,lstart='
const PS_ROW = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(-?\d+)\s+(.+?)\s*$/

/** macOS: ps. Session ids are not shown there, the terminal is. */
export const psTable: ProcessTable = {
  all: () => ps(['-axo', PS_COLUMNS]),
  find: async (pid) => (await ps(['-o', PS_COLUMNS, '-p', String(pid)]))[0],
  async commandLine(pid) {
    const { stdout } = await runPs(['-ww', '-o', 'command=', '-p', String(pid)])
    return stdout.trim().split(' ')
  },
  async currentDirectory(pid) {
    const { stdout } = await run('lsof', ['-a', '-d', 'cwd', '-Fn', '-p', String(pid)]).catch(() => ({ stdout: '' }))
    return /^n(\/.*)$/m.exec(stdout)?.[1]
  },
  isInSession: (row, { tty }) => row.terminal === tty.replace(/^\/dev\//, '')
}

const run = promisify(execFile)

async function ps(args: string[]): Promise<ProcessRow[]> {
  const { stdout } = await runPs(args)
  return stdout
    .split('\n')
    .map(parsePsRow)
    .filter((row) => row !== undefined)
}

// ps answers 1 when there is no such process; any other failure is one.
async function runPs(args: string[]): Promise<{ stdout: string }> {
  try {
    return await run('ps', args, { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 64 * 1024 * 1024 })
  } catch (failure) {
    if (isCode(failure, 1)) return { stdout: '' }
    throw failure
  }
}

function parsePsRow(line: string): ProcessRow | undefined {
  const [, pid, uid, terminal = '', state = '', foregroundGroup, startTime = ''] = PS_ROW.exec(line) ?? []
  if (pid === undefined || state.startsWith('Z')) return undefined
  return {
    pid: Number(pid),
    uid: Number(uid),
    sessionId: 0,
    terminal,
    state: state.slice(0, 1),
    foregroundGroup: Number(foregroundGroup),
    startTime
  }
}

// A process may end between any two looks at it.
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (failure) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].some((code) => isCode(failure, code))) return undefined
    throw failure
  }
}

function isCode(failure: unknown, code: string | number): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === code
}
