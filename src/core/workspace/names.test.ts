import { describe, expect, test } from 'vitest'
import { cleanName, newName, renamed, tmuxSessionName } from './names'

describe('display names', () => {
  test('a terminal without a name gets the number after the last', () => {
    expect(newName(undefined, [])).toBe('Terminal 1')
    expect(newName(undefined, ['a', 'b'])).toBe('Terminal 3')
  })

  test('a number that is taken is skipped', () => {
    expect(newName(undefined, ['Terminal 2'])).toBe('Terminal 3')
    expect(newName(undefined, ['Terminal 3', 'Terminal 4'])).toBe('Terminal 5')
  })

  test.each(['', '  ', '\t\n', '\u0000\u001b'])('a blank name %j counts as absent', (blank) => {
    expect(newName(blank, ['x'])).toBe('Terminal 2')
  })

  test('any other text is kept as it is', () => {
    for (const name of ['x#(touch /tmp/y)', "'; rm -rf /", '$(id)', '日本語 🚲', ' spaced '])
      expect(newName(name, [])).toBe(name)
  })

  test('control characters are removed, also those above 127', () => {
    expect(cleanName('a\u0000b\u001b[31mc\u007f\u0085d\r\n')).toBe('ab[31mcd')
  })

  test('a rename trims, and nothing becomes Terminal', () => {
    expect(renamed('  a b \n')).toBe('a b')
    expect(renamed(' \u0007 ')).toBe('Terminal')
    expect(renamed('')).toBe('Terminal')
  })

  test('a long name is cut to 256 characters without half a character at its end', () => {
    expect(cleanName('x'.repeat(1000))).toHaveLength(256)
    const cut = cleanName(`${'x'.repeat(255)}🚲🚲`)
    expect(cut).toBe('x'.repeat(255))
    expect(cleanName('🚲'.repeat(300))).toBe('🚲'.repeat(128))
    expect(renamed(`${'x'.repeat(255)} y`)).toBe('x'.repeat(255))
  })

  test('half a character from outside does not survive', () => {
    expect(cleanName('a\ud800b')).toBe('a\ufffdb')
  })
})

describe('tmux names', () => {
  const zero = () => 0

  test.each([
    ['default', 'mc-default-aaaa'],
    ['team/review', 'mc-review-aaaa'],
    ['issue:42', 'mc-42-aaaa'],
    ['a:b/c:d.e_f', 'mc-def-aaaa'],
    ['open-bold-meadow', 'mc-open-bold-meadow-aaaa'],
    ['abcdefghijklmnopqrstuvwxyz', 'mc-abcdefghijklmnopqrst-aaaa'],
    ['...', 'mc-default-aaaa'],
    ['a:', 'mc-default-aaaa']
  ])('session %j gives %j', (session, name) => {
    expect(tmuxSessionName(session, zero)).toBe(name)
  })

  test('the random part is four of a-z and 0-9', () => {
    const suffixes = Array.from({ length: 500 }, () => tmuxSessionName('x').slice('mc-x-'.length))
    for (const suffix of suffixes) expect(suffix).toMatch(/^[a-z0-9]{4}$/)
    expect(new Set(suffixes.join('')).size).toBe(36)
  })
})
