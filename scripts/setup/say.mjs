/** One line for the person. Always stderr: stdout belongs to the program that is set up. */
export function say(line) {
  process.stderr.write(`setup: ${line}\n`)
}
