import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SafeDirectory } from './safeDirectory'
import { putInPlace, type Replacement, readSmallFile, removeTemporaries, writeBeside } from './safeFiles'

let root: string
let project: string
let outside: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-safe-')))
  project = join(root, 'project')
  outside = join(root, 'outside')
  mkdirSync(project)
  mkdirSync(join(outside, 'b'), { recursive: true })
  writeFileSync(join(outside, 'file.json'), 'canary')
  writeFileSync(join(outside, 'b', 'file.json'), 'canary')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

// Both ways are tested everywhere: the second one is what runs where there are no descriptor paths.
describe.each([true, false])('a directory below .collab, with descriptors: %s', (descriptors) => {
  const segments = ['a', 'b']
  const open = (create: boolean) => SafeDirectory.open({ project, segments, create, descriptors })

  async function write(text: string, keepAs?: string): Promise<void> {
    const directory = await open(true)
    if (!directory) throw new Error('There is no directory')
    try {
      await replaceFile(directory, { name: 'file.json', text, keepAs })
    } finally {
      await directory.close()
    }
  }

  test('is not made by looking', async () => {
    expect(await open(false)).toBeUndefined()
    expect(readdirSync(project)).toEqual([])
  })

  test('has its old file back when that was moved aside and the new one cannot take its place', async () => {
    const directory = await open(true)
    if (!directory) throw new Error('There is no directory')
    const path = (name: string) => join(project, '.collab/a/b', name)
    // What cannot have a second name, as on disks without hard links.
    mkdirSync(path('file.json'))
    const replacement = { name: 'file.json', keepAs: 'file.json.bak' }
    await expect(putInPlace(directory, 'missing.tmp', replacement)).rejects.toMatchObject({ code: 'ENOENT' })
    await directory.close()
    expect(readdirSync(path('.'))).toEqual(['file.json'])
  })

  test('is made private, and so are its files', async () => {
    await write('hello')
    expect(readFileSync(join(project, '.collab/a/b/file.json'), 'utf8')).toBe('hello')
    for (const path of ['.collab', '.collab/a', '.collab/a/b']) {
      expect(statSync(join(project, path)).mode & 0o777).toBe(0o700)
    }
    expect(statSync(join(project, '.collab/a/b/file.json')).mode & 0o777).toBe(0o600)
  })

  test('says when something is to be made in .collab, before it is', async () => {
    const made: string[][] = []
    const onMaking = async (collab: SafeDirectory) => void made.push([collab.path, ...readdirSync(collab.path)])
    for (const create of [false, true, true]) {
      const directory = await SafeDirectory.open({ project, segments, create, onMaking, descriptors })
      await directory?.close()
    }
    expect(made).toEqual([[join(project, '.collab')]])
  })

  test.runIf(existsSync('/proc/self/fd'))('that cannot be made leaves nothing open', async () => {
    const count = () => readdirSync('/proc/self/fd').length
    const onMaking = () => Promise.reject(new Error('disk full'))
    const before = count()
    await expect(SafeDirectory.open({ project, segments, create: true, onMaking, descriptors })).rejects.toThrow(
      'disk full'
    )
    expect(count()).toBe(before)
    expect(readdirSync(join(project, '.collab'))).toEqual([])
  })

  test.each(['.collab', '.collab/a', '.collab/a/b'])(
    'refuses %s as a symbolic link, for reading and writing',
    async (level) => {
      mkdirSync(join(project, level, '..'), { recursive: true })
      symlinkSync(outside, join(project, level))
      await expect(open(false)).rejects.toMatchObject({ code: 'OUTSIDE_PROJECT' })
      await expect(write('evil')).rejects.toMatchObject({ code: 'OUTSIDE_PROJECT' })
      expect(readFileSync(join(outside, 'file.json'), 'utf8')).toBe('canary')
      expect(readdirSync(outside).sort()).toEqual(['b', 'file.json'])
    }
  )

  test('refuses a project that became a symbolic link', async () => {
    rmSync(project, { recursive: true })
    symlinkSync(outside, project)
    await expect(write('evil')).rejects.toThrow()
    expect(existsSync(join(outside, '.collab'))).toBe(false)
  })

  test('refuses a project below a symbolic link', async () => {
    symlinkSync(root, join(root, 'link'))
    const request = { project: join(root, 'link/project'), segments, create: true, descriptors }
    await expect(SafeDirectory.open(request)).rejects.toMatchObject({ code: 'OUTSIDE_PROJECT' })
    expect(readdirSync(project)).toEqual([])
  })

  test('refuses a plain file in its way', async () => {
    mkdirSync(join(project, '.collab'))
    writeFileSync(join(project, '.collab/a'), '')
    await expect(open(true)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
  })

  test('replaces a linked file itself and never what it points to', async () => {
    await write('one')
    const file = join(project, '.collab/a/b/file.json')
    unlinkSync(file)
    symlinkSync(join(outside, 'file.json'), file)
    const directory = await open(false)
    expect(directory && (await readSmallFile(directory, 'file.json', 100))).toEqual({
      kind: 'bad',
      why: 'it is a symbolic link'
    })
    await directory?.close()
    await write('two', 'file.json.aside')
    expect(readFileSync(file, 'utf8')).toBe('two')
    expect(readFileSync(join(outside, 'file.json'), 'utf8')).toBe('canary')
  })

  test('keeps the file before under another name, and leaves nothing else', async () => {
    await write('one', 'kept')
    await write('two', 'kept')
    await write('three', 'kept')
    const directory = join(project, '.collab/a/b')
    expect(readFileSync(join(directory, 'kept'), 'utf8')).toBe('two')
    expect(readdirSync(directory).sort()).toEqual(['file.json', 'kept'])
  })

  test('a directory that cannot be synced leaves the file of before, and the next save is whole again', async () => {
    const failingSync = async (text: string) => {
      const directory = await open(true)
      if (!directory) throw new Error('There is no directory')
      directory.handle.sync = () => Promise.reject(new Error('no sync'))
      const write = replaceFile(directory, { name: 'file.json', text, keepAs: 'kept' })
      await expect(write).rejects.toThrow('no sync')
      await directory.close()
    }
    const directory = join(project, '.collab/a/b')
    await failingSync('zero')
    expect(readdirSync(directory)).toEqual([])
    await write('one', 'kept')
    await write('two', 'kept')
    await failingSync('three')
    expect(readFileSync(join(directory, 'file.json'), 'utf8')).toBe('two')
    await write('four', 'kept')
    expect(readFileSync(join(directory, 'file.json'), 'utf8')).toBe('four')
    expect(readFileSync(join(directory, 'kept'), 'utf8')).toBe('two')
    expect(readdirSync(directory).sort()).toEqual(['file.json', 'kept'])
  })

  test('a directory where the file should be is kept aside too', async () => {
    mkdirSync(join(project, '.collab/a/b/file.json/inside'), { recursive: true })
    await write('new', 'aside')
    expect(readFileSync(join(project, '.collab/a/b/file.json'), 'utf8')).toBe('new')
    expect(readdirSync(join(project, '.collab/a/b/aside'))).toEqual(['inside'])
  })

  test('a FIFO in place of a file does not hang and is not read', async () => {
    await write('x')
    const file = join(project, '.collab/a/b/file.json')
    unlinkSync(file)
    execFileSync('mkfifo', [file])
    const directory = await open(false)
    expect(directory && (await readSmallFile(directory, 'file.json', 100))).toMatchObject({ kind: 'bad' })
    await directory?.close()
  })

  test('a file over the limit is not read', async () => {
    await write('x'.repeat(101))
    const directory = await open(false)
    expect(directory && (await readSmallFile(directory, 'file.json', 100))).toMatchObject({ kind: 'bad' })
    expect(directory && (await readSmallFile(directory, 'file.json', 101))).toMatchObject({ kind: 'text' })
    await directory?.close()
  })

  test('what a killed writer left is swept, and only that', async () => {
    await write('x')
    const directory = join(project, '.collab/a/b')
    for (const name of ['.file.json.0123456789ab.tmp', '.other.json.0123456789ab.tmp', '.file.json.tmp']) {
      writeFileSync(join(directory, name), '')
    }
    const opened = await open(false)
    if (opened) await removeTemporaries(opened, 'file.json')
    await opened?.close()
    expect(readdirSync(directory).sort()).toEqual(['.file.json.tmp', '.other.json.0123456789ab.tmp', 'file.json'])
  })
})

describe('a directory that is swapped for a link while it is written to', () => {
  // The swap happens in between the steps of the writer, again and again, at every level.
  test.each(['.collab', '.collab/a', '.collab/a/b'])('never leads outside: %s', async (level) => {
    const real = join(project, level)
    const hidden = join(root, 'hidden')
    const before = [statSync(join(outside, 'file.json')).ino, statSync(join(outside, 'b', 'file.json')).ino]
    const counts = { written: 0, refused: 0 }
    let isSwapping = true
    const swapper = (async () => {
      mkdirSync(join(project, '.collab/a/b'), { recursive: true })
      while (isSwapping) {
        if (existsSync(real)) renameSync(real, hidden)
        symlinkSync(outside, real)
        await new Promise(setImmediate)
        unlinkSync(real)
        renameSync(hidden, real)
        await new Promise(setImmediate)
      }
    })()
    for (let round = 0; round < 200; round += 1) {
      try {
        const directory = await SafeDirectory.open({ project, segments: ['a', 'b'], create: false })
        if (!directory) continue
        try {
          await replaceFile(directory, { name: 'file.json', text: `round ${round}`, keepAs: 'file.json.bak' })
          counts.written += 1
        } finally {
          await directory.close()
        }
      } catch {
        counts.refused += 1
      }
    }
    isSwapping = false
    await swapper
    expect([statSync(join(outside, 'file.json')).ino, statSync(join(outside, 'b', 'file.json')).ino]).toEqual(before)
    expect(readFileSync(join(outside, 'file.json'), 'utf8')).toBe('canary')
    expect(readFileSync(join(outside, 'b', 'file.json'), 'utf8')).toBe('canary')
    expect(readdirSync(outside).sort()).toEqual(['b', 'file.json'])
    expect(readdirSync(join(outside, 'b'))).toEqual(['file.json'])
    expect(counts.written + counts.refused).toBeGreaterThan(0)
  })
})

async function replaceFile(directory: SafeDirectory, { text, ...replacement }: Replacement & { text: string }) {
  await putInPlace(directory, await writeBeside(directory, replacement.name, text), replacement)
}
