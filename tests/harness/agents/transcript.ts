import type { McpClient } from '../mcpClients'
import type { World } from '../tandem'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TMUX_NAME = /\bmc-([A-Za-z0-9-]+)-[a-z0-9]{4}\b/g
const SHORT_HANDLE = /\bsess_([0-9a-f]{8})\b/g
/** Numbers that are others each time; what they are called stays. */
const VARYING: readonly [RegExp, string][] = [
  [/(duration[^0-9\n]{0,5})\d+/gi, '$112'],
  [/\b\d+(?:\.\d+)? (ms|s)\b/g, '12 $1'],
  [/(pid[^0-9\n]{0,5})\d+/gi, '$14321'],
  [/((?:next_index|cursor|since_index|revision)[^0-9\n]{0,5})\d+/gi, '$1120'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-01-01T12:00:00.000Z'],
  [/\bcmd_\w+/g, 'cmd_5e550001_3'],
  [/(\bindex )\d+/g, '$1120'],
  [/@\d+:/g, '@80:'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:7681']
]

/** What an agent called and what it was told, in words that are the same in every run. */
export class Transcript {
  readonly #client: McpClient
  readonly #world: World
  readonly #names = new Map<string, string>()
  readonly #lines: string[] = []

  constructor(client: McpClient, world: World) {
    this.#client = client
    this.#world = world
  }

  /** Calls a tool and writes down both sides; returns what a program would read of the answer. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const answer = await this.#client.call(name, args)
    const text = answer.content.map((part) => part.text ?? '').join('\n')
    this.#lines.push(this.#same(`> ${name} ${JSON.stringify(args)}`), this.#same(text.trimEnd()), '')
    return answer.structuredContent ?? {}
  }

  /** Something that happens meanwhile. */
  note(words: string): void {
    this.#lines.push(`(${words})`, '')
  }

  toString(): string {
    return `\`\`\`text\n${this.#lines.join('\n').trimEnd()}\n\`\`\``
  }

  #same(text: string): string {
    const { project, home } = this.#world
    const named = text
      .replaceAll(UUID, (id) => this.#uuid(id))
      .replaceAll(SHORT_HANDLE, (_, digits: string) => `sess_${this.#digits(digits)}`)
      .replaceAll(TMUX_NAME, (name, session: string) => `mc-${session}-${this.#numbered('tmux', name)}`)
      .replaceAll(project, '/home/you/project')
      .replaceAll(home, '/home/you')
    return VARYING.reduce((words, [pattern, replacement]) => words.replaceAll(pattern, replacement), named)
  }

  #uuid(id: string): string {
    return `${this.#digits(id.slice(0, 8))}-1234-4abc-8def-0123456789ab`
  }

  /** A terminal keeps its eight digits, whichever of its handles is used. */
  #digits(digits: string): string {
    return `5e55000${this.#numbered('id', digits).slice(-1)}`
  }

  #numbered(kind: string, name: string): string {
    const known = this.#names.get(kind + name)
    if (known !== undefined) return known
    const number = [...this.#names.keys()].filter((key) => key.startsWith(kind)).length + 1
    const short = `000${number}`
    this.#names.set(kind + name, short)
    return short
  }
}

/** A page with the transcript of that name put in place of the one that is there. */
export function withTranscript(page: string, name: string, transcript: string): string {
  const place = new RegExp(`(<!-- transcript: ${name} -->\\n)[^]*?(<!-- end -->)`)
  if (!place.test(page)) throw new Error(`docs/agents.md has no place for the transcript "${name}"`)
  return page.replace(place, (_, begin: string, end: string) => `${begin}${transcript}\n${end}`)
}
