import type { SettingsSources } from '../core/data/settingsValues'
import { isLoopback } from '../server/addresses'
import { chosenPort, type PortChoice } from '../server/listen'
import { flagName, SETTING_NAMES, type SettingName } from '../shared/settings'
import { strings } from './strings'

const TOKEN = /^[\x21-\x7e]{1,512}$/
/** What strangers may try is not to be guessed. */
const SHORTEST_REMOTE_TOKEN = 16

export interface ServeOptions {
  port?: string
  host: string
  dataDir?: string
  token?: string
  json?: true
  open?: true
  allowRemote?: true
  takeOver?: true
  [settingFlag: string]: string | true | undefined
}

/** Where a host listens, and what lets its owner in. */
export interface AskedDoors {
  address: string
  port: PortChoice
  token: string | undefined
}

/** What words and variables ask for, or the sentence that says what is wrong with them. */
export function doorsFrom(options: ServeOptions, environment: NodeJS.ProcessEnv): AskedDoors | { problem: string } {
  const askedPort = given('--port', options.port, environment.TANDEM_PORT)
  const port = chosenPort(askedPort?.value)
  if (port === undefined) return { problem: strings.badPort(askedPort?.source ?? '', askedPort?.value ?? '') }
  const token = given('--token', options.token, environment.TANDEM_TOKEN)
  if (token && !TOKEN.test(token.value)) return { problem: strings.badToken(token.source) }
  const address = options.host.replace(/^\[(.*)\]$/, '$1')
  if (!isLoopback(address)) {
    if (!options.allowRemote || !token) return { problem: strings.remoteNeedsConsent(options.host) }
    if (token.value.length < SHORTEST_REMOTE_TOKEN) {
      return { problem: strings.shortToken(token.source, SHORTEST_REMOTE_TOKEN) }
    }
  }
  return { address, port, token: token?.value }
}

/** A flag wins over its variable; one that is set to nothing says nothing. */
function given(flag: '--port' | '--token', word: string | undefined, variable: string | undefined) {
  if (word !== undefined) return { source: flag, value: word }
  const source = flag === '--port' ? 'TANDEM_PORT' : 'TANDEM_TOKEN'
  return variable ? { source, value: variable } : undefined
}

export function settingFlags(options: ServeOptions): SettingsSources['flags'] {
  const flags: Partial<Record<SettingName, string>> = {}
  for (const name of SETTING_NAMES) {
    const value = options[camelCase(flagName(name))]
    if (typeof value === 'string') flags[name] = value
  }
  return flags
}

function camelCase(flag: string): string {
  return flag.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
