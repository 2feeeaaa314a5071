import type { Style } from './emulator'

// How the emulator packs colours and flags into two integers.
const COLOUR_MASK = 0x3ffffff
const MODE_MASK = 0x3000000
const MODE_16 = 0x1000000
const MODE_256 = 0x2000000
const MODE_RGB = 0x3000000
const UNDERLINE = 0x10000000
const HAS_EXTENDED = 0x10000000
const PROTECTED = 0x20000000
const FOREGROUND_FLAGS = [
  [0x4000000, 7],
  [0x8000000, 1],
  [0x20000000, 5],
  [0x40000000, 8],
  [0x80000000, 9]
] as const
const BACKGROUND_FLAGS = [
  [0x4000000, 3],
  [0x8000000, 2],
  [0x40000000, 53]
] as const

const NO_EXTENSION = { ext: 0, urlId: 0 }

export const DEFAULT_STYLE: Style = { fg: 0, bg: 0, extended: NO_EXTENSION }

/** The colour of a packed value, without its flags. */
export function colourOf(packed: number): number {
  return packed & COLOUR_MASK
}

/** A copy that means the same: the emulator leaves an old `extended` in place where the flag says there is none. */
export function copyOf({ fg, bg, extended: { ext, urlId } }: Style): Style {
  return { fg, bg: bg & ~PROTECTED, extended: bg & HAS_EXTENDED ? { ext, urlId } : NO_EXTENSION }
}

export function sameStyle(one: Style, copy: Style): boolean {
  if (one.fg !== copy.fg || (one.bg & ~PROTECTED) !== copy.bg) return false
  if (!(one.bg & HAS_EXTENDED)) return true
  return one.extended.ext === copy.extended.ext && one.extended.urlId === copy.extended.urlId
}

/** The sequence that sets exactly this style, whatever the pen was. */
export function sgr({ fg, bg, extended }: Style): string {
  const parts: (number | string)[] = [0]
  for (const [flag, code] of FOREGROUND_FLAGS) if (fg & flag) parts.push(code)
  for (const [flag, code] of BACKGROUND_FLAGS) if (bg & flag) parts.push(code)
  if (fg & UNDERLINE) parts.push(underline(bg, extended))
  parts.push(...colour(fg, 30), ...colour(bg, 40))
  if (bg & HAS_EXTENDED) parts.push(...underlineColour(extended.ext))
  return `\x1b[${parts.join(';')}m`
}

function underline(bg: number, { ext, urlId }: Style['extended']): string | number {
  const shape = bg & HAS_EXTENDED && urlId === 0 ? (ext >>> 26) & 7 : 1
  return shape > 1 ? `4:${shape}` : 4
}

function colour(packed: number, base: 30 | 40): number[] {
  const value = packed & 0xff
  switch (packed & MODE_MASK) {
    case MODE_16:
      return [value < 8 ? base + value : base + 60 + value - 8]
    case MODE_256:
      return [base + 8, 5, value]
    case MODE_RGB:
      return [base + 8, 2, (packed >>> 16) & 0xff, (packed >>> 8) & 0xff, value]
    default:
      return []
  }
}

function underlineColour(ext: number): string[] {
  const packed = ext & COLOUR_MASK
  // All bits set is how the emulator writes "no colour of its own".
  if (packed === COLOUR_MASK) return []
  if ((packed & MODE_MASK) === MODE_RGB) {
    return [`58:2::${(packed >>> 16) & 0xff}:${(packed >>> 8) & 0xff}:${packed & 0xff}`]
  }
  return packed & MODE_MASK ? [`58:5:${packed & 0xff}`] : []
}
