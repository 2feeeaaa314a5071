import type { Settings } from '../../../shared/settings'
import { type Command, commandLine } from './quote'

/** Colours of the terminal area, so that tmux answers programs that ask for them (OSC 10, 11). */
const WINDOW_STYLE = 'fg=#E7EAED,bg=#0E1012'

/**
 * The whole configuration of our private server; all of it may be sourced again while terminals run. `window-size` is
 * never set here: globally it crashes tmux 3.3a at the next new-session.
 */
export function serverConfig(settings: Settings): string {
  const options: Command[] = [
    ['set-option', '-s', 'exit-empty', 'off'],
    ['set-option', '-s', 'escape-time', '0'],
    ['set-option', '-s', 'set-clipboard', 'external'],
    ['set-option', '-s', 'focus-events', 'off'],
    // The log keeps commands, and commands carry what is typed.
    ['set-option', '-s', 'message-limit', '0'],
    ['set-option', '-g', 'default-terminal', settings.term],
    ['set-option', '-g', 'status', 'off'],
    ['set-option', '-g', 'prefix', 'None'],
    ['set-option', '-g', 'prefix2', 'None'],
    ['set-option', '-g', 'mouse', 'off'],
    ['set-option', '-g', 'update-environment', ''],
    ['set-option', '-g', 'bell-action', 'none'],
    ['set-option', '-g', 'activity-action', 'none'],
    ['set-option', '-g', 'history-limit', String(settings.scrollback_limit)],
    ['set-option', '-gw', 'allow-passthrough', 'off'],
    ['set-option', '-gw', 'allow-rename', 'off'],
    ['set-option', '-gw', 'automatic-rename', 'off'],
    ['set-option', '-gw', 'remain-on-exit', 'on'],
    ['set-option', '-gw', 'remain-on-exit-format', ''],
    ['set-option', '-gw', 'window-style', WINDOW_STYLE],
    ...['prefix', 'root', 'copy-mode', 'copy-mode-vi'].map((table): Command => ['unbind-key', '-q', '-a', '-T', table])
  ]
  return `${options.map((option) => commandLine([option])).join('\n')}\n`
}
