/** A title, a link or a request longer than this is dropped whole: the emulator keeps 32 bytes for each of its own. */
const MAX_STRING_CHARACTERS = 65_536
/** What a program wants in the clipboard may be as long as a piece of output may be. */
const MAX_CLIPBOARD_CHARACTERS = 1_048_576
const CLIPBOARD = 52

interface StringParser {
  put(data: Uint32Array, start: number, end: number): void
}
interface OscParser extends StringParser {
  /** The number the string began with. */
  _id: number
  start(): void
  end(success: boolean, promised?: boolean): unknown
}
interface DcsParser extends StringParser {
  hook(ident: number, parameters: unknown): void
  unhook(success: boolean, promised?: boolean): unknown
}

/** The part of the emulator's core that its typings do not show; the package is pinned to one version for this. */
interface Core {
  _inputHandler: { _parser: { _oscParser: OscParser; _dcsParser: DcsParser } }
}

/** Keeps a string that never ends (OSC, DCS) from filling the memory. */
export function limitStrings(terminal: object): void {
  // Every terminal wraps the core that holds these members; addons reach it the same way.
  const { _oscParser: osc, _dcsParser: dcs } = (terminal as { _core: Core })._core._inputHandler._parser
  const { start, end } = { start: osc.start.bind(osc), end: osc.end.bind(osc) }
  const { hook, unhook } = { hook: dcs.hook.bind(dcs), unhook: dcs.unhook.bind(dcs) }
  const oscLength = countPuts(osc, () => (osc._id === CLIPBOARD ? MAX_CLIPBOARD_CHARACTERS : MAX_STRING_CHARACTERS))
  const dcsLength = countPuts(dcs, () => MAX_STRING_CHARACTERS)
  osc.start = () => {
    oscLength.reset()
    start()
  }
  osc.end = (success, promised) => end(success && oscLength.isWithin(), promised)
  dcs.hook = (ident, parameters) => {
    dcsLength.reset()
    hook(ident, parameters)
  }
  dcs.unhook = (success, promised) => unhook(success && dcsLength.isWithin(), promised)
}

function countPuts(parser: StringParser, limit: () => number): { reset(): void; isWithin(): boolean } {
  const put = parser.put.bind(parser)
  let characters = 0
  const isWithin = () => characters <= limit()
  parser.put = (data, start, end) => {
    characters += end - start
    if (isWithin()) put(data, start, end)
  }
  return {
    isWithin,
    reset: () => {
      characters = 0
    }
  }
}
