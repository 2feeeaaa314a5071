/** Text as one word of a POSIX shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The same for fish, which knows escapes inside quotes. */
export function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`
}
