import { randomBytes } from 'node:crypto'
import { fishQuoted, quoted } from './quoted'

export interface MarkedLine {
  /** What is typed. */
  line: string
  /** What the shell then prints around the command's output. */
  start: string
  end: string
  /** The command stands in it as it is. */
  isPlain: boolean
}

/** `unknown`: behind a connection, where no process of this machine says which shell waits. */
export type MarkedShell = 'posix' | 'fish' | 'unknown'

export interface MarkedOptions {
  env: Readonly<Record<string, string>>
  shell?: MarkedShell
}

const HALF_BYTES = 9
/** What a terminal takes as one line where the system itself edits it. */
const MAX_LINE_BYTES = 3500
/** Where lines are edited, what was typed is drawn again with every key: short lines cost the least. */
const PIECE_CHARACTERS = 250
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys that line editors take for themselves
const KEYS = /[\x00-\x09\x0b-\x1f\x7f]/
/** Backslash and quote, which shells read differently inside quotes, and what stands for an earlier line in some. */
const DISPUTED = /[\\'\n!]/

/**
 * A line for a shell that we did not set up, which prints a mark before the command and one with its exit code after
 * it. The marks are put together by the shell, so that no echo of the line holds them; the whole is read before any of
 * it runs, so that nothing of it is left for a command that reads its input.
 */
export function markedLine(command: string, { env, shell = 'posix' }: MarkedOptions): MarkedLine {
  const [one, two, three, four] = Array.from({ length: 4 }, () => randomBytes(HALF_BYTES).toString('hex'))
  const begin = `printf '\\033]7777;%s%s\\007' ${one} ${two}; `
  const finish = `printf '\\033]7777;%s%s;%s\\007' ${three} ${four}`
  const posix = posixAround({ env, begin, finish })
  const fish = fishAround({ env, begin, finish })
  const text = `${posix.before}${command}${posix.after}`
  const isPlain =
    shell === 'posix' && !KEYS.test(text) && text.split('\n').every((line) => Buffer.byteLength(line) < MAX_LINE_BYTES)
  const encoded = {
    posix: () => `eval "$(${printed(text)})"`,
    fish: () => `eval (${printed(`${fish.before}${command}${fish.after}`)} | string collect)`,
    unknown: () => eitherText(command, { posix, fish })
  }
  return {
    line: ` ${isPlain ? text : encoded[shell]()}`,
    start: `7777;${one}${two}`,
    end: `7777;${three}${four}`,
    isPlain
  }
}

interface Parts {
  env: Readonly<Record<string, string>>
  begin: string
  finish: string
}

/** What stands around a command. */
interface Around {
  before: string
  after: string
}

function posixAround({ env, begin, finish }: Parts): Around {
  const names = Object.keys(env)
  const set = names.map((name) => `${saved(name)}=\${${name}+set$${name}}; export ${name}=${quoted(env[name] ?? '')}; `)
  const unset = names.map((name) => restored(name))
  return { before: `${set.join('')}${begin}{ `, after: `\n}; ${[`${finish} "$?"`, ...unset].join('; ')}` }
}

/** In fish a variable of a block ends with it. */
function fishAround({ env, begin, finish }: Parts): Around {
  const set = Object.entries(env).map(([name, value]) => `set -lx ${name} ${fishQuoted(value)}; `)
  return { before: `begin; ${set.join('')}${begin}begin; `, after: `\nend; ${finish} $status; end` }
}

/**
 * A line that POSIX shells and fish (3.4 and later) read alike: what stands around the command is chosen by the shell,
 * in a substitution that it alone sees, and only then read. There a variable that is not set is no error; fish, for
 * which that is no option, says so to nobody.
 */
function eitherText(command: string, { posix, fish }: { posix: Around; fish: Around }): string {
  const either = (part: keyof Around): string =>
    `test -n "$FISH_VERSION" && ${printed(fish[part])} || ${printed(posix[part])}`
  return `eval "$(set +u 2>/dev/null; ${either('before')}; ${printed(command)}; ${either('after')})"`
}

/** In short lines without any key that a line editor takes for itself; the shell puts them together. */
function printed(text: string): string {
  const letters = [...text].map((letter) => (DISPUTED.test(letter) || KEYS.test(letter) ? octal(letter) : letter))
  const pieces: string[] = []
  for (let at = 0; at < letters.length; at += PIECE_CHARACTERS) {
    pieces.push(`'${letters.slice(at, at + PIECE_CHARACTERS).join('')}'`)
  }
  return `printf %b ${pieces.join('\\\n')}`
}

function octal(letter: string): string {
  return `\\0${letter.charCodeAt(0).toString(8).padStart(3, '0')}`
}

function saved(name: string): string {
  return `_tandem_${name}`
}

function restored(name: string): string {
  const kept = saved(name)
  return `case $${kept} in set*) ${name}=\${${kept}#set};; *) unset ${name};; esac; unset ${kept}`
}
