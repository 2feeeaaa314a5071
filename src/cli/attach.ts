import type { Command } from 'commander'
import { type ConnectionEnd, connectTerminal, type TerminalConnection } from '../server/terminalClient'
import type { Size } from '../shared/terminal'
import { EXIT_CODES } from './exitCodes'
import { CommandFailed, chooseTerminal, HostClient } from './hostClient'
import { strings } from './strings'

/** Ctrl+]: telnet's key, which shells and editors leave alone. */
const DETACH_BYTE = 0x1d

/** A full reset would also wipe the person's own scrollback; this clears only the screen. */
const RESET = Buffer.from('\x1bc')
const GENTLE_RESET = Buffer.from('\x1b[!p\x1b[2J\x1b[H')

/** Undoes what a full-screen program may have switched on in the person's own terminal. */
const RESTORE_MODES =
  '\x1b[?1049l\x1b[?1l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[?2004l\x1b[?25h\x1b[0m\x1b[0 q\r\n'

/** `tandem attach`: this terminal becomes a window onto one of the host's, until it ends or is left. */
export function addAttachCommand(program: Command): void {
  program
    .command('attach <terminal>')
    .description(strings.attachDescription)
    .option('--data-dir <dir>', strings.options.dataDir)
    .action(async (handle: string, { dataDir }: { dataDir?: string }) => {
      if (!process.stdin.isTTY || !process.stdout.isTTY)
        throw new CommandFailed(strings.attachNeedsTty, EXIT_CODES.usage)
      const client = HostClient.find(dataDir)
      const terminal = chooseTerminal(await client.terminals(), handle)
      const { url, token } = client.endpoint
      const wsUrl = `${url.replace(/^http/, 'ws')}/ws`
      const left = await watch({ wsUrl, token, tmuxSession: terminal.tmuxSession, size: ownSize() })
      process.stdout.write(RESTORE_MODES)
      report(left, terminal.name)
    })
}

type Left = ConnectionEnd | { kind: 'detached' }

function watch(target: { wsUrl: string; token: string; tmuxSession: string; size: Size }): Promise<Left> {
  return new Promise((resolve) => {
    let detached = false
    let release: () => void = () => undefined
    connectTerminal(target, {
      opened: (connection) => {
        release = takeKeyboard(connection, () => {
          detached = true
          connection.close()
        })
      },
      output: (bytes) => process.stdout.write(gentle(bytes)),
      ended: (end) => {
        release()
        resolve(detached ? { kind: 'detached' } : end)
      }
    })
  })
}

/** Keys go to the terminal as they are; the detach key comes to us. Returns how to give the keyboard back. */
function takeKeyboard(connection: TerminalConnection, detach: () => void): () => void {
  const onKeys = (bytes: Buffer) => {
    const at = bytes.indexOf(DETACH_BYTE)
    const keys = at === -1 ? bytes : bytes.subarray(0, at)
    if (keys.length > 0) connection.send(keys)
    if (at !== -1) detach()
  }
  const onResize = () => connection.resize(ownSize())
  process.stdin.setRawMode(true).resume().on('data', onKeys)
  process.stdout.on('resize', onResize)
  process.on('SIGTERM', detach)
  return () => {
    process.off('SIGTERM', detach)
    process.stdin.off('data', onKeys).pause().setRawMode(false)
    process.stdout.off('resize', onResize)
  }
}

function gentle(bytes: Buffer): Buffer {
  const at = bytes.subarray(0, 32).indexOf(RESET)
  if (at === -1) return bytes
  return Buffer.concat([bytes.subarray(0, at), GENTLE_RESET, bytes.subarray(at + RESET.length)])
}

function ownSize(): Size {
  return { rows: process.stdout.rows, cols: process.stdout.columns }
}

function report(left: Left, name: string): void {
  if (left.kind === 'detached') process.stderr.write(`${strings.detached(name)}\n`)
  else if (left.kind === 'ended') process.stderr.write(`${strings.terminalEnded(name)}\n`)
  else
    throw new CommandFailed(
      strings.attachLost(left.kind === 'lost' ? left.reason : String(left.status)),
      EXIT_CODES.failed
    )
}
