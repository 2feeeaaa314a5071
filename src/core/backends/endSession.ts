import { type ProcessIdentity, type ProcessRow, type ProcessTable, signalProcess } from './processTable'

const PATIENCE_MS = 2_000
const KILL_LIMIT_MS = 5_000
const LOOK_MS = 25

export interface SessionOfProcesses {
  /** The program tmux started: its pid is the id of the session. */
  leader: number
  /** Its start, where it was seen alive; another process with its pid proves that the session is over. */
  leaderStartTime: string | undefined
  tty: string
}

/**
 * Ends every process of a terminal's session: HUP and TERM, and KILL for what is left after 2 s. Looks again and again,
 * so what is forked meanwhile is ended too. Returns whether nothing is left.
 */
export async function endSession(
  table: ProcessTable,
  session: SessionOfProcesses,
  { force = false }: { force?: boolean } = {}
): Promise<boolean> {
  if (
    !force &&
    (await untilGone(table, session, { signals: ['SIGHUP', 'SIGTERM', 'SIGCONT'], limitMs: PATIENCE_MS }))
  ) {
    return true
  }
  return untilGone(table, session, { signals: ['SIGKILL'], limitMs: KILL_LIMIT_MS })
}

async function untilGone(
  table: ProcessTable,
  session: SessionOfProcesses,
  { signals, limitMs }: { signals: NodeJS.Signals[]; limitMs: number }
): Promise<boolean> {
  const told = new Map<string, boolean>()
  for (const end = performance.now() + limitMs; ; ) {
    const members = (await membersOf(table, session)).filter((member) => told.get(keyOf(member)) !== false)
    if (members.length === 0 || performance.now() > end) return members.length === 0
    for (const member of members) {
      if (!told.has(keyOf(member))) told.set(keyOf(member), await tell(table, member, signals))
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** False: the process is another user's (sudo) and not ours to end; it gets its hang-up when the terminal closes. */
async function tell(table: ProcessTable, member: ProcessIdentity, signals: NodeJS.Signals[]): Promise<boolean> {
  try {
    for (const signal of signals) await signalProcess(table, member, signal)
    return true
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && failure.code === 'EPERM') return false
    throw failure
  }
}

// The leader is asked for itself: a shared reading may be older than the program, and one that was just forked is not yet
// the leader of its session.
async function membersOf(table: ProcessTable, session: SessionOfProcesses): Promise<ProcessRow[]> {
  const leader = await table.find(session.leader)
  if (leader && leader.startTime !== session.leaderStartTime) return []
  const others = (await table.all()).filter((row) => row.pid !== session.leader && table.isInSession(row, session))
  return leader ? [leader, ...others] : others
}

function keyOf({ pid, startTime }: ProcessIdentity): string {
  return `${pid} ${startTime}`
}
