import { AppError } from '../../shared/errors'
import type { Size } from '../../shared/terminal'
import type { Modifiers } from './keyBytes'

export const MOUSE_BUTTONS = ['left', 'middle', 'right', 'wheel_up', 'wheel_down', 'none'] as const
export const MOUSE_ACTIONS = ['click', 'press', 'release', 'move'] as const

export interface MouseInput {
  /** From 1. */
  row: number
  col: number
  button: (typeof MOUSE_BUTTONS)[number]
  action: (typeof MOUSE_ACTIONS)[number]
}

/** What the program asked for. */
export interface MouseModes {
  tracking: 'none' | 'x10' | 'vt200' | 'drag' | 'any'
  isSgr: boolean
}

const BUTTON_CODES = { left: 0, middle: 1, right: 2, none: 3, wheel_up: 64, wheel_down: 65 } as const
const MOTION = 32
const LEGACY_RELEASE = 3
/** The old form has one byte per number, counted from 32. */
const LEGACY_LIMIT = 223

interface Surroundings {
  modes: MouseModes
  size: Size
  modifiers: Modifiers
}

/** The bytes of a mouse event, in the form the program asked for. INVALID_ARGUMENTS when it would never hear of it. */
export function mouseBytes(input: MouseInput, { modes, size, modifiers }: Surroundings): Buffer {
  const { row, col, button, action } = input
  if (row > size.rows || col > size.cols) throw refused(`row ${row}, col ${col} is outside ${size.rows}×${size.cols}`)
  if (modes.tracking === 'none') throw refused('The program does not listen to the mouse')
  if (action === 'move' && !hearsMoves(modes, button)) throw refused('The program does not listen to mouse moves')
  const isWheel = button.startsWith('wheel')
  const steps = action === 'click' && !isWheel ? (['press', 'release'] as const) : [action]
  const heard = steps.filter((step) => step !== 'release' || (modes.tracking !== 'x10' && !isWheel))
  return Buffer.concat(heard.map((step) => encode(input, step, { modes, modifiers })))
}

function hearsMoves({ tracking }: MouseModes, button: MouseInput['button']): boolean {
  return tracking === 'any' || (tracking === 'drag' && button !== 'none')
}

function encode(
  { row, col, button }: MouseInput,
  step: MouseInput['action'],
  { modes, modifiers }: Omit<Surroundings, 'size'>
): Buffer {
  const held = modes.tracking === 'x10' ? 0 : modifierBits(modifiers)
  const motion = step === 'move' ? MOTION : 0
  const code = BUTTON_CODES[button] + held + motion
  if (modes.isSgr) return Buffer.from(`\x1b[<${code};${col};${row}${step === 'release' ? 'm' : 'M'}`)
  if (row > LEGACY_LIMIT || col > LEGACY_LIMIT) throw refused(`This program's mouse ends at ${LEGACY_LIMIT}`)
  const legacy = step === 'release' ? LEGACY_RELEASE + held : code
  return Buffer.from([0x1b, 0x5b, 0x4d, legacy + 32, col + 32, row + 32])
}

function modifierBits({ ctrl, alt, shift }: Modifiers): number {
  return (shift ? 4 : 0) + (alt ? 8 : 0) + (ctrl ? 16 : 0)
}

function refused(message: string): AppError {
  return new AppError('INVALID_ARGUMENTS', message, 'Use keys, or read the screen to see what runs.')
}
