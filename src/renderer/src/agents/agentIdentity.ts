/** Hues of the chips; the letter says the same, so colour is never all. */
export const AGENT_HUES = 6

export interface AgentIdentity {
  /** As people call it. */
  title: string
  letter: string
  /** Which of the hues, from 0. */
  hue: number
}

/** What programs call themselves, where that is not what people call them. */
const TITLES: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  'claude-ai': 'Claude Desktop',
  'codex-mcp-client': 'Codex',
  'gemini-cli-mcp-client': 'Gemini CLI',
  'cursor-vscode': 'Cursor',
  'Visual Studio Code': 'VS Code'
}

/** How an agent looks, by its place among all that ever came: assigned once, so it stays. */
export function identityOf(known: readonly string[], name: string): AgentIdentity {
  const index = known.indexOf(name)
  const place = index === -1 ? known.length : index
  const taken = new Set<string>()
  for (const earlier of known.slice(0, place)) taken.add(freeLetter(titleOf(earlier), taken))
  const title = titleOf(name)
  return { title, letter: freeLetter(title, taken), hue: place % AGENT_HUES }
}

/** As people call it. */
export function titleOf(name: string): string {
  return TITLES[name] ?? name
}

/** The first letter of its name that no earlier agent has. */
function freeLetter(title: string, taken: ReadonlySet<string>): string {
  const letters = [...title.toUpperCase()].filter((character) => /[\p{L}\p{N}]/u.test(character))
  return letters.find((letter) => !taken.has(letter)) ?? letters[0] ?? '?'
}
