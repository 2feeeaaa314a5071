import type { WireError } from '../../../shared/errors'
import type { Bridge } from '../../../shared/ipc'
import type { EndedTerminal, TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { coalesced } from '../stores/coalesced'
import { endedOffer, putEndedOffer } from '../stores/endedOffers'
import { workspaceId } from '../stores/workspaceId'

export interface OfferActionsOptions {
  bridge: Bridge
  workspace: WorkspaceKey
  onError(error: WireError): void
  onNotice(message: string): void
}

/** What can be done about terminals that ended although nobody closed them: start them again, or let them go. */
export class OfferActions {
  readonly #options: OfferActionsOptions
  readonly #id: string
  readonly #load: () => Promise<void>

  constructor(options: OfferActionsOptions) {
    this.#options = options
    this.#id = workspaceId(options.workspace)
    this.#load = coalesced(() => this.#fetch())
  }

  /** An offer that cannot be had now is none; what is wrong shows where the tabs are. */
  refresh = async (): Promise<void> => {
    if (!endedOffer(this.#id).isBusy) await this.#load()
  }

  /** One after the other, from left to right, so that each finds its place. The first that runs, for the focus. */
  startAgain = (): Promise<TerminalId | undefined> =>
    this.#busy(async (terminals) => {
      const started: TerminalId[] = []
      for (const { id } of terminals) {
        const restarted = await this.#restart(id)
        if (restarted !== undefined) started.push(restarted)
      }
      return started[0]
    })

  forget = (): Promise<void> =>
    this.#busy(async (terminals) => {
      const { bridge, workspace, onError } = this.#options
      const ids = terminals.map(({ id }) => id)
      const forgotten = await bridge.forgetEnded(workspace, ids)
      if (!forgotten.ok) onError(forgotten.error)
    })

  async #restart(id: TerminalId): Promise<TerminalId | undefined> {
    const { bridge, workspace, onError, onNotice } = this.#options
    const restarted = await bridge.restartTerminal(workspace, id)
    if (!restarted.ok) return void onError(restarted.error)
    for (const warning of restarted.value.warnings) onNotice(warning)
    return restarted.value.id
  }

  async #busy<T>(run: (terminals: EndedTerminal[]) => Promise<T>): Promise<T> {
    putEndedOffer(this.#id, { isBusy: true })
    try {
      return await run(endedOffer(this.#id).terminals)
    } finally {
      putEndedOffer(this.#id, { isBusy: false })
      await this.#load()
    }
  }

  async #fetch(): Promise<void> {
    const { bridge, workspace } = this.#options
    const ended = await bridge.listEnded(workspace)
    const offered = ended.ok ? ended.value.filter((terminal) => terminal.offered) : []
    putEndedOffer(this.#id, { terminals: offered.toSorted((left, right) => left.order - right.order) })
  }
}
