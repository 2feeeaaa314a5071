import type { Endpoint } from '../../core/data/discovery'
import { spawnHost } from '../spawnHost'
import type { HostLinkOptions } from './hostLink'

export type HostFinder = (dataDir: string, environment: NodeJS.ProcessEnv) => Pick<HostLinkOptions, 'find' | 'start'>

/** The host of this machine and data dir: found by the file it publishes, started with the program that we are ourselves. */
export const localHost: HostFinder = (dataDir, environment) => {
  const [, script = ''] = process.argv
  return hostOf(dataDir, environment, [process.execPath, script])
}

/** The same with another program to start; none: it is only found. */
export function hostOf(
  dataDir: string,
  environment: NodeJS.ProcessEnv,
  command: readonly string[] | undefined
): Pick<HostLinkOptions, 'find' | 'start'> {
  return {
    find: () => findHost(dataDir, environment),
    async start({ anyPort }) {
      if (!command) return undefined
      // A token given to us may be a limited one, or one that was revoked: it must not become the owner's.
      const { TANDEM_TOKEN: _, ...hostEnvironment } = environment
      return spawnHost(dataDir, { command, environment: hostEnvironment, flags: anyPort ? ['--port', '0'] : [] })
    }
  }
}

/** Loaded late: reading the file checks its form, and what checks it is heavier than a whole start. */
async function findHost(dataDir: string, { TANDEM_TOKEN }: NodeJS.ProcessEnv): Promise<Endpoint | undefined> {
  const { readEndpoint } = await import('../../core/data/discovery')
  const endpoint = readOrNone(() => readEndpoint(dataDir))
  return endpoint && TANDEM_TOKEN ? { ...endpoint, token: TANDEM_TOKEN } : endpoint
}

/** A data dir that cannot be read has no host for us; one that is started says why. */
function readOrNone<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure) return undefined
    throw failure
  }
}
