import { AppError } from '../../shared/errors'
import type { WorkspaceKey } from '../../shared/terminal'
import type { LivingTerminal } from '../backends/backend'
import type { Logger } from '../log'
import type { Terminals } from '../terminal/terminals'
import type { KnownWorkspaces } from './knownWorkspaces'
import { projectHashOf, sessionSegments } from './paths'
import { addSummaries, type ReconcileSummary, summaryLine } from './reconcile'
import type { WorkspaceRegistry } from './workspaceRegistry'

const NOTHING_DONE: ReconcileSummary = { removed: 0, killed: 0, adopted: 0 }

export interface ReconcileAllOptions {
  terminals: Terminals
  owner: string
  known: KnownWorkspaces
  registry: WorkspaceRegistry
  log: Logger
}

export interface ReconciledAll {
  summary: ReconcileSummary
  /** Why it is not known what lives; nothing was removed or ended then. */
  doubt: AppError | undefined
}

/** Every workspace that is known, or that a living terminal's stamp names. One that fails stops no other. */
export async function reconcileAll(options: ReconcileAllOptions): Promise<ReconciledAll> {
  const { known, registry, log } = options
  const living = await livingOrDoubt(options)
  const doubt = living instanceof AppError ? living : undefined
  if (!(living instanceof AppError)) remember(living, options)
  const summaries = known.all().map(async (key) => {
    try {
      sessionSegments(key.session)
      return await registry.withReal(key, async (workspace) => (await workspace.reconcile(doubt)).summary)
    } catch (failure) {
      log.warn({ err: failure, ...key }, `A workspace could not be reconciled: ${AppError.from(failure).message}`)
      return NOTHING_DONE
    }
  })
  const summary = addSummaries(await Promise.all(summaries))
  log.info({ ...summary }, summaryLine(summary))
  return { summary, doubt }
}

async function livingOrDoubt({ terminals, log, owner }: ReconcileAllOptions): Promise<LivingTerminal[] | AppError> {
  try {
    const living = await terminals.listLiving()
    return living.filter((one) => isSound(one, owner))
  } catch (failure) {
    const doubt = AppError.from(failure)
    // One that has a code is told by it; where it came from is of use only for a fault of ours.
    const about = doubt.code === 'INTERNAL' ? { err: failure } : { code: doubt.code }
    log.warn(about, `What lives is not known now: nothing is removed or ended. ${doubt.message}`)
    return doubt
  }
}

// A stamp that contradicts itself proves nothing; its terminal is left alone.
function isSound({ stamp }: LivingTerminal, owner: string): boolean {
  try {
    sessionSegments(stamp.session)
  } catch (failure) {
    if (failure instanceof AppError) return false
    throw failure
  }
  return stamp.owner === owner && stamp.projectHash === projectHashOf(stamp.project)
}

function remember(living: readonly LivingTerminal[], { known, log }: ReconcileAllOptions): void {
  for (const { project, session } of living.map(({ stamp }): WorkspaceKey => stamp)) {
    try {
      known.add({ project, session })
    } catch (failure) {
      log.warn({ err: failure }, 'The list of known workspaces could not be written')
    }
  }
}
