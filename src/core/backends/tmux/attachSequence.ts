import { AppError } from '../../../shared/errors'
import type { RestoredScreen } from '../backend'
import type { Line } from './control'
import { diedCommand } from './eventFifo'
import type { OutputPipe } from './outputPipe'
import { PANE_STATE_FORMAT, PaneState } from './paneState'
import { type Command, commandLine } from './quote'
import { restoredScreen } from './restore'
import type { RuntimeFiles } from './runtimeFiles'

const PENDING_MARK = 'pending|'

export interface AttachTarget {
  paneId: string
  pipe: OutputPipe
  eventPath: string
}

/**
 * Opens the pipe and takes the screen in one command sequence, so that the first byte in the pipe is the first one not
 * on the screen. Captured text goes through files, never through the control line, where a program could print an
 * answer's end.
 */
export async function attachSequence(
  { control, files }: { control: Line; files: RuntimeFiles },
  { paneId, pipe, eventPath }: AttachTarget
): Promise<{ screen: RestoredScreen; state: PaneState }> {
  const paths = { history: files.make('c'), joined: files.make('c'), rows: files.make('c'), primary: files.make('c') }
  const onlyIf = (condition: string, yes: string, no: string): Command => [
    'if-shell',
    '-F',
    '-t',
    paneId,
    condition,
    yes,
    no
  ]
  const taken = async () => ({
    history: (await files.take(paths.history)).toString('utf8'),
    joined: (await files.take(paths.joined)).toString('utf8'),
    rows: (await files.take(paths.rows)).toString('utf8'),
    primary: (await files.take(paths.primary)).toString('utf8')
  })
  try {
    const lines = await control.run([
      diedHook(paneId, eventPath),
      onlyIf('#{pane_dead}', '', commandLine([pipeCommand(paneId, pipe, eventPath)])),
      ...capture(paneId, paths.history, ['-J', '-S', '-', '-E', '-1']),
      ...capture(paneId, paths.joined, ['-J']),
      ...capture(paneId, paths.rows, ['-N']),
      onlyIf('#{alternate_on}', commandLine(capture(paneId, paths.primary, ['-a', '-J'])), ''),
      ['display-message', '-p', '-t', paneId, PANE_STATE_FORMAT],
      ['display-message', '-p', PENDING_MARK],
      ['capture-pane', '-p', '-P', '-C', '-t', paneId]
    ])
    const state = PaneState.from(lines)
    if (!state) throw new AppError('IO_ERROR', `tmux did not describe the pane "${paneId}"`, 'Try again.')
    const { primary, ...text } = await taken()
    const behind = state.flag('alternate_on') ? primary : undefined
    const screen = restoredScreen({ ...text, state, primary: behind, pending: pendingBytes(lines) })
    return { screen, state }
  } catch (failure) {
    await taken()
    throw failure
  }
}

export function pipeCommand(target: string, pipe: OutputPipe, eventPath: string): Command {
  return ['pipe-pane', '-O', '-t', target, pipe.command(eventPath)]
}

/** Reports the program's end to this host at once. */
export function diedHook(target: string, eventPath: string): Command {
  const report = commandLine([['run-shell', '-b', diedCommand(eventPath)]])
  return ['set-hook', '-p', '-t', target, 'pane-died', report]
}

function capture(paneId: string, path: string, options: string[]): Command[] {
  const buffer = `tandem-${path.slice(path.lastIndexOf('/') + 1)}`
  return [
    ['capture-pane', '-e', '-t', paneId, '-b', buffer, ...options],
    ['save-buffer', '-b', buffer, path],
    ['delete-buffer', '-b', buffer]
  ]
}

// Printed with every byte that is not plain text as `\ooo`, so it is one line whatever the program sent.
function pendingBytes(lines: readonly string[]): Buffer {
  const escaped = lines[lines.indexOf(PENDING_MARK) + 1] ?? ''
  const latin1 = escaped.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
  return Buffer.from(latin1, 'latin1')
}
