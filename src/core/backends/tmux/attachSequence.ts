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
const PENDING_FORMAT = `${PENDING_MARK}#{buffer_size}|#{buffer_sample}`
/** A half-received sequence longer than this is not taken along: only how it began, so that its rest is not shown. */
const MAX_PENDING_BYTES = 1_048_576

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
  const pending = files.make('c')
  const paths = { history: files.make('c'), joined: files.make('c'), rows: files.make('c'), primary: files.make('c') }
  try {
    const lines = await control.run(sequence(target, { ...paths, pending }))
    const state = PaneState.from(lines)
    if (!state) throw new AppError('IO_ERROR', `tmux did not describe the pane "${target.paneId}"`, 'Try again.')
    const { primary, ...text } = await taken(files, paths)
    const behind = state.flag('alternate_on') ? primary : undefined
    const begun = await pendingBytes({ control, files }, lines, pending)
    return { screen: restoredScreen({ ...text, state, primary: behind, pending: begun }), state }
  } finally {
    for (const path of [pending, ...Object.values(paths)]) rmSync(path, { force: true })
  }
}

type Captured = Record<'history' | 'joined' | 'rows' | 'primary', string>

// Saving a buffer lets tmux read on, so everything is looked at before anything is saved.
function sequence({ paneId, pipe, eventPath }: AttachTarget, paths: Captured & { pending: string }): Command[] {
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
    // Raw and into a buffer: printed and escaped, 40 MB of a sequence without end keep tmux busy for seconds.
    ['capture-pane', '-P', '-b', bufferOf(paths.pending), '-t', paneId],
    ['list-buffers', '-f', `#{==:#{buffer_name},${bufferOf(paths.pending)}}`, '-F', PENDING_FORMAT],
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

/** What tmux had received of a sequence that is not finished yet; there is no buffer when that is nothing. */
async function pendingBytes(
  { control, files }: { control: Line; files: RuntimeFiles },
  lines: readonly string[],
  path: string
): Promise<Buffer> {
  const described = lines.find((line) => line.startsWith(PENDING_MARK))
  if (described === undefined) return Buffer.alloc(0)
  const [, size, sample = ''] = described.split('|')
  if (Number(size) > MAX_PENDING_BYTES) {
    await control.run([['delete-buffer', '-b', bufferOf(path)]])
    const [, introducer = ''] = /^\\033(.)/.exec(sample) ?? []
    return Buffer.from(introducer && `\x1b${introducer}`)
  }
  await control.run(save(path))
  return files.take(path)
}
