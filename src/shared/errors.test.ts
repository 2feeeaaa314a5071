import { open } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { AppError } from './errors'

test('a failure that nobody foresaw is a fault of Tandem, with its message and its cause', async () => {
  const cause = await open('/nowhere/at/all').catch((failure: unknown) => failure)
  expect(AppError.from(cause)).toMatchObject({ code: 'INTERNAL', cause })
  expect(AppError.from('a word')).toMatchObject({ code: 'INTERNAL', message: 'a word' })
})

test.each(['EMFILE', 'ENFILE'])('%s is no fault of Tandem: it can be tried again, and what helps is said', (code) => {
  const error = AppError.from(Object.assign(new Error(`${code}: too many open files, open 'x'`), { code }))
  expect(error).toMatchObject({ code: 'IO_ERROR', message: expect.stringContaining('too many open files') })
  expect(error.hint).toContain('ulimit -n')
})
