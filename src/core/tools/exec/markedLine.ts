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

export interface MarkedOptions {
  env: Readonly<Record<string, string>>
  isFish?: boolean
}

const HALF_BYTES = 9
/** What a terminal takes as one line where the system itself edits it. */
const MAX_LINE_BYTES = 3500
/** Where lines are edited, what was typed is drawn again with every key: short lines cost the least. */
const PIECE_CHARACTERS = 250
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys that line editors take for themselves
const KEYS = /[\x00-\x09\x0b-\x1f\x7f]/

/**
 * A line for a shell that we did not set up, which prints a mark before the command and one with its exit code after
 * it. The marks are put together by the shell, so that no echo of the line holds them; the whole is read before any of
 * it runs, so that nothing of it is left for a command that reads its input.
 */
export function markedLine(command: string, { env, isFish = false }: MarkedOptions): MarkedLine {
  const [one, two, three, four] = Array.from({ length: 4 }, () => randomBytes(HALF_BYTES).toString('hex'))
  const begin = `printf '\\033]7777;%s%s\\007' ${one} ${two}; `
  const finish = `printf '\\033]7777;%s%s;%s\\007' ${three} ${four}`
  const text = isFish ? fishText(command, { env, begin, finish }) : posixText(command, { env, begin, finish })
  const isPlain =
    !isFish && !KEYS.test(text) && text.split('\n').every((line) => Buffer.byteLength(line) < MAX_LINE_BYTES)
  return {
    line: ` ${isPlain ? text : encoded(text, isFish)}`,
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

function posixText(command: string, { env, begin, finish }: Parts): string {
  const names = Object.keys(env)
  const set = names.map((name) => `${saved(name)}=\${${name}+set}$${name}; export ${name}=${quoted(env[name] ?? '')}; `)
  const unset = names.map((name) => restored(name))
  return `${set.join('')}${begin}{ ${command}\n}; ${[`${finish} "$?"`, ...unset].join('; ')}`
}

/** In fish a variable of a block ends with it. */
function fishText(command: string, { env, begin, finish }: Parts): string {
  const set = Object.entries(env).map(([name, value]) => `set -lx ${name} ${fishQuoted(value)}; `)
  return `begin; ${set.join('')}${begin}begin; ${command}\nend; ${finish} $status; end`
}

/** In short lines without any key that a line editor takes for itself; the shell puts them together and reads that. */
function encoded(text: string, isFish: boolean): string {
  const letters = [...text].map((letter) => (/[\\'\n]/.test(letter) || KEYS.test(letter) ? octal(letter) : letter))
  const pieces: string[] = []
  for (let at = 0; at < letters.length; at += PIECE_CHARACTERS) {
    pieces.push(`'${letters.slice(at, at + PIECE_CHARACTERS).join('')}'`)
  }
  const word = pieces.join('\\\n')
  return isFish ? `eval (printf %b ${word} | string collect)` : `eval "$(printf %b ${word})"`
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
