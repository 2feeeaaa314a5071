import { join } from 'node:path'
import type { Random } from './random'

export interface Place {
  project: string
  session: string
}

const LONG = 'a-session-name-longer-than-twenty'

// Pairs of session names that a prefix, a cut, a case fold or a cleaned name would take for one.
const SESSIONS: [string, string][] = [
  ['a', 'a-b'],
  ['a', 'A'],
  ['a.b', 'a_b'],
  ['a.b', 'ab'],
  ['a:b', 'b'],
  ['a/b', 'b'],
  ['a/b', 'a:b'],
  ['a/b', 'a-b'],
  ['default', 'x/default'],
  [`${LONG}-1`, `${LONG}-2`],
  [LONG, LONG.slice(0, 20)],
  ['mc-a', 'a'],
  ['1', '01'],
  ['-', '--'],
  ['_', '.-'],
  ['work', 'work/work'],
  ['constructor', '__proto__'],
  ['a..b', 'a.b'],
  ['tandem-control', 'tandem'],
  ['x', 'x:']
]

const PROJECTS: [string, string][] = [
  ['same', 'same'],
  ['p', 'p-q'],
  ['p', 'P'],
  ['p', 'p/p'],
  ['p q', 'p%20q'],
  ['p.', 'p'],
  ['ü', 'u\u0308'],
  ['#{pid}', '#(id)'],
  ["it's", 'its'],
  ['日本', '日']
]

/** Every pair of session names in one project, and every pair of projects with the same and with paired session names. */
export function adversarialPairs(root: string, random?: Random): [Place, Place][] {
  const projects = PROJECTS.map(([one, other]) => [join(root, 'pairs', one), join(root, 'pairs', other)] as const)
  const pairs = projects.flatMap(([one, other]) =>
    SESSIONS.map(([mine, theirs]): [Place, Place] => {
      const session = one === other ? theirs : mine
      return [
        { project: one, session: mine },
        { project: other, session }
      ]
    })
  )
  return random ? random.shuffled(pairs) : pairs
}
