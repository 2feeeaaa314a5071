import { AppError } from '../../../shared/errors'
import { BOM, isSame, jsonOf, notAlone } from '../configText'
import { jsonWithItem, jsonWithout, jsonWithoutItem } from '../jsonText'
import { shownCommand } from '../shownCommand'
import { ASKING_TOOLS } from './claudeCodeEvents'

const KEY = 'hooks'
/** In seconds: longer than the command ever takes, so that an agent is never kept waiting for a machine that hangs. */
const TIMEOUT = 5
const asking = { matcher: ASKING_TOOLS.join('|') }

/** On which of its events it calls us. Of its tools, only those by which it asks: a process for each of the others would slow it down. */
const EVENTS: Readonly<Record<string, { matcher?: string }>> = {
  SessionStart: {},
  UserPromptSubmit: {},
  PreToolUse: asking,
  PostToolUse: asking,
  Notification: {},
  Stop: {},
  SessionEnd: {}
}

/** Its `settings.json` with our hooks, or without them; everything else stays as it is, byte for byte. */
export function withClaudeCodeHooks(text: string, words: readonly string[] | undefined): string {
  if (words && isThere(text, words)) return text
  const bom = text.startsWith(BOM) ? BOM : ''
  let body = withoutOurs(text.slice(bom.length))
  // Each is put in before what is there.
  for (const [name, group] of Object.entries(words ? EVENTS : {}).reverse()) {
    body = jsonWithItem(body, { key: KEY, name }, groupOf(group, words ?? []))
  }
  if (!isSame(modelOf(bom + body, undefined, true), modelOf(text, undefined, true))) throw notAlone(KEY)
  if (!isSame(jsonOf(bom + body), modelOf(bom + body, words))) throw notAlone(KEY)
  return bom + body
}

/** Each of our hooks is there once, as we would write it, wherever it stands among the others. */
function isThere(text: string, words: readonly string[]): boolean {
  const present = Object.entries(objectOf(objectOf(jsonOf(text))[KEY] ?? {}))
  const ours = present.map(([name, list]) => [name, listOf(list).filter(isOurs)] as const)
  const wanted = Object.entries(EVENTS).map(([name, group]) => [name, [groupOf(group, words)]] as const)
  return isSame(Object.fromEntries(ours.filter(([, list]) => list.length > 0)), Object.fromEntries(wanted))
}

function groupOf(group: { matcher?: string }, words: readonly string[]): object {
  return { ...group, hooks: [{ type: 'command', command: shownCommand(words), timeout: TIMEOUT }] }
}

/** What the file says without our hooks, and with these; `isBare`: lists and a key that are empty then say nothing. */
function modelOf(text: string, words: readonly string[] | undefined, isBare = false): unknown {
  const all = objectOf(jsonOf(text))
  const hooks = Object.entries(objectOf(all[KEY] ?? {})).map(([name, list]) => [name, listOf(list)] as const)
  const others = new Map(hooks.map(([name, list]) => [name, list.filter((group) => !isOurs(group))]))
  for (const [name, list] of hooks) if (list.length > 0 && others.get(name)?.length === 0) others.delete(name)
  for (const [name, group] of Object.entries(words ? EVENTS : {})) {
    others.set(name, [...(others.get(name) ?? []), groupOf(group, words ?? [])])
  }
  const { [KEY]: _, ...rest } = all
  const kept = [...others].filter(([, list]) => !isBare || list.length > 0)
  return (isBare || all[KEY] === undefined) && kept.length === 0 ? rest : { ...rest, [KEY]: Object.fromEntries(kept) }
}

function withoutOurs(text: string): string {
  let body = text
  for (const [name, list] of Object.entries(objectOf(objectOf(jsonOf(text))[KEY] ?? {}))) {
    const ours = listOf(list).map(isOurs)
    if (!ours.includes(true)) continue
    if (!ours.includes(false)) body = jsonWithout(body, { key: KEY, name })
    else
      for (const index of [...ours.keys()].reverse())
        if (ours[index]) body = jsonWithoutItem(body, { key: KEY, name }, index)
  }
  return body
}

/** A group that runs our command and nothing else, wherever our program was when it was written. */
function isOurs(group: unknown): boolean {
  if (typeof group !== 'object' || group === null || !('hooks' in group) || !Array.isArray(group.hooks)) return false
  const [only, ...more]: unknown[] = group.hooks
  if (more.length > 0 || typeof only !== 'object' || only === null || !('command' in only)) return false
  return (
    typeof only.command === 'string' && /(?:^|[/\s])tandem(?:\.m?js)?'? hook claude-code(?:\s|$)/.test(only.command)
  )
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw noPlace()
  return Object.fromEntries(Object.entries(value))
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw noPlace()
  return value
}

function noPlace(): AppError {
  return new AppError(
    'INVALID_ARGUMENTS',
    `"${KEY}" in the file is not what Claude Code reads`,
    'It was left as it is.'
  )
}
