/** What a terminal shows two cells wide: the scripts of East Asia in full width, and emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u
const UNSEEN = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
const characters = new Intl.Segmenter()

/** Rows as a table whose columns line up; what names bring along must not steer the person's terminal. */
export function columns(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(plain))
  const widths = (clean[0] ?? []).map((_, column) => Math.max(...clean.map((row) => widthOf(row[column] ?? ''))))
  const padded = (cell: string, column: number) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)))
  return clean.map((row) => row.map(padded).join('  ').trimEnd()).join('\n')
}

/** Without what moves the cursor, begins a line, or turns the direction of what follows. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '')
}

/** How many cells a terminal gives it. */
function widthOf(text: string): number {
  let width = 0
  for (const { segment } of characters.segment(text)) width += UNSEEN.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1
  return width
}
