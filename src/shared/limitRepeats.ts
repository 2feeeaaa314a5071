/** Sequences the emulator carries out once per line of their count, and those it carries out once per column. */
const PER_ROW = ['L', 'M', 'S', 'T'] as const
const PER_COLUMN = ['I', 'Z', 'b'] as const

/** The part of the emulator's core that its typings do not show; the package is pinned to one version for this. */
interface Core {
  rows: number
  cols: number
  registerCsiHandler(id: { final: string }, handler: (parameters: { params: Int32Array }) => boolean): unknown
}

/**
 * Ten printed bytes can ask for two thousand million lines to be scrolled, and the emulator would do it, one by one,
 * for hours. A count beyond the screen does nothing that the screen's own size does not do, so it is cut to that.
 */
export function limitRepeats(terminal: object): void {
  // Every terminal wraps the core that holds these members; addons reach it the same way.
  const { _core: core } = terminal as { _core: Core }
  const limit = (final: string, most: () => number) =>
    core.registerCsiHandler({ final }, ({ params }) => {
      if ((params[0] ?? 0) > most()) params[0] = most()
      return false
    })
  for (const final of PER_ROW) limit(final, () => core.rows)
  for (const final of PER_COLUMN) limit(final, () => core.cols)
}
