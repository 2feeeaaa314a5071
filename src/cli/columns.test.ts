import { expect, test } from 'vitest'
import { columns, plain } from './columns'

test('columns line up whatever the width of what stands in them', () => {
  const rows = [
    ['NAME', 'STATE'],
    ['ビルド', 'running'],
    ['e\u0301tude', 'running'],
    ['👩‍💻 dev', 'running']
  ]
  expect(columns(rows).split('\n')).toEqual([
    'NAME    STATE',
    'ビルド  running',
    'e\u0301tude   running',
    '👩‍💻 dev  running'
  ])
})

test('a name steers neither the cursor nor the direction of the line', () => {
  expect(plain('a\u001b[2Jb\u202ec\u2066d\u2028e\u200ff\u0000')).toBe('a[2Jbcdef')
})
