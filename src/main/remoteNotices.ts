import { app } from 'electron'
import type { Logger } from '../core/log'
import { UiClient } from '../server/uiClient'
import { needsYou, type TerminalActivity } from '../shared/activity'
import type { HistoryEntry } from '../shared/history'
import type { TerminalId, TerminalSession, WorkspaceKey } from '../shared/terminal'
import { showNotice } from './notices'
import { askingNotice, finishedNotice, type NoticeRules, needsYouNotice } from './notifications'

const TRY_AGAIN_MS = 2_000

export interface RemoteNoticeSources {
  /** A fresh one-time address of the host. */
  openUrl(): Promise<string>
  /** Brings the terminal before the person's eyes. */
  showTerminal(workspace: WorkspaceKey, id: TerminalId): void
  log: Logger
}

/** The same notices for terminals that another process has: this one hears of them as a window of its does. */
export function followRemoteNotices(sources: RemoteNoticeSources): () => void {
  let follower: RemoteNotices | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const follow = async () => {
    const opened = await RemoteNotices.open(sources, again)
    if (isStopped) opened.close()
    else follower = opened
  }
  const start = () =>
    void follow().catch((err: unknown) => {
      sources.log.warn({ err }, 'the host of the terminals tells nothing')
      again()
    })
  const again = () => {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(start, TRY_AGAIN_MS).unref()
  }
  start()
  return () => {
    isStopped = true
    clearTimeout(timer)
    follower?.close()
  }
}

/** One line to the host, from its opening to its end. */
class RemoteNotices {
  readonly #sources: RemoteNoticeSources
  readonly #client: UiClient
  #rules: NoticeRules
  #activity: ReadonlyMap<TerminalId, TerminalActivity> = new Map()
  /** The commands that were over at the last look. */
  #over: ReadonlySet<string>

  private constructor(
    sources: RemoteNoticeSources,
    client: UiClient,
    first: { rules: NoticeRules; over: Set<string> }
  ) {
    this.#sources = sources
    this.#client = client
    this.#rules = first.rules
    this.#over = first.over
    client.listen({
      activityChanged: (changes) => this.#attempt(() => this.#changed(changes)),
      historyChanged: () => this.#attempt(() => this.#lookAtHistory()),
      // A terminal that is gone waits for nobody, and only the whole list says so.
      workspaceChanged: () => this.#attempt(() => this.#lookAtAll()),
      settingsChanged: ({ values }) => {
        this.#rules = values
      }
    })
    this.#attempt(() => this.#lookAtAll())
  }

  static async open(sources: RemoteNoticeSources, closed: () => void): Promise<RemoteNotices> {
    const client = await UiClient.open(await sources.openUrl(), closed)
    const { values: rules } = await client.call('readSettings')
    const over = new Set(overIn(await client.call('listHistory')).map(({ id }) => id))
    return new RemoteNotices(sources, client, { rules, over })
  }

  close(): void {
    this.#client.close()
  }

  async #lookAtAll(): Promise<void> {
    const listed = await this.#client.call('listActivity')
    const known = this.#activity
    this.#activity = new Map(listed.map((now) => [now.id, known.get(now.id) ?? now]))
    await this.#changed(listed)
  }

  async #changed(changes: readonly TerminalActivity[]): Promise<void> {
    const before = this.#activity
    this.#activity = new Map([...before, ...changes.map((now) => [now.id, now] as const)])
    app.setBadgeCount([...this.#activity.values()].filter(needsYou).length)
    for (const now of changes) if (needsYou(now)) await this.#tellNeed(now, before.get(now.id))
  }

  async #tellNeed(now: TerminalActivity, before: TerminalActivity | undefined): Promise<void> {
    const asks = now.agentState && now.agentState.since !== before?.agentState?.since ? now.agentState : undefined
    const place = before?.needsPerson && !asks ? undefined : await this.#placeOf(now.id)
    if (!place) return
    const { workspace, tab } = place
    const show = () => this.#sources.showTerminal(workspace, tab.id)
    showNotice(needsYouNotice(tab.name, { before, now, rules: this.#rules }), show)
    if (asks) showNotice(askingNotice({ ...workspace, name: tab.name }, asks, this.#rules), show)
  }

  async #lookAtHistory(): Promise<void> {
    const over = overIn(await this.#client.call('listHistory'))
    const known = this.#over
    this.#over = new Set(over.map(({ id }) => id))
    for (const { id, deed, terminal, workspace } of over) {
      if (known.has(id) || deed.kind !== 'command' || !terminal || !workspace) continue
      const show = () => this.#sources.showTerminal(workspace, terminal.id)
      showNotice(finishedNotice(terminal.name, deed, this.#rules), show)
    }
  }

  async #placeOf(id: TerminalId): Promise<{ workspace: WorkspaceKey; tab: TerminalSession } | undefined> {
    for (const { project, session } of await this.#client.call('listWorkspaces')) {
      const tab = (await this.#client.call('listTerminals', { project, session })).find((one) => one.id === id)
      if (tab) return { workspace: { project, session }, tab }
    }
    return undefined
  }

  // What a line that is going down does not answer any more is asked again on the next one.
  #attempt(work: () => Promise<void>): void {
    work().catch((err: unknown) => this.#sources.log.debug({ err }, 'the host of the terminals did not answer'))
  }
}

function overIn(history: readonly HistoryEntry[]): HistoryEntry[] {
  return history.filter(({ deed }) => deed.kind === 'command' && !deed.running)
}
