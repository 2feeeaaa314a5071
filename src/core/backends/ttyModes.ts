import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Logger } from '../log'
import type { TtyModes } from './backend'

const run = promisify(execFile)
const DEVICE_OPTION = process.platform === 'darwin' ? '-f' : '-F'
const LIMIT_MS = 3_000

/** What `stty -a` says about a terminal; undefined when it cannot be asked, which is so once the terminal is gone. */
export async function readTtyModes(device: string, log: Logger): Promise<TtyModes | undefined> {
  try {
    const options = { env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' }, timeout: LIMIT_MS }
    const { stdout } = await run('stty', [DEVICE_OPTION, device, '-a'], options)
    return parseTtyModes(stdout)
  } catch (failure) {
    log.debug({ err: failure, device }, 'The modes of a terminal could not be read')
    return undefined
  }
}

export function parseTtyModes(text: string): TtyModes {
  const words = new Set(text.split(/[\s;]+/))
  return { isCanonical: words.has('icanon'), echoes: words.has('echo') }
}
