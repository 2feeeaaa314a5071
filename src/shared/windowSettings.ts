import { z } from 'zod'
import { setting } from './setting'

/** How a window looks and behaves. A change shows at once, in every window. */
export const WINDOW_SETTINGS = {
  theme: choice(
    ['system', 'light', 'dark', 'light-contrast', 'dark-contrast'],
    'Colours of the window; system: as the system is set, high contrast included.'
  ),
  terminal_theme: choice(
    ['match', 'solarized-light', 'solarized-dark', 'gruvbox-light', 'gruvbox-dark', 'nord', 'dracula'],
    'Colours inside terminals; match: as the window.'
  ),
  minimum_contrast: setting(
    z.number().min(0).max(21),
    0,
    'a number from 0 to 21',
    'Text in terminals is made at least this readable; 0: as the theme needs, 1: colours stay as programs choose them.'
  ),
  ui_font_family: setting(fontFamily(), '', 'a list of fonts', 'Font of the window; empty: Inter.'),
  ui_font_size: setting(
    z.number().min(11).max(18),
    13,
    'a number from 11 to 18',
    'Size of the window’s text in pixels.'
  ),
  font_family: setting(fontFamily(), '', 'a list of fonts', 'Font of terminals; empty: JetBrains Mono.'),
  font_size: setting(
    z.number().min(6).max(48),
    14,
    'a number from 6 to 48',
    'Size of terminal text in pixels. Zooming changes it for one window alone.'
  ),
  line_height: setting(
    z.number().min(1).max(2),
    1.2,
    'a number from 1 to 2',
    'Height of a terminal line, as a multiple of its text.'
  ),
  cursor_style: choice(['block', 'bar', 'underline'], 'Shape of the cursor, unless a program chooses another.'),
  cursor_blink: toggle(false, 'Whether the cursor blinks.'),
  renderer: choice(
    ['auto', 'gpu', 'dom'],
    'What draws terminals; auto: the graphics card where there is one, page elements where there is none.'
  ),
  smooth_scroll: toggle(false, 'Whether terminals glide when scrolled.'),
  scroll_on_output: toggle(false, 'Go to the end whenever a program prints, even while you read back.'),
  copy_on_select: toggle(false, 'Copy text to the clipboard as soon as it is selected.'),
  paste_warning: toggle(true, 'Ask before pasting several lines into a program that would run them one by one.'),
  screen_reader_mode: choice(
    ['auto', 'on', 'off'],
    'Make terminals readable for screen readers; auto: when the system says that one is running.'
  ),
  confirm_close: choice(
    ['busy', 'always', 'never'],
    'Ask before a terminal is closed; busy: when a program runs in it.'
  ),
  bell: choice(['visual', 'sound', 'none'], 'What a terminal’s bell does.'),
  notifications: choice(
    ['all', 'needs-you', 'none'],
    'What the system tells you about while you look elsewhere; all: also commands that took long.'
  ),
  notify_after: setting(
    z.int().min(0).max(86_400),
    10,
    'a whole number from 0 to 86400',
    'Seconds after which a finished command counts as one that took long.'
  ),
  updates: choice(
    ['auto', 'off'],
    'Whether the desktop app fetches newer versions of itself; they start at the next start.'
  ),
  give_back_after: setting(
    z.int().min(0).max(3600),
    30,
    'a whole number from 0 to 3600',
    'Seconds of rest at a prompt after which agents may type again; 0: only when you give back.'
  ),
  shortcuts: setting(
    z.record(z.string(), z.string()),
    {} as Record<string, string>,
    'an object of actions and their keys, as {"find": "Ctrl+Alt+F"}',
    'Keys of your own for actions, by the names in the list of shortcuts; empty: none.'
  )
} as const

function choice<const T extends [string, ...string[]]>(values: T, description: string) {
  const allowed = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
  return setting(z.enum(values), values[0] as T[number], allowed, description)
}

function toggle(fallback: boolean, description: string) {
  return setting(z.boolean(), fallback, 'true or false', description)
}

// A family goes into a style sheet: names and commas, and nothing that could end a declaration.
function fontFamily() {
  return z
    .string()
    .max(500)
    .regex(/^[^;{}()<>\\@\p{Cc}]*$/u)
}
