// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const SGR = /\x1b\[([\d;:]*)m/g

// What each parameter sets: a later one of the same group replaces it.
const GROUPS: readonly [group: string, matches: (parameter: number) => boolean][] = [
  ['weight', (parameter) => parameter === 1 || parameter === 2 || parameter === 22],
  ['foreground', (parameter) => (parameter >= 30 && parameter <= 39) || (parameter >= 90 && parameter <= 97)],
  ['background', (parameter) => (parameter >= 40 && parameter <= 49) || (parameter >= 100 && parameter <= 107)],
  ['underlineColour', (parameter) => parameter === 58 || parameter === 59]
]

/**
 * Follows the colours and attributes of captured text, so that a line can be ended with a clean pen and the next begun
 * with the right one: an emulator fills lines that scroll in with the pen's background.
 */
export class Pen {
  readonly #set = new Map<string, string>()

  /** The sequences that bring a reset pen to where this text leaves it. */
  get sequence(): string {
    return this.#set.size === 0 ? '' : `\x1b[${[...this.#set.values()].join(';')}m`
  }

  follow(text: string): void {
    for (const match of text.matchAll(SGR)) this.#apply((match[1] ?? '').split(';'))
  }

  #apply(parameters: string[]): void {
    for (let index = 0; index < parameters.length; ) {
      const length = colourLength(parameters, index)
      this.#put(Number.parseInt(parameters[index] || '0', 10), parameters.slice(index, index + length).join(';'))
      index += length
    }
  }

  #put(parameter: number, text: string): void {
    if (parameter === 0) this.#set.clear()
    else this.#set.set(GROUPS.find(([, matches]) => matches(parameter))?.[0] ?? String(parameter), text)
  }
}

// `38;5;n` and `38;2;r;g;b` are one parameter in several parts; with colons they are in one part already.
function colourLength(parameters: string[], index: number): number {
  if (!/^[345]8$/.test(parameters[index] ?? '')) return 1
  return parameters[index + 1] === '5' ? 3 : parameters[index + 1] === '2' ? 5 : 1
}
