import { z } from 'zod'
import { environmentName, SETTING_NAMES, SETTINGS, type SettingName } from '../../shared/settings'
import { WINDOW_SETTINGS } from '../../shared/windowSettings'
import { strings } from '../strings'
import { ANY_ADDRESS, said } from './said'

/** One field of the form that a client shows for a bundle. */
export interface UserConfigField {
  type: 'string' | 'number' | 'boolean'
  title: string
  description: string
  required: boolean
  sensitive?: boolean
  default?: string | number | boolean
  min?: number
  max?: number
}

/** What a person may set for the host that a bundle starts; how windows look is set in a window. */
export const BUNDLE_SETTINGS = SETTING_NAMES.filter((name) => !Object.hasOwn(WINDOW_SETTINGS, name))

/** The form: the declared settings, then where the host is and what opens it. */
export function userConfig(): Record<string, UserConfigField> {
  const { urlTitle, urlDescription, tokenTitle, tokenDescription } = strings.bundle
  return {
    ...Object.fromEntries(BUNDLE_SETTINGS.map((name) => [name, fieldOf(name)])),
    url: { type: 'string', title: urlTitle, description: urlDescription, required: false, default: ANY_ADDRESS },
    token: { type: 'string', title: tokenTitle, description: tokenDescription, required: false, sensitive: true }
  }
}

/** How the form's values reach the bridge: in the variables that carry the same settings everywhere else. */
export function bundleEnvironment(): Record<string, string> {
  const variables = BUNDLE_SETTINGS.map((name) => [environmentName(name), `\${user_config.${name}}`])
  return {
    ...Object.fromEntries(variables),
    TANDEM_URL: `\${user_config.url}`,
    TANDEM_TOKEN: `\${user_config.token}`
  }
}

/** Without the values that nobody chose: the form fills in every default, which would overrule the person's own file. */
export function withoutDefaults(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const unchosen = new Set<string>(
    BUNDLE_SETTINGS.filter((name) => {
      const value = said(environment[environmentName(name)])
      return value === undefined || value === asText(name)
    }).map(environmentName)
  )
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !unchosen.has(name)))
}

function fieldOf(name: SettingName): UserConfigField {
  const { schema, fallback, allowed, description } = SETTINGS[name]
  const { type, minimum, maximum } = z.toJSONSchema(schema)
  const words = name.replaceAll('_', ' ')
  const shared = {
    title: words.charAt(0).toUpperCase() + words.slice(1),
    description: `${description} Allowed: ${allowed}.`,
    required: false
  }
  if (type === 'boolean') return { type: 'boolean', ...shared, default: fallback === true }
  if (type !== 'integer' && type !== 'number') return { type: 'string', ...shared, default: asText(name) }
  return {
    type: 'number',
    ...shared,
    default: Number(fallback),
    ...(minimum === undefined ? {} : { min: minimum }),
    ...(maximum === undefined ? {} : { max: maximum })
  }
}

/** A default as the environment would carry it; a list is written with commas. */
function asText(name: SettingName): string {
  return String(SETTINGS[name].fallback)
}
