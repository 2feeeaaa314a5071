import { rmSync } from 'node:fs'
import { basename } from 'node:path'
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
  target: AttachTarget
): Promise<{ screen: RestoredScreen; state: PaneState }> {
  const paths = { history: files.make('c'), joined: files.make('c'), rows: files.make('c'), primary: files.make('c') }
  try {
    const lines = await control.run(sequence(target, paths))
    const state = PaneState.from(lines)
    if (!state) throw new AppError('IO_ERROR', `tmux did not describe the pane "${target.paneId}"`, 'Try again.')
    const { primary, ...text } = await taken(files, paths)
    const behind = state.flag('alternate_on') ? primary : undefined
    return { screen: restoredScreen({ ...text, state, primary: behind, pending: pendingBytes(lines) }), state }
  } finally {
    for (const path of Object.values(paths)) rmSync(path, { force: true })
  }
}

type Captured = Record<'history' | 'joined' | 'rows' | 'primary', string>

// Saving a buffer lets tmux read on, so everything is looked at before anything is saved.
function sequence({ paneId, pipe, eventPath }: AttachTarget, paths: Captured): Command[] {
  const onlyIf = (condition: string, yes: Command[], no: Command[]): Command => {
    return ['if-shell', '-F', '-t', paneId, condition, commandLine(yes), commandLine(no)]
  }
  return [
    diedHook(paneId, eventPath),
    onlyIf('#{pane_dead}', [], [pipeCommand(paneId, pipe, eventPath)]),
    capture(paneId, paths.history, ['-J', '-S', '-', '-E', '-1']),
    capture(paneId, paths.joined, ['-J']),
    capture(paneId, paths.rows, ['-N']),
    onlyIf('#{alternate_on}', [capture(paneId, paths.primary, ['-a', '-J'])], []),
    ['display-message', '-p', '-t', paneId, PANE_STATE_FORMAT],
    ['display-message', '-p', PENDING_MARK],
    ['capture-pane', '-p', '-P', '-C', '-t', paneId],
    onlyIf('#{alternate_on}', save(paths.primary), []),
    ...save(paths.history),
    ...save(paths.joined),
    ...save(paths.rows)
  ]
}

async function taken(files: RuntimeFiles, paths: Captured): Promise<Captured> {
  const [history, joined, rows, primary] = await Promise.all(
    [paths.history, paths.joined, paths.rows, paths.primary].map(async (path) => (await files.take(path)).toString())
  )
  return { history: history ?? '', joined: joined ?? '', rows: rows ?? '', primary: primary ?? '' }
}

export function pipeCommand(target: string, pipe: OutputPipe, eventPath: string): Command {
  return ['pipe-pane', '-O', '-t', target, pipe.command(eventPath)]
}

/** Reports the program's end to this host at once. */
export function diedHook(target: string, eventPath: string): Command {
  const report = commandLine([['run-shell', '-b', diedCommand(eventPath)]])
  return ['set-hook', '-p', '-t', target, 'pane-died', report]
}

function capture(paneId: string, path: string, options: string[]): Command {
  return ['capture-pane', '-e', '-t', paneId, '-b', bufferOf(path), ...options]
}

function save(path: string): Command[] {
  return [
    ['save-buffer', '-b', bufferOf(path), path],
    ['delete-buffer', '-b', bufferOf(path)]
  ]
}

function bufferOf(path: string): string {
  return `tandem-${basename(path)}`
}

// Printed with every byte that is not plain text as `\ooo`, so it is one line whatever the program sent.
function pendingBytes(lines: readonly string[]): Buffer {
  const escaped = lines[lines.indexOf(PENDING_MARK) + 1] ?? ''
  const latin1 = escaped.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
  return Buffer.from(latin1, 'latin1')
}
