import { basename } from 'node:path'
import type { ForegroundProgram } from './backend'
import type { ProcessRow, ProcessTable } from './processTable'

/** The program that has the terminal of this session leader. */
export async function foregroundOf(processes: ProcessTable, leader: ProcessRow): Promise<ForegroundProgram> {
  const { foregroundGroup } = leader
  // No group at all: the leader has given its terminal away, and it is nobody's.
  const pid = foregroundGroup > 0 ? foregroundGroup : leader.pid
  const words = (await processes.commandLine(pid)).filter((word) => word !== '')
  // A login shell calls itself "-bash".
  return { pid, isOwnProgram: pid === leader.pid, name: basename(words[0] ?? '').replace(/^-/, ''), words }
}
