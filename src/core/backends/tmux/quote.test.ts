import { expect, test } from 'vitest'
import { commandLine, literalFormat, quoteArgument } from './quote'

test('plain words stay as they are', () => {
  expect(quoteArgument('mc-a-1')).toBe('mc-a-1')
  expect(quoteArgument('=mc-a-1:')).toBe('=mc-a-1:')
})

test('everything that could mean something to tmux becomes an octal escape', () => {
  expect(quoteArgument('%1')).toBe('"\\0451"')
  expect(quoteArgument('')).toBe('""')
  expect(quoteArgument('a;b')).toBe('"a\\073b"')
  expect(quoteArgument('~ $x "#\n')).toBe('"\\176 \\044x \\042\\043\\012"')
  expect(quoteArgument('é')).toBe('"\\303\\251"')
})

test('a NUL byte is refused, because no argument can carry it', () => {
  expect(() => quoteArgument('a\0b')).toThrow(RangeError)
})

test('a sequence separates commands and nothing else does', () => {
  expect(commandLine([['set-option', '-g', 'x', ';'], ['kill-session']])).toBe('set-option -g x "\\073" ; kill-session')
})

test('formats in a literal are doubled away', () => {
  expect(literalFormat('x#(touch y)#{z}')).toBe('x##(touch y)##{z}')
  expect(literalFormat('#[fg=red]##[x]###(y)#')).toBe('#[fg=red]##[x]######(y)##')
})
