import type { AgentReport, AgentState } from '../../shared/activity'

/** A question is read at a glance; more of it stands in the terminal. */
const MAX_MESSAGE_CHARACTERS = 500
const MAX_NAME_CHARACTERS = 60
// Controls, and what hides or reorders text: a message comes from whatever runs in the terminal.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]+/gu

/** The agent that runs in a terminal, as its own hooks tell. It is held in memory alone: nothing of it is written anywhere. */
export class RunningAgent {
  readonly #isAtPrompt: () => boolean
  readonly #listeners = new Set<() => void>()
  #current: AgentState | null = null

  constructor({ isAtPrompt }: { isAtPrompt(): boolean }) {
    this.#isAtPrompt = isAtPrompt
  }

  /** Null when none runs, or it does not tell. */
  get current(): AgentState | null {
    return this.#current
  }

  /** Whether that changed anything. A report that comes late, when the shell is at its prompt again, is about nobody. */
  report({ agent, state, message }: AgentReport): boolean {
    if (state === 'gone') return this.left()
    if (this.#isAtPrompt()) return false
    const next = {
      name: oneLine(agent, MAX_NAME_CHARACTERS),
      state,
      message: oneLine(message ?? '', MAX_MESSAGE_CHARACTERS) || null,
      since: new Date().toISOString()
    }
    if (this.#isKnown(next)) return false
    this.#become(next)
    return true
  }

  get isAsking(): boolean {
    return this.#current?.state === 'needs-you'
  }

  /** Somebody pressed a key: what it asked has its answer. */
  answered(): void {
    if (this.#current?.state !== 'needs-you') return
    this.#become({ ...this.#current, state: 'working', message: null, since: new Date().toISOString() })
  }

  /** Its program has ended. */
  left(): boolean {
    if (this.#current === null) return false
    this.#become(null)
    return true
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Told again without words it is the same news, and of a question the first telling says most: the reminder of it comes
   * later. Words at the end of a turn are those of another turn: not every client tells that it has begun.
   */
  #isKnown({ name, state, message }: AgentState): boolean {
    const known = this.#current
    if (known?.name !== name || known.state !== state) return false
    return message === null || (known.message !== null && state !== 'done')
  }

  #become(next: AgentState | null): void {
    this.#current = next
    for (const listener of this.#listeners) listener()
  }
}

/** Text from outside on one line, without anything that a person cannot see. */
function oneLine(text: string, maxCharacters: number): string {
  const shown = text
    .slice(0, maxCharacters * 4)
    .replace(UNSEEN, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  const characters = [...shown]
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters - 1).join('')}…` : shown
}
