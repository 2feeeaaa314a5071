/** More than any character a person writes; what is piled up beyond it is not kept. */
const MAX_CELL_CHARACTERS = 32
const LIMITED = Symbol('limited')

interface Line {
  getString(index: number): string
  addCodepointToCell(index: number, codePoint: number, width: number): void
}

/** The part of the emulator's core that its typings do not show; the package is pinned to one version for this. */
interface Core {
  buffer: { lines: { get(index: number): Line } }
}

/**
 * Keeps one cell from holding thousands of combining marks: the emulator has no limit, and each mark of each cell of the
 * history would be kept. Lines are made all the time, so the limit stands in what they are all made from.
 */
export function limitMarks(terminal: object): void {
  // Every terminal wraps the core that holds these members; addons reach it the same way.
  const line = (terminal as { _core: Core })._core.buffer.lines.get(0)
  const kind = Object.getPrototypeOf(line) as Line & { [LIMITED]?: true }
  if (kind[LIMITED]) return
  kind[LIMITED] = true
  const add = kind.addCodepointToCell
  kind.addCodepointToCell = function (this: Line, index, codePoint, width) {
    if (this.getString(index).length >= MAX_CELL_CHARACTERS) return
    add.call(this, index, codePoint, width)
    // Looking into a text that was put together makes it one piece, a tenth of its parts.
    this.getString(index).charCodeAt(0)
  }
}
