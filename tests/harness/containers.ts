import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { installed } from './installed'

/** A shell of another root and other processes, with nothing in it but busybox. */
export interface Container {
  title: string
  /** Whether this machine lets us make one. */
  isPossible: boolean
  /** Makes one in this folder; what is typed to be in its shell. */
  line(folder: string): string
  end(folder: string): void
}

const BUSYBOX = installed('busybox') ?? ''
const SHELL = ['sh']

/** The image: busybox under all of its names, and the libraries that it asks for. */
function imageIn(folder: string): string {
  const root = join(folder, 'rootfs')
  for (const name of ['bin', 'proc', 'dev', 'sys', 'tmp', 'root']) mkdirSync(join(root, name), { recursive: true })
  const libraries = spawnSync('ldd', [BUSYBOX]).stdout.toString().match(/\/\S+/g) ?? []
  for (const path of libraries) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    cpSync(path, join(root, path), { dereference: true })
  }
  cpSync(BUSYBOX, join(root, 'bin/busybox'), { dereference: true })
  const names = execFileSync(BUSYBOX, ['--list']).toString().split('\n')
  for (const name of names.filter((name) => name !== '' && name !== 'busybox')) {
    execFileSync('ln', ['-s', 'busybox', join(root, 'bin', name)])
  }
  return root
}

const bubblewrap = (root: string, program: string[]): string[] => [
  'bwrap',
  '--bind',
  root,
  '/',
  '--proc',
  '/proc',
  '--dev',
  '/dev',
  '--unshare-all',
  '--',
  ...program
]

const unshare = (root: string, program: string[]): string[] => [
  'unshare',
  '--mount',
  '--pid',
  '--fork',
  `--mount-proc=${join(root, 'proc')}`,
  'chroot',
  root,
  ...program
]

/** A bundle as container engines hand it to their runtime, and that runtime. */
function runc(folder: string, program: string[], { isTerminal }: { isTerminal: boolean }): string[] {
  imageIn(folder)
  execFileSync('runc', ['spec', '--bundle', folder])
  const path = join(folder, 'config.json')
  const config = JSON.parse(readFileSync(path, 'utf8'))
  config.process = { ...config.process, args: program, terminal: isTerminal }
  config.root = { path: 'rootfs', readonly: false }
  writeFileSync(path, JSON.stringify(config))
  return [...runcIn(folder), 'run', '--bundle', folder]
}

const runcIn = (folder: string): string[] => ['runc', '--root', join(folder, 'state')]

/** Its name is one on the whole machine: it also names a control group. */
const nameIn = (folder: string): string => `tandem-${process.pid}-${folder.replace(/\W+/g, '-').slice(-40)}`

function works(make: (folder: string) => string[]): boolean {
  if (process.platform !== 'linux' || BUSYBOX === '') return false
  const folder = mkdtempSync(join(tmpdir(), 'tandem-container-'))
  try {
    const [program = '', ...words] = make(folder)
    return spawnSync(program, words, { stdio: 'ignore', timeout: 20_000 }).status === 0
  } catch {
    // What makes it is not there.
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const isRoot = userInfo().uid === 0
const hasRunc = isRoot && works((folder) => [...runc(folder, ['true'], { isTerminal: false }), nameIn(folder)])
const nothing = (): void => undefined

export const CONTAINERS: Container[] = [
  {
    title: 'sh of a container that runc runs',
    isPossible: hasRunc,
    line: (folder) => [...runc(folder, SHELL, { isTerminal: true }), nameIn(folder)].join(' '),
    end: endContainer
  },
  {
    title: 'sh by exec in a container that runs',
    isPossible: hasRunc,
    line: (folder) => {
      const [program = '', ...words] = runc(folder, ['sleep', '3600'], { isTerminal: false })
      execFileSync(program, [...words, '--detach', nameIn(folder)], { stdio: 'ignore' })
      return [...runcIn(folder), 'exec', '--tty', nameIn(folder), ...SHELL].join(' ')
    },
    end: endContainer
  },
  {
    title: 'sh behind bubblewrap',
    isPossible: works((folder) => bubblewrap(imageIn(folder), ['true'])),
    line: (folder) => bubblewrap(imageIn(folder), SHELL).join(' '),
    end: nothing
  },
  {
    title: 'sh behind namespaces and another root',
    isPossible: isRoot && works((folder) => unshare(imageIn(folder), ['true'])),
    line: (folder) => unshare(imageIn(folder), ['/bin/sh']).join(' '),
    end: nothing
  }
]

function endContainer(folder: string): void {
  const [program = '', ...words] = runcIn(folder)
  spawnSync(program, [...words, 'delete', '--force', nameIn(folder)], { stdio: 'ignore' })
}
