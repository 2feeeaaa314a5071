import { describe, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import { absolutePath, projectHashOf, sessionSegments, workspaceIdOf } from './paths'
import { TRAVERSALS } from './traversals.testing'

function refusal(work: () => unknown): AppError {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown
    throw thrown
  }
  throw new Error('It was not refused')
}

describe('session names', () => {
  test.each(['default', 'a', 'a/b', 'a:b', 'A.b_c-d:e', '...', '.hidden', 'x'.repeat(64), '1/2/3/4/5/6/7/8'])(
    '%j is fine',
    (session) => {
      expect(sessionSegments(session)).toEqual(session.split('/'))
    }
  )

  test('there are at least 60 ways out to refuse', () => {
    expect(new Set(TRAVERSALS).size).toBeGreaterThanOrEqual(60)
  })

  test.each(TRAVERSALS)('%j is refused with its value and a hint', (session) => {
    const error = refusal(() => sessionSegments(session))
    expect(error.code).toBe('INVALID_ARGUMENTS')
    expect(error.message).toContain(JSON.stringify(session.slice(0, 60)).slice(1, -1))
    expect(error.hint).toContain('1 to 8 parts')
  })

  test('more than eight parts, or a part over 64 characters, is refused', () => {
    expect(refusal(() => sessionSegments('1/2/3/4/5/6/7/8/9')).message).toContain('9 parts')
    expect(refusal(() => sessionSegments('x'.repeat(65))).code).toBe('INVALID_ARGUMENTS')
  })

  test.each(['terminal-sessions.json', 'a/Terminal-Sessions.json', 'terminal-sessions.json.bak', '.gitignore'])(
    '%j would stand where our own files are',
    (session) => {
      expect(refusal(() => sessionSegments(session)).message).toContain("Tandem's own files")
    }
  )
})

describe('project paths', () => {
  test.each(['', '.', '..', 'relative', './x', '~', '~/x', 'C:\\x', 'file:///tmp'])('%j is not absolute', (path) => {
    expect(refusal(() => absolutePath('project', path)).message).toContain(`project ${JSON.stringify(path)}`)
  })

  test('a NUL character and endless paths are refused', () => {
    expect(refusal(() => absolutePath('project', '/tmp/\0x')).message).toContain('NUL')
    expect(refusal(() => absolutePath('project', `/${'x'.repeat(5000)}`)).message).toContain('too long')
  })

  test('a path is tidied', () => {
    expect(absolutePath('project', '/a//b/../c/')).toBe('/a/c')
    expect(absolutePath('project', '/')).toBe('/')
  })

  test('no two workspaces share an identity', () => {
    const ids = ['a', 'a-b', 'a/b', 'a:b', 'A', 'a.b', 'a_b'].flatMap((session) =>
      ['/p', '/p-a', '/P'].map((project) => workspaceIdOf(projectHashOf(project), session))
    )
    expect(new Set(ids).size).toBe(ids.length)
  })
})
