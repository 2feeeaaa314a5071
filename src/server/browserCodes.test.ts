import { expect, test } from 'vitest'
import { BrowserCodes } from './browserCodes'

const TEN_MINUTES_MS = 600_000

function valueIn(setCookie: string | undefined): string {
  return setCookie?.split(';')[0] ?? ''
}

test('a code works once', () => {
  const codes = new BrowserCodes('tandem_1')
  const code = codes.issue()
  expect(codes.redeem(code)).toMatch(/^tandem_1=/)
  expect(codes.redeem(code)).toBeUndefined()
})

test('a code works for ten minutes', () => {
  const codes = new BrowserCodes('tandem_1')
  const young = codes.issue({ nowMs: 0 })
  const old = codes.issue({ nowMs: 0 })
  expect(codes.redeem(young, TEN_MINUTES_MS - 1)).toBeDefined()
  expect(codes.redeem(old, TEN_MINUTES_MS)).toBeUndefined()
})

test.each(['', 'nonsense', 'x'.repeat(10_000)])('the code "%.10s" opens nothing', (code) => {
  expect(new BrowserCodes('tandem_1').redeem(code)).toBeUndefined()
})

test('its cookie is out of reach of scripts and of other sites, and 256 bits long', () => {
  const codes = new BrowserCodes('tandem_1')
  const cookie = codes.redeem(codes.issue())
  expect(cookie?.split('; ').slice(1)).toEqual(['Path=/', 'HttpOnly', 'SameSite=Strict'])
  expect(Buffer.from(valueIn(cookie).split('=')[1] ?? '', 'base64url')).toHaveLength(32)
})

test('the cookie lets in, alone or among others; a wrong one does not; none is told apart from wrong', () => {
  const codes = new BrowserCodes('tandem_1')
  const cookie = valueIn(codes.redeem(codes.issue()))
  expect(codes.admits(cookie)).toBe(true)
  expect(codes.admits(`a=b; ${cookie}; c=d`)).toBe(true)
  expect(codes.admits('tandem_1=wrong')).toBe(false)
  expect(codes.admits(cookie.replace('tandem_1', 'tandem_2'))).toBeUndefined()
  expect(codes.admits(undefined)).toBeUndefined()
})

test('a cookie is good as long as it is used, and forgotten after a month without', () => {
  const day = 24 * 60 * 60 * 1000
  const codes = new BrowserCodes('tandem_1')
  const [used, idle] = [codes, codes].map((issuer) => valueIn(issuer.redeem(issuer.issue({ nowMs: 0 }), 0)))
  expect([codes.admits(used, 29 * day), codes.admits(used, 58 * day)]).toEqual([true, true])
  expect(codes.admits(idle, 31 * day)).toBe(false)
  expect(codes.sessions(58 * day)).toHaveLength(1)
  const next = new BrowserCodes('tandem_1', codes.sessions(58 * day), 58 * day)
  expect([next.admits(used, 59 * day), next.admits(idle, 59 * day)]).toEqual([true, false])
  expect(next.admits(used, 90 * day)).toBe(false)
})

test('of very many browsers those stay in that were used last', () => {
  const codes = new BrowserCodes('tandem_1')
  const letIn = () => valueIn(codes.redeem(codes.issue()))
  const [first, second] = [letIn(), letIn()]
  for (let count = 0; count < 198; count++) letIn()
  expect(codes.admits(first)).toBe(true)
  letIn()
  expect([codes.admits(first), codes.admits(second)]).toEqual([true, false])
})

test('codes that nobody uses do not pile up', () => {
  const codes = new BrowserCodes('tandem_1')
  const first = codes.issue()
  for (let count = 0; count < 1000; count++) codes.issue()
  expect(codes.redeem(first)).toBeUndefined()
  expect(codes.redeem(codes.issue())).toBeDefined()
})
