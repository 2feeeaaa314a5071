import { AppError } from '../../../shared/errors'
import { OPENCODE_EVENTS } from './opencodeEvents'

const COMMAND_LINE = /^const COMMAND = .*$/m

/** Our plugin for opencode, a file of its own. What goes wrong in it stays in it: the agent is left alone. */
function pluginText(words: readonly string[]): string {
  return `// Shows in Tandem when opencode works, asks and is done. Written by \`tandem setup opencode --hooks\`; --remove takes it away.
import { spawn } from 'node:child_process'

const COMMAND = ${JSON.stringify(words)}
const EVENTS = ${JSON.stringify(OPENCODE_EVENTS)}

export const TandemState = async () => {
  if (!process.env.TANDEM_TERMINAL_ID) return {}
  const helpers = new Set()
  const tell = (event) => {
    const [program, ...words] = COMMAND
    const hook = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'] })
    hook.on('error', () => {})
    hook.stdin.on('error', () => {})
    hook.stdin.end(JSON.stringify({ type: event.type, properties: event.properties }))
    hook.unref()
  }
  return {
    event: async ({ event }) => {
      const { info, sessionID } = event.properties ?? {}
      // A session that another one started to help it: its end is not the end of the turn.
      if (event.type === 'session.created' && info?.parentID) helpers.add(info.id)
      const isHelper = event.type.startsWith('session.') && helpers.has(sessionID)
      if (EVENTS.includes(event.type) && !isHelper) tell(event)
    }
  }
}
`
}

/** The text of the file with our plugin; empty: without it. A file that is not ours is left as it is. */
export function withOpencodeHooks(text: string, words: readonly string[] | undefined): string {
  const isOurs = text.replace(COMMAND_LINE, '') === pluginText([]).replace(COMMAND_LINE, '')
  if (words === undefined) return isOurs ? '' : text
  if (text === '' || isOurs) return pluginText(words)
  throw new AppError('INVALID_ARGUMENTS', 'A file of this name is there, and it is not ours', 'It was left as it is.')
}
