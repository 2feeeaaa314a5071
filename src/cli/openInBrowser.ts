import { spawn } from 'node:child_process'

/** What is run to open an address, and what it reads. Every user of the machine can read a command line. */
export function browserOpener(url: string, platform: NodeJS.Platform): { command: string[]; input: string } {
  if (platform === 'darwin') return { command: ['osascript'], input: `open location "${url}"\n` }
  // There is no way on without one: the browser itself is given the address as an argument.
  return { command: ['xdg-open', url], input: '' }
}

/**
 * Hands an address to the person's browser; trouble is only told, because the address was printed too. A code in it must
 * be of no use to other users.
 */
export function openInBrowser(url: string, onTrouble: (failure: Error) => void = () => undefined): void {
  const { command, input } = browserOpener(url, process.platform)
  const [program = '', ...words] = command
  const child = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  child.on('error', onTrouble)
  child.stdin.on('error', onTrouble)
  child.stdin.end(input)
  child.unref()
}
