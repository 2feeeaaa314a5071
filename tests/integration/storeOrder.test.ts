import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ONE_FILE_THREAD, Strace, straceMissing } from '../harness/faults/strace'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { WorkspaceClient } from '../harness/workspace'

let world: World
let tandem: Tandem

beforeEach(async () => {
  world = makeWorld(ONE_FILE_THREAD)
  tandem = await Tandem.start(world)
})
afterEach(async () => {
  await tandem.end('SIGKILL')
  await world.remove()
})

const work = new WorkspaceClient(() => tandem)
const STORE = 'terminal-sessions.json'

/** Which step of a save a system call is. */
function stepOf(call: string): string[] {
  if (/openat\(.*\.tmp", O_WRONLY\|O_CREAT\|O_EXCL\|O_NOFOLLOW/.test(call)) return ['new file']
  if (/write\(.*\.collab\/work\/.*\.tmp>/.test(call)) return ['content']
  if (/fsync\(.*\.collab\/work\/.*\.tmp>/.test(call)) return ['content is on disk']
  if (/link\(.*terminal-sessions\.json", .*\.tmp"/.test(call)) return ['second name for the old file']
  if (/rename\(.*\.tmp", .*terminal-sessions\.json\.bak"/.test(call)) return ['old file is the generation before']
  if (/rename\(.*\.tmp", .*terminal-sessions\.json"/.test(call)) return ['new file is the store']
  if (/fsync\(.*\.collab\/work>/.test(call)) return ['directory is on disk']
  return []
}

test.skipIf(straceMissing())('a change reaches the disk in the order that survives a power cut', async () => {
  const { id } = await work.create('one')
  await work.rename(id, 'two')
  const strace = await Strace.attach(tandem.ready.pid, { calls: 'openat,write,fsync,link,rename' })
  await work.rename(id, 'three')
  const steps = (await strace.end()).flatMap(stepOf)
  expect(steps).toEqual([
    'new file',
    'content',
    'content is on disk',
    'second name for the old file',
    'old file is the generation before',
    'new file is the store',
    'directory is on disk'
  ])
  const directory = join(world.project, '.collab/work')
  expect(readdirSync(directory).sort()).toEqual([STORE, `${STORE}.bak`])
  expect(readFileSync(join(directory, STORE), 'utf8')).toContain('"three"')
  expect(readFileSync(join(directory, `${STORE}.bak`), 'utf8')).toContain('"two"')
  expect(readFileSync(join(world.project, '.collab/.gitignore'), 'utf8')).toBe('*\n')
})
