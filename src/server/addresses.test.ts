import { expect, test } from 'vitest'
import { addressesOf } from './addresses'

test('on loopback only the two loopback names with the port are ours', () => {
  const { hosts, origins, origin } = addressesOf('127.0.0.1', 7681)
  expect([...hosts]).toEqual(['127.0.0.1:7681', 'localhost:7681'])
  expect([...origins]).toEqual(['http://127.0.0.1:7681', 'http://localhost:7681'])
  expect(origin).toBe('http://127.0.0.1:7681')
})

test('a configured address is ours too', () => {
  const { hosts, origin } = addressesOf('192.0.2.7', 7681)
  expect(hosts.has('192.0.2.7:7681')).toBe(true)
  expect(origin).toBe('http://192.0.2.7:7681')
  expect(addressesOf('::1', 7681).origin).toBe('http://[::1]:7681')
})

test('a wildcard is never a name', () => {
  const { hosts, origin } = addressesOf('0.0.0.0', 7681)
  expect(hosts.has('0.0.0.0:7681')).toBe(false)
  expect(hosts.has('127.0.0.1:7681')).toBe(true)
  expect(origin).toBe('http://127.0.0.1:7681')
})

test('the default port is left out, as clients do', () => {
  expect(addressesOf('127.0.0.1', 80).hosts.has('127.0.0.1')).toBe(true)
})
