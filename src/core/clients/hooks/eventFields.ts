/** A field of foreign data; undefined when there is none. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value))[name] : undefined
}

/** The first of these that is a text with something in it. */
export function firstText(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '')
}

/** What an agent wants to be allowed, as `Bash: rm -rf build`. */
export function wantedTool(tool: unknown, input: unknown): string | undefined {
  const name = firstText(tool)
  const what = firstText(
    ...['command', 'file_path', 'url', 'description', 'plan'].map((field) => fieldOf(input, field))
  )
  return what === undefined ? name : name === undefined ? what : `${name}: ${what}`
}

/** The question of a tool by which an agent asks the person. */
export function askedQuestion(input: unknown): string | undefined {
  const questions = fieldOf(input, 'questions')
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined
  return firstText(fieldOf(first, 'question'), fieldOf(input, 'question'))
}
