import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RotatingFile, readRotatingFile } from './rotatingFile'

let root: string
const place = () => ({ path: join(root, 'logs', 'a.log'), maxBytes: 100, maxFiles: 3 })

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tandem-rotating-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('the newest lines are kept in order, in a bounded number of bounded private files', () => {
  const file = new RotatingFile(place())
  for (let n = 0; n < 200; n++) file.append(`line ${n}`)
  file.close()
  const lines = readRotatingFile(place())
  expect(lines.at(-1)).toBe('line 199')
  expect(lines).toEqual(lines.map((_, index) => `line ${200 - lines.length + index}`))
  const names = readdirSync(join(root, 'logs'))
  expect(names.sort()).toEqual(['a.log', 'a.log.1', 'a.log.2'])
  for (const name of names) {
    expect(statSync(join(root, 'logs', name)).mode & 0o777).toBe(0o600)
    expect(statSync(join(root, 'logs', name)).size).toBeLessThanOrEqual(100)
  }
})

test('for the newest lines alone, what is too old for them is not read', () => {
  const file = new RotatingFile(place())
  for (let n = 0; n < 200; n++) file.append(`line ${n}`)
  file.close()
  const all = readRotatingFile(place())
  expect(readRotatingFile(place(), 15)).toEqual(all.slice(-15))
  expect([readRotatingFile(place(), 0), readRotatingFile(place(), 1000)]).toEqual([[], all])
  rmSync(`${place().path}.2`)
  mkdirSync(`${place().path}.2`)
  expect(() => readRotatingFile(place())).toThrow()
  expect(readRotatingFile(place(), 15)).toEqual(all.slice(-15))
})

test('a line that a killed process left half written is not glued to the next', () => {
  const first = new RotatingFile(place())
  first.append('whole')
  first.close()
  appendFileSync(place().path, '{"half":')
  const second = new RotatingFile(place())
  second.append('next')
  second.close()
  expect(readRotatingFile(place())).toEqual(['whole', '{"half":', 'next'])
})

test('a file that cannot be written is reported each time, and written again when it can be', () => {
  const file = new RotatingFile(place())
  mkdirSync(place().path, { recursive: true })
  expect(() => file.append('one')).toThrow()
  rmSync(place().path, { recursive: true })
  file.append('two')
  file.close()
  expect(readRotatingFile(place())).toEqual(['two'])
})

test('a link in place of the file is not followed, and loose permissions are tightened', () => {
  mkdirSync(join(root, 'logs'))
  symlinkSync(join(root, 'elsewhere'), place().path)
  expect(() => new RotatingFile(place()).append('one')).toThrow()
  rmSync(place().path)
  appendFileSync(place().path, 'before\n')
  chmodSync(place().path, 0o644)
  const file = new RotatingFile(place())
  file.append('after')
  file.close()
  expect(statSync(place().path).mode & 0o777).toBe(0o600)
  expect(readRotatingFile(place())).toEqual(['before', 'after'])
})
