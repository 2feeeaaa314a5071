import { randomBytes } from 'node:crypto'
import { quoted } from './quoted'

export interface MarkedLine {
  /** What is typed. */
  line: string
  /** What the shell then prints around the command's output. */
  start: string
  end: string
}

const HALF_BYTES = 9

/**
 * A line for a shell that we did not set up, which prints a mark before the command and one with its exit code after
 * it. The marks are put together by the shell, so that no echo of the line holds them; the whole is read before any of
 * it runs, so that nothing of it is left for a command that reads its input.
 */
export function markedLine(command: string, env: Readonly<Record<string, string>>): MarkedLine {
  const [one, two, three, four] = Array.from({ length: 4 }, () => randomBytes(HALF_BYTES).toString('hex'))
  const names = Object.keys(env)
  const set = names.map((name) => `${saved(name)}=\${${name}+set}$${name}; export ${name}=${quoted(env[name] ?? '')}; `)
  const unset = names.map((name) => restored(name))
  const begin = `printf '\\033]7777;%s%s\\007' ${one} ${two}; `
  const finish = `printf '\\033]7777;%s%s;%s\\007' ${three} ${four} "$?"`
  return {
    line: ` ${set.join('')}${begin}{ ${command}\n}; ${[finish, ...unset].join('; ')}`,
    start: `7777;${one}${two}`,
    end: `7777;${three}${four}`
  }
}

function saved(name: string): string {
  return `_tandem_${name}`
}

function restored(name: string): string {
  const kept = saved(name)
  return `case $${kept} in set*) ${name}=\${${kept}#set};; *) unset ${name};; esac; unset ${kept}`
}
