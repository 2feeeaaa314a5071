import { spawn } from 'node:child_process'

/** Hands an address to the person's browser; trouble is only told, because the address was printed too. */
export function openInBrowser(url: string, onTrouble: (failure: Error) => void = () => undefined): void {
  const child = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [url], { stdio: 'ignore', detached: true })
  child.on('error', onTrouble)
  child.unref()
}
