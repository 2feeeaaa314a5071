/** Rows as a table whose columns line up; what names bring along must not steer the person's terminal. */
export function columns(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(plain))
  const widths = (clean[0] ?? []).map((_, column) => Math.max(...clean.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return clean.map((row) => line(row).trimEnd()).join('\n')
}

export function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '')
}
