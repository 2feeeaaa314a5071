import { type ChildProcess, spawn } from 'node:child_process'
import { appImageWords } from '../core/clients/appImage'

interface SpawnHostOptions {
  /** What runs `tandem`. */
  command?: readonly string[]
  environment?: NodeJS.ProcessEnv
  flags?: readonly string[]
  /** The person's own, when this process has a tighter one: programs in terminals are to have it. */
  umask?: number
}

/** Starts a host that stays when this process is over; of several at once all but one find that another owns the data dir. */
export function spawnHost(dataDir: string, options: SpawnHostOptions = {}): ChildProcess {
  const [, script = ''] = process.argv
  const { command = [process.execPath, script], environment = process.env, flags = [] } = options
  const serve = ['serve', '--data-dir', dataDir, ...flags]
  // The files of an AppImage go with the process that mounted them: a host that stays mounts them for itself.
  const mounted = appImageWords(environment, command.at(-1) ?? '', serve)
  const [program = process.execPath, ...words] = mounted ?? [...command, ...serve]
  const ownUmask = options.umask === undefined ? undefined : process.umask(options.umask)
  const child = spawn(program, words, {
    detached: true,
    stdio: 'ignore',
    env: environment,
    // The folder this was called from must not be kept in use.
    cwd: '/'
  })
  if (ownUmask !== undefined) process.umask(ownUmask)
  child.unref()
  return child
}
