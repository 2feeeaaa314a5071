import xterm from '@xterm/headless'

/** What a person would see after these bytes: the rows of history and screen, right-trimmed, without blank rows at the end. */
export async function render(bytes: Buffer, { columns = 80, rows = 24 } = {}): Promise<string[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(bytes, resolve))
  const buffer = terminal.buffer.active
  const lines = Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)?.translateToString(true) ?? '')
  terminal.dispose()
  while (lines.at(-1) === '') lines.pop()
  return lines
}
