import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../log'
import { KnownWorkspaces } from './knownWorkspaces'

const key = { project: '/project', session: 'default' }
let dataDir: string
let known: KnownWorkspaces

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tandem-known-'))
  known = new KnownWorkspaces(dataDir, silentLog)
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const path = () => join(dataDir, 'workspaces.json')
const written = () => JSON.parse(readFileSync(path(), 'utf8')).workspaces
const block = () => mkdirSync(join(path(), 'in/the/way'), { recursive: true })
const unblock = () => rmSync(path(), { recursive: true })

test('a list that could not be written is written by the next terminal, also of a workspace that is known', () => {
  block()
  expect(() => known.add(key)).toThrow()
  expect(() => known.add(key)).toThrow()
  unblock()
  known.add(key)
  expect(written()).toEqual([key])
})

test('nor is what could not be taken off it forgotten', () => {
  known.add(key)
  const other = { ...key, session: 'other' }
  known.add(other)
  rmSync(path())
  block()
  expect(() => known.remove(key)).toThrow()
  unblock()
  known.add(other)
  expect(written()).toEqual([other])
})

test('a list that is written is not written again', () => {
  known.add(key)
  rmSync(path())
  known.add(key)
  expect(() => readFileSync(path())).toThrow()
})
