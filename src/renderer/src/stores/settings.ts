import { create } from 'zustand'
import type { Bridge } from '../../../shared/ipc'
import { SETTING_NAMES, SETTINGS, type SettingName, type Settings } from '../../../shared/settings'
import type { SettingsReport } from '../../../shared/settingsReport'
import { strings } from '../strings'
import { rememberedSettings, rememberSettings } from './remembered'
import { showError, withdrawMessage } from './toasts'

interface SettingsState {
  /** Undefined until the host answered for the first time. */
  report: SettingsReport | undefined
  values: Settings
}

/** The settings in force. Until the host has told them, those of the last visit: the page appears as it will stay. */
export const useSettings = create<SettingsState>(() => ({ report: undefined, values: startingValues() }))

export function settingValues(): Settings {
  return useSettings.getState().values
}

/** Keeps the settings in step with the host, whoever changes them and where. */
export function followSettings(bridge: Bridge): () => void {
  let isTold = false
  const stop = bridge.on('settingsChanged', (report) => {
    isTold = true
    putReport(report)
  })
  void bridge.readSettings().then((answer) => {
    if (!answer.ok) showError(answer.error)
    // An answer that was overtaken by a change is older than it.
    else if (!isTold) putReport(answer.value)
  })
  return stop
}

/** Shows the change at once; a host that refuses it has the last word. Without a value the default holds again. */
export async function changeSetting<N extends SettingName>(
  bridge: Bridge,
  name: N,
  value: Settings[N] | undefined
): Promise<void> {
  const before = useSettings.getState()
  useSettings.setState({ values: { ...before.values, [name]: value ?? SETTINGS[name].fallback } })
  const answer = await bridge.changeSetting(name, value)
  if (answer.ok) return putReport(answer.value)
  showError(answer.error)
  useSettings.setState({ values: useSettings.getState().report?.values ?? before.values })
}

function putReport(report: SettingsReport): void {
  const known = useSettings.getState().report?.problems ?? []
  useSettings.setState({ report, values: report.values })
  rememberSettings(report.values)
  for (const problem of known) if (!report.problems.includes(problem)) withdrawMessage(problem)
  for (const problem of report.problems.filter((text) => !known.includes(text))) {
    showError({ code: 'INVALID_ARGUMENTS', message: problem, hint: strings.settings.problemHint(report.path) })
  }
}

function startingValues(): Settings {
  const remembered = rememberedSettings()
  const entries = SETTING_NAMES.map((name) => {
    const parsed = SETTINGS[name].schema.safeParse(remembered[name])
    return [name, parsed.success ? parsed.data : SETTINGS[name].fallback] as const
  })
  // Each value was checked by its own setting's schema or is its default.
  return Object.fromEntries(entries) as Settings
}
