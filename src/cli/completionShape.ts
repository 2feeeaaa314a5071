import type { Command, Option } from 'commander'

/** What a shell must know about one command to complete it. */
export interface CommandShape {
  /** The words that lead there: `[]` is `tandem` itself. */
  path: readonly string[]
  description: string
  flags: readonly FlagShape[]
  /** Its first argument is a terminal. */
  takesTerminal: boolean
  /** The words its first argument can be, when they are few. */
  choices: readonly string[]
  /** Its first argument is a folder. */
  takesFolder: boolean
}

export interface FlagShape {
  names: readonly string[]
  description: string
  /** What follows it: nothing, a directory, or something only the person knows. */
  value: 'none' | 'directory' | 'other'
}

/** Every command a person can see, as declared: there is no second list. */
export function commandShapes(program: Command, path: readonly string[] = []): CommandShape[] {
  const visible = program.createHelp().visibleCommands(program)
  const children = visible.filter((command) => command.name() !== 'help')
  return [shapeOf(program, path), ...children.flatMap((child) => commandShapes(child, [...path, child.name()]))]
}

function shapeOf(command: Command, path: readonly string[]): CommandShape {
  const [argument] = command.registeredArguments
  return {
    path,
    description: command.description(),
    flags: command.createHelp().visibleOptions(command).map(flagShape),
    takesTerminal: argument?.name() === 'terminal',
    choices: argument?.argChoices ?? [],
    takesFolder: path.length === 0 || argument?.name() === 'folder'
  }
}

function flagShape({ short, long, description, flags, required, optional }: Option): FlagShape {
  const names = [short, long].filter((name) => name !== undefined)
  const takesValue = required || optional
  return { names, description, value: takesValue ? (flags.includes('<dir>') ? 'directory' : 'other') : 'none' }
}

/** The commands directly below one. */
export function childrenOf(shapes: readonly CommandShape[], { path }: CommandShape): CommandShape[] {
  const isBelow = (other: CommandShape) =>
    other.path.length === path.length + 1 && path.every((word, index) => other.path[index] === word)
  return shapes.filter(isBelow)
}
