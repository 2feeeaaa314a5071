import { expect, test } from 'vitest'
import { strings } from '../strings'
import { printFindings } from './report'

test('what the names of folders and terminals bring along does not steer the terminal of who asks', () => {
  const project = '/tmp/\x1b]0;title\x07\x1b[2J\u009bmine\nok    all is well'
  const message = strings.doctor.unreachable(project)
  const printed = printFindings([
    { check: 'workspaces', level: 'warn', message, fix: `chown ${project}` },
    { check: 'terminals', level: 'warn', message: strings.doctor.orphans([project]) }
  ])
  expect(printed.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  expect(printed.trimEnd().split('\n')).toHaveLength(3)
  expect(printed).toContain('/tmp/]0;title[2Jmineok    all is well cannot be reached')
})
