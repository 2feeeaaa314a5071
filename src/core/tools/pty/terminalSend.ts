import { z } from 'zod'
import { AppError } from '../../../shared/errors'
import { keyBytes } from '../../terminal/keyBytes'
import { MOUSE_ACTIONS, MOUSE_BUTTONS, mouseBytes } from '../../terminal/mouseBytes'
import { textBytes } from '../../terminal/pasteBytes'
import type { Terminal } from '../../terminal/terminal'
import { actorOf } from '../actorOf'
import { answerSchema, answerText, withWarnings } from '../answers'
import { defineTool } from '../defineTool'
import { inputMoment } from './inputMoment'
import { readInput, readOutputSchema } from './readSchema'
import { readTerminal } from './readTerminal'
import { readText } from './readText'
import { noInput, sendInput } from './sendInput'
import { terminalOf } from './terminalOf'

const ENTER = Buffer.from('\r')

const input = z.strictObject({
  session_id: z.string(),
  text: z.string().optional().describe('Typed as it is; end with \\n or set submit to run it'),
  key: z
    .string()
    .optional()
    .describe('enter, tab, escape, backspace, up, home, pageup, delete, f1…f12, or one character'),
  ctrl: z.boolean().default(false),
  alt: z.boolean().default(false),
  shift: z.boolean().default(false),
  submit: z.boolean().default(false).describe('Press Enter after text'),
  bracketed_paste: z.union([z.boolean(), z.literal('auto')]).default('auto'),
  mouse: z
    .strictObject({
      row: z.int().min(1),
      col: z.int().min(1),
      button: z.enum(MOUSE_BUTTONS).default('left'),
      action: z.enum(MOUSE_ACTIONS).default('click')
    })
    .optional(),
  read: z.strictObject(withoutDescriptions(readInput)).optional().describe('As terminal__read, after the input')
})
type SendArguments = z.infer<typeof input>

export const terminalSend = defineTool({
  name: 'terminal__send',
  toolset: 'pty',
  title: 'Type into terminal',
  description:
    'Type text, press one key (ctrl+c: key "c", ctrl true) or use the mouse in any terminal, and with read get the result in the same call. For shells: text "ls\\n" with read {wait_for_prompt:true}; for full-screen programs: key with read {view:"screen", wait_idle_ms:100}. Passwords are typed by the person.',
  scope: 'type',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input,
  output: answerSchema({
    sent: z.boolean(),
    bytes: z.int(),
    accepted_bytes: z.int(),
    needs_person: z.boolean(),
    read_result: readOutputSchema.nullable()
  }),

  async run(args, context) {
    requireOneInput(args)
    const terminal = await terminalOf(context, args.session_id)
    const bytes = await bytesOf(args, terminal)
    const after = await inputMoment(terminal, bytes, args.read?.wait_for)
    const { warnings, ...sent } = await sendInput(terminal, bytes, actorOf(context.caller))
    const result = args.read ? await readTerminal(terminal, args.read, { context, after }) : null
    const needsPerson = result?.needs_person ?? terminal.control.state.needsPerson
    return withWarnings({ ...sent, needs_person: needsPerson, read_result: result }, warnings)
  },

  text: ({ bytes, accepted_bytes, read_result, warnings }) => {
    const sent = accepted_bytes === bytes ? `Sent ${bytes} bytes.` : `Sent ${accepted_bytes} of ${bytes} bytes.`
    return answerText(read_result ? [sent, readText(read_result)] : [sent], warnings)
  }
})

function requireOneInput({ text, key, mouse }: SendArguments): void {
  const given = [text, key, mouse].filter((one) => one !== undefined)
  if (given.length > 1) {
    throw new AppError('INVALID_ARGUMENTS', 'text, key and mouse were given together', 'Give one of them a call.')
  }
  if (given.length === 0 || text === '' || key === '') throw noInput()
}

async function bytesOf({ text, key, mouse, submit, ...args }: SendArguments, terminal: Terminal): Promise<Buffer> {
  const modifiers = { ctrl: args.ctrl, alt: args.alt, shift: args.shift }
  // The modes a program asked for are those after all it has printed.
  await terminal.screen.caughtUp()
  const { applicationCursorKeysMode, bracketedPasteMode, mouseTrackingMode } = terminal.screen.modes
  if (key !== undefined) return keyBytes(key, modifiers, { applicationCursor: applicationCursorKeysMode })
  if (mouse) {
    const isSgr = await terminal.screen.inspect(({ state }) => state.coreMouseService.activeEncoding.startsWith('SGR'))
    return mouseBytes(mouse, { modes: { tracking: mouseTrackingMode, isSgr }, size: terminal.size, modifiers })
  }
  const typed = textBytes(text ?? '', args.bracketed_paste, { isPasteAware: bracketedPasteMode })
  return submit ? Buffer.concat([typed, ENTER]) : typed
}

/** The same fields where they are said a second time. */
function withoutDescriptions(fields: typeof readInput): typeof readInput {
  // Every field keeps its type; only its description is gone.
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.meta({ description: undefined })])
  ) as typeof readInput
}
