import type { RememberedModes } from '../backend'

/** What tmux says about a pane beside its text. The title comes last: it may hold the separator. */
const FIELDS = [
  'pane_width',
  'pane_height',
  'cursor_x',
  'cursor_y',
  'history_size',
  'pane_dead',
  'alternate_on',
  'alternate_saved_x',
  'alternate_saved_y',
  'cursor_flag',
  'insert_flag',
  'keypad_cursor_flag',
  'keypad_flag',
  'mouse_standard_flag',
  'mouse_button_flag',
  'mouse_all_flag',
  'mouse_utf8_flag',
  'mouse_sgr_flag',
  'origin_flag',
  'wrap_flag',
  'scroll_region_upper',
  'scroll_region_lower',
  'pane_tabs',
  '@tandem_modes',
  'host',
  'pane_title'
] as const

type Field = (typeof FIELDS)[number]

const MARK = 'state|'
export const PANE_STATE_FORMAT = MARK + FIELDS.map((field) => `#{${field}}`).join('|')

export class PaneState {
  readonly #values: Map<Field, string>

  private constructor(values: Map<Field, string>) {
    this.#values = values
  }

  static from(lines: readonly string[]): PaneState | undefined {
    const line = lines.find((candidate) => candidate.startsWith(MARK))
    if (line === undefined) return undefined
    const parts = line.slice(MARK.length).split('|')
    const title = parts.splice(FIELDS.length - 1).join('|')
    return new PaneState(new Map(FIELDS.map((field, index) => [field, parts[index] ?? title])))
  }

  text(field: Field): string {
    return this.#values.get(field) ?? ''
  }

  number(field: Field): number {
    return Number(this.text(field) || '0')
  }

  flag(field: Field): boolean {
    return this.number(field) !== 0
  }

  get modes(): RememberedModes {
    return decodeModes(this.text('@tandem_modes'))
  }
}

/** Modes as a user option holds them: `1,0,4`. */
export function encodeModes({ bracketedPaste, focusReporting, cursorShape }: RememberedModes): string {
  return [Number(bracketedPaste), Number(focusReporting), cursorShape].join(',')
}

export function decodeModes(text: string): RememberedModes {
  const [, bracketedPaste, focusReporting, cursorShape] = /^([01]),([01]),(\d)$/.exec(text) ?? []
  return {
    bracketedPaste: bracketedPaste === '1',
    focusReporting: focusReporting === '1',
    cursorShape: Number(cursorShape ?? '0')
  }
}
