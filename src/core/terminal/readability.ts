import type { Style } from './emulator'

// How the emulator packs colours and flags into two integers.
const MODE_MASK = 0x3000000
const MODE_RGB = 0x3000000
const MODE_16 = 0x1000000
// Set for colours out of 256 and for exact ones; a named colour on the window's own ground can always be read.
const MODE_256 = 0x2000000
const BOLD = 0x8000000
const INVISIBLE = 0x40000000

type Rgb = readonly [red: number, green: number, blue: number]

/** The window's colours on a dark screen; on a light one the window itself keeps every text readable. */
const TEXT: Rgb = [0xd8, 0xdd, 0xe2]
const GROUND: Rgb = [0x0e, 0x10, 0x12]
const NAMED = [
  0x23282d, 0xf0716f, 0x6cc77a, 0xe3b25a, 0x6aa9ff, 0xc79bff, 0x56c4c9, 0xc9cfd5, 0x75808b, 0xff908c, 0x8bdb95,
  0xf3cb7f, 0x92c1ff, 0xd8b8ff, 0x82dcdf, 0xf4f6f8
]
const CUBE_STEPS = [0, 95, 135, 175, 215, 255]
/** Red, green and blue all this close: nobody can tell letters from their ground. */
const UNREADABLE_DISTANCE = 24

/** `faint`: unreadable on the window's dark screen, and readable on others. */
export type Readability = 'readable' | 'faint' | 'hidden'

/** Whether text in this style can be seen by a person. */
export function readabilityOf({ fg, bg }: Pick<Style, 'fg' | 'bg'>): Readability {
  if (fg & INVISIBLE) return 'hidden'
  const isOwn = (fg & MODE_MASK) !== 0
  const isGroundOwn = (bg & MODE_MASK) !== 0
  if (!isOwn && !isGroundOwn) return 'readable'
  if (distance(textColour(fg), groundColour(bg)) > UNREADABLE_DISTANCE) return 'readable'
  return isOwn && isGroundOwn ? 'hidden' : 'faint'
}

/** Rules out most cells at a glance: false when text in it is surely readable. */
export function isSuspect(fg: number, bg: number): boolean {
  return (fg & INVISIBLE) !== 0 || (bg & MODE_MASK) !== 0 || (fg & MODE_256) !== 0
}

function textColour(fg: number): Rgb {
  const mode = fg & MODE_MASK
  if (mode === 0) return TEXT
  const isBrightened = mode === MODE_16 && (fg & BOLD) !== 0 && (fg & 0xff) < 8
  return colour(isBrightened ? fg + 8 : fg)
}

function groundColour(bg: number): Rgb {
  return (bg & MODE_MASK) === 0 ? GROUND : colour(bg)
}

function colour(packed: number): Rgb {
  if ((packed & MODE_MASK) === MODE_RGB) return split(packed)
  const index = packed & 0xff
  if (index < 16) return split(NAMED[index] ?? 0)
  if (index >= 232) return grey(8 + (index - 232) * 10)
  const cube = index - 16
  const step = (divisor: number): number => CUBE_STEPS[Math.floor(cube / divisor) % 6] ?? 0
  return [step(36), step(6), step(1)]
}

function split(value: number): Rgb {
  return [(value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]
}

function grey(value: number): Rgb {
  return [value, value, value]
}

function distance(one: Rgb, other: Rgb): number {
  return Math.max(...one.map((part, index) => Math.abs(part - (other[index] ?? 0))))
}
