import { expect, test } from 'vitest'
import { matchPath, type Route } from './routes'

const serve = () => undefined
const declared = { method: 'GET', auth: [], summary: '', serve } as const
const routes: Route[] = [
  { ...declared, path: '/things' },
  { ...declared, path: '/things/first' },
  { ...declared, path: '/things/:id' },
  { ...declared, method: 'DELETE', path: '/things/:id' },
  { ...declared, path: '/even/:number', accepts: ({ number }) => Number(number) % 2 === 0 },
  { ...declared, path: '/files/*rest' },
  { ...declared, path: '/' }
]
const found = (path: string) => matchPath(routes, path)

test('a path leads to all routes declared for it', () => {
  expect(found('/things/7')?.routes.map((route) => route.method)).toEqual(['GET', 'DELETE'])
  expect(found('/things/7')?.params).toEqual({ id: '7' })
})

test('a literal path stands before one with a parameter', () => {
  expect(found('/things/first')?.routes[0]?.path).toBe('/things/first')
})

test('parameters are decoded; one that cannot be is no path', () => {
  expect(found('/things/a%2Fb')?.params).toEqual({ id: 'a/b' })
  expect(found('/things/%E0%A4%A')).toBeUndefined()
})

test('a parameter the route refuses is no path', () => {
  expect(found('/even/2')).toBeDefined()
  expect(found('/even/3')).toBeUndefined()
})

test('a rest parameter takes all segments', () => {
  expect(found('/files/a/b.js')?.params).toEqual({ rest: 'a/b.js' })
  expect(found('/files/')).toBeUndefined()
})

test.each([
  '',
  '//',
  '/thing',
  '/things/',
  '/things/1/2',
  '/things//',
  'http://127.0.0.1/things',
  '*',
  '/Things',
  '/.well-known/x'
])('"%s" leads nowhere', (path) => expect(found(path)).toBeUndefined())
