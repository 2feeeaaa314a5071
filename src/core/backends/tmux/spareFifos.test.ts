import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SmallPrograms } from '../smallPrograms'
import { RuntimeFiles } from './runtimeFiles'
import { SpareFifos } from './spareFifos'

let folder: string
let programs: SmallPrograms

beforeEach(() => {
  folder = mkdtempSync('/tmp/tandem-test-')
  programs = new SmallPrograms()
})

afterEach(async () => {
  await programs.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('whoever asks gets a FIFO of their own, also when many ask at once', async () => {
  const fifos = new SpareFifos(new RuntimeFiles(folder), programs)
  const taken = await Promise.all(Array.from({ length: 20 }, () => fifos.take()))
  expect(new Set(taken).size).toBe(20)
  for (const path of taken) expect(statSync(path).isFIFO()).toBe(true)
  for (const path of taken) expect(statSync(path).mode & 0o777).toBe(0o600)
  await fifos.stop()
})

test('nothing that was made ahead stays after the end', async () => {
  const fifos = new SpareFifos(new RuntimeFiles(folder), programs)
  rmSync(await fifos.take())
  expect(readdirSync(folder).length).toBeGreaterThan(0)
  await fifos.stop()
  expect(readdirSync(folder)).toEqual([])
})

test('one that cannot be made is told to whoever needs it, and tried again for the next', async () => {
  const later = `${folder}/later`
  const fifos = new SpareFifos(new RuntimeFiles(later), programs)
  await expect(fifos.take()).rejects.toThrow()
  await fifos.stop()
  mkdirSync(later)
  expect(statSync(await fifos.take()).isFIFO()).toBe(true)
  await fifos.stop()
})
