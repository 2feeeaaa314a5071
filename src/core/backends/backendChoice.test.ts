import { beforeEach, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import type { Settings } from '../../shared/settings'
import { BackendChoice } from './backendChoice'
import { FakeBackend } from './fakeBackend'
import { requireVersion, TmuxMissing } from './tmux/tmuxVersion'

const NOT_THERE = new TmuxMissing('tmux is not installed')

let tmux: FakeBackend
let setting: Settings['backend']
let choice: BackendChoice

beforeEach(() => {
  tmux = new FakeBackend('tmux')
  setting = 'auto'
  choice = new BackendChoice({ tmux, pty: new FakeBackend('pty'), choice: () => setting })
})

/** Where the next program runs, and whether that is only for want of tmux. */
async function next(): Promise<[kind: string, isFallback: boolean]> {
  const { kind } = await choice.forNew()
  return [kind, choice.isFallback]
}

function tooOld(): AppError {
  try {
    requireVersion('tmux 3.2a')
  } catch (refusal) {
    return AppError.from(refusal)
  }
  throw new Error('tmux 3.2a was taken')
}

test('where there is a usable tmux, programs run in it', async () => {
  expect(await next()).toEqual(['tmux', false])
})

test.each([
  ['missing', () => NOT_THERE],
  ['too old', tooOld]
])('where tmux is %s, programs run in a pty', async (_, failure) => {
  tmux.fail('start', failure())
  expect(await next()).toEqual(['pty', true])
})

test('a tmux that appears later is used from then on', async () => {
  tmux.fail('start', NOT_THERE)
  expect(await next()).toEqual(['pty', true])
  tmux.fail('start', undefined)
  expect(await next()).toEqual(['tmux', false])
})

test.each(['TMUX_UNAVAILABLE', 'TMUX_UNRESPONSIVE', 'INTERNAL'] as const)(
  'a tmux that is there and fails with %s is no reason for a pty: its own error says so when it is used',
  async (code) => {
    tmux.fail('start', new AppError(code, 'it does not work'))
    expect(await next()).toEqual(['tmux', false])
  }
)

test('a setting that is changed counts for the next program', async () => {
  tmux.fail('start', NOT_THERE)
  expect(await next()).toEqual(['pty', true])
  setting = 'tmux'
  expect(await next()).toEqual(['tmux', false])
  setting = 'pty'
  expect(await next()).toEqual(['pty', false])
  tmux.fail('start', undefined)
  setting = 'auto'
  expect(await next()).toEqual(['tmux', false])
})
