import { expect, test } from 'vitest'
import { cleanPaste } from './clipboard'
import { displayText } from './displayText'

test('control, bidi and invisible characters are taken out of labels', () => {
  expect(displayText('a\u0000b\x1b[31mc\u009b\u202ed\u2066e\u200bf\n')).toBe('ab[31mcdef')
})

test('markup stays what it is: text', () => {
  expect(displayText('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>')
})

test('a label has at most 256 characters', () => {
  expect(displayText('x'.repeat(5000))).toHaveLength(256)
})

test('pasted text keeps its lines and tabs and loses keys and escape sequences', () => {
  expect(cleanPaste('ls\t-l\r\n\x1b[201~rm\x03\x7f é🜁')).toBe('ls\t-l\r\n[201~rm é🜁')
})
