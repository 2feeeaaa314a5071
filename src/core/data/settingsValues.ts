import { RE2JS } from 're2js'
import {
  environmentName,
  flagName,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings
} from '../../shared/settings'
import { shortcutProblems } from '../../shared/shortcuts'

/** Where settings come from, strongest last. Flags and environment are text; the file is JSON. */
export interface SettingsSources {
  file: Readonly<Record<string, unknown>>
  environment: NodeJS.ProcessEnv
  flags: Readonly<Partial<Record<SettingName, string>>>
}

export interface SettingsReading {
  settings: Settings
  /** One sentence per value that was not taken, naming the setting, the value and what is allowed. */
  problems: string[]
}

/** Flag over environment over file over default; a value that is not allowed is reported and the default is used. */
export function readSettings(sources: SettingsSources): SettingsReading {
  const problems: string[] = unknownNames(sources.file)
  const entries = SETTING_NAMES.map((name) => [name, chosenValue(name, sources, problems)] as const)
  // Each entry was checked by its own setting's schema or is its default.
  const settings = Object.fromEntries(entries) as Settings
  problems.push(...shortcutProblems(settings.shortcuts).map((problem) => `Setting "shortcuts": ${problem}`))
  return { settings, problems }
}

function chosenValue(name: SettingName, sources: SettingsSources, problems: string[]): unknown {
  const given = strongest(name, sources)
  if (given === undefined) return SETTINGS[name].fallback
  for (const candidate of given.candidates) {
    const accepted = acceptedValue(name, candidate)
    if (accepted !== undefined) return accepted
  }
  problems.push(`${given.source} is ${JSON.stringify(given.candidates[0])}; it must be ${SETTINGS[name].allowed}.`)
  return SETTINGS[name].fallback
}

/** The value as its setting takes it; undefined when it is not allowed. */
export function acceptedValue(name: SettingName, candidate: unknown): unknown {
  const { data } = SETTINGS[name].schema.safeParse(candidate)
  return name === 'prompt_pattern' && typeof data === 'string' && !isPattern(data) ? undefined : data
}

/** By the engine that will run it. */
function isPattern(text: string): boolean {
  try {
    RE2JS.compile(text, RE2JS.MULTILINE)
    return true
  } catch {
    return false // whatever it has against it, it will not run
  }
}

function strongest(name: SettingName, { file, environment, flags }: SettingsSources) {
  const flag = flags[name]
  if (flag !== undefined) return { source: flagName(name), candidates: readings(flag) }
  const variable = environment[environmentName(name)]
  if (variable !== undefined) return { source: environmentName(name), candidates: readings(variable) }
  if (!Object.hasOwn(file, name)) return undefined
  return { source: `Setting "${name}" in config.json`, candidates: [file[name]] }
}

// A text may stand for itself, for a number or boolean, or for a list; the schema picks the one that fits.
function readings(text: string): unknown[] {
  const found: unknown[] = [text]
  if (/^-?\d+(\.\d+)?$/.test(text)) found.push(Number(text))
  if (text === 'true' || text === 'false') found.push(text === 'true')
  if (text.startsWith('{')) found.push(parsedObject(text))
  found.push(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  )
  return found
}

function parsedObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}

function unknownNames(file: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(file)
    .filter((name) => !Object.hasOwn(SETTINGS, name) && !name.startsWith('__'))
    .map((name) => `Setting "${name}" in config.json is not known; it is kept and ignored.`)
}
