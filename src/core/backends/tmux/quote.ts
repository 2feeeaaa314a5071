const BARE = /^[A-Za-z0-9_./:=@+,-]+$/
const PLAIN_BYTE = /^[A-Za-z0-9_./:=@+, -]$/

/** One tmux command: its name, then its arguments as they should arrive. */
export type Command = readonly [name: string, ...args: string[]]

/**
 * An argument that tmux's own parser reads back byte for byte. Everything that could mean something to it ($ ~ # ; quotes,
 * newlines, non-ASCII) becomes an octal escape inside double quotes. NUL cannot travel in an argument at all.
 */
export function quoteArgument(value: string): string {
  if (value.includes('\0')) throw new RangeError('An argument for tmux may not contain a NUL byte')
  if (BARE.test(value)) return value
  return `"${[...Buffer.from(value)].map(quoteByte).join('')}"`
}

function quoteByte(byte: number): string {
  const character = String.fromCharCode(byte)
  return PLAIN_BYTE.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`
}

/** One command sequence: tmux runs it without looking at its terminals in between, and stops at the first refusal. */
export function commandLine(commands: readonly Command[]): string {
  return commands.map((command) => command.map(quoteArgument).join(' ')).join(' ; ')
}

/** Commands, or the line that they make, for one who says the same again and again. */
export type Sequence = readonly Command[] | string

/**
 * For arguments that tmux expands as formats: `x#(cmd)` would otherwise run `cmd`. A run of # before [ begins a style, which
 * tmux passes on as it is; doubled, it would come out doubled.
 */
export function literalFormat(value: string): string {
  return value.replaceAll(/#+\[?/g, (run) => (run.endsWith('[') ? run : run + run))
}
