import { AppError } from '../../shared/errors'
import { type HostFinder, hostOf } from '../bridge/localHost'
import { strings } from '../strings'
import { installedTandem } from './installedTandem'
import { ANY_ADDRESS, said } from './said'

/** The host of a bridge that is not part of an installation: the one of this computer, or one whose address a person gave. */
export const bundledHost: HostFinder = (dataDir, environment) => {
  const { TANDEM_URL, TANDEM_TOKEN, ...others } = environment
  const url = said(TANDEM_URL)
  const token = said(TANDEM_TOKEN)
  if (url !== undefined && url !== ANY_ADDRESS) {
    return { find: async () => ({ url: checkedAddress(url), token: neededToken(url, token) }), start: cannotStart }
  }
  const { find } = hostOf(dataDir, token === undefined ? others : { ...others, TANDEM_TOKEN: token }, undefined)
  return { find, start: (options) => startInstalled(dataDir, others, options) }
}

async function startInstalled(dataDir: string, environment: NodeJS.ProcessEnv, options: { anyPort: boolean }) {
  // Looked for with every start: the person may install it while the client runs.
  const installed = installedTandem(environment)
  if (!installed) throw new AppError('HOST_UNAVAILABLE', strings.bundle.notInstalled, strings.bundle.notInstalledHint)
  // Loaded late: the table of settings is heavier than a whole start.
  const { withoutDefaults } = await import('./userConfig')
  return hostOf(dataDir, withoutDefaults(installed.environment), installed.command).start(options)
}

async function cannotStart(): Promise<undefined> {
  return undefined
}

function checkedAddress(url: string): string {
  if (URL.canParse(url) && new URL(url).protocol === 'http:') return url
  throw new AppError('INVALID_ARGUMENTS', strings.bundle.badUrl(url), strings.bundle.badUrlHint)
}

function neededToken(url: string, token: string | undefined): string {
  if (token !== undefined) return token
  throw new AppError('UNAUTHORIZED', strings.bundle.tokenMissing(url), strings.bundle.tokenMissingHint)
}
