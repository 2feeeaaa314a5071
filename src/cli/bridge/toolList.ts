import type { Fields } from './messages'
import { fieldsOf } from './messages'

/** The list of tools as last seen: what the client was shown, and which tools only read. */
export class ToolList {
  readonly #ownTools: () => Promise<Fields[]>
  #readers: ReadonlySet<unknown> | undefined
  #shown: string | undefined

  constructor(ownTools: () => Promise<Fields[]>) {
    this.#ownTools = ownTools
  }

  /** Remembers what the host says. True when the client was shown something else before. */
  isNews(tools: readonly unknown[]): boolean {
    this.#remember(tools)
    return this.#shown !== undefined && this.#shown !== JSON.stringify(tools)
  }

  get wasShown(): boolean {
    return this.#shown !== undefined
  }

  shown(tools: readonly unknown[]): void {
    this.#remember(tools)
    this.#shown = JSON.stringify(tools)
  }

  /** The tools of this version, for when there is no host to ask. */
  own(): Promise<Fields[]> {
    return this.#ownTools()
  }

  async isReader(name: unknown): Promise<boolean> {
    if (!this.#readers) this.#remember(await this.#ownTools())
    return this.#readers?.has(name) === true
  }

  #remember(tools: readonly unknown[]): void {
    const all = tools.map(fieldsOf)
    this.#readers = new Set(
      all.filter(({ annotations }) => fieldsOf(annotations).readOnlyHint === true).map(({ name }) => name)
    )
  }
}
