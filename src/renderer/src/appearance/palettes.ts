import type { ITheme } from '@xterm/xterm'
import type { Settings } from '../../../shared/settings'

type PaletteName = Exclude<Settings['terminal_theme'], 'match'>

interface Palette {
  isLight: boolean
  background: string
  foreground: string
  cursor: string
  selection: string
  /** The sixteen colours of programs, in their order. */
  ansi: string
}

const SOLARIZED =
  '#073642 #dc322f #859900 #b58900 #268bd2 #d33682 #2aa198 #eee8d5 #002b36 #cb4b16 #586e75 #657b83 #839496 #6c71c4 #93a1a1 #fdf6e3'

// Well-known palettes under their own names, colours only.
const PALETTES: Record<PaletteName, Palette> = {
  'solarized-light': {
    isLight: true,
    background: '#fdf6e3',
    foreground: '#657b83',
    cursor: '#586e75',
    selection: '#eee8d5',
    ansi: SOLARIZED
  },
  'solarized-dark': {
    isLight: false,
    background: '#002b36',
    foreground: '#839496',
    cursor: '#93a1a1',
    selection: '#073642',
    ansi: SOLARIZED
  },
  'gruvbox-light': {
    isLight: true,
    background: '#fbf1c7',
    foreground: '#3c3836',
    cursor: '#3c3836',
    selection: '#d5c4a1',
    ansi: '#fbf1c7 #cc241d #98971a #d79921 #458588 #b16286 #689d6a #7c6f64 #928374 #9d0006 #79740e #b57614 #076678 #8f3f71 #427b58 #3c3836'
  },
  'gruvbox-dark': {
    isLight: false,
    background: '#282828',
    foreground: '#ebdbb2',
    cursor: '#ebdbb2',
    selection: '#504945',
    ansi: '#282828 #cc241d #98971a #d79921 #458588 #b16286 #689d6a #a89984 #928374 #fb4934 #b8bb26 #fabd2f #83a598 #d3869b #8ec07c #ebdbb2'
  },
  nord: {
    isLight: false,
    background: '#2e3440',
    foreground: '#d8dee9',
    cursor: '#d8dee9',
    selection: '#434c5e',
    ansi: '#3b4252 #bf616a #a3be8c #ebcb8b #81a1c1 #b48ead #88c0d0 #e5e9f0 #4c566a #bf616a #a3be8c #ebcb8b #81a1c1 #b48ead #8fbcbb #eceff4'
  },
  dracula: {
    isLight: false,
    background: '#282a36',
    foreground: '#f8f8f2',
    cursor: '#f8f8f2',
    selection: '#44475a',
    ansi: '#21222c #ff5555 #50fa7b #f1fa8c #bd93f9 #ff79c6 #8be9fd #f8f8f2 #6272a4 #ff6e6e #69ff94 #ffffa5 #d6acff #ff92df #a4ffff #ffffff'
  }
}

const ANSI_NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']
const BRIGHT_NAMES = ANSI_NAMES.map((name) => `bright${name[0]?.toUpperCase()}${name.slice(1)}`)

/** The emulator's sixteen names with their colours, given in their order. */
export function ansiColours(colours: readonly string[]): ITheme {
  return Object.fromEntries([...ANSI_NAMES, ...BRIGHT_NAMES].map((name, index) => [name, colours[index]]))
}

/** A named palette as the emulator takes it, and whether it is a light one. */
export function paletteTheme(name: PaletteName): { theme: ITheme; isLight: boolean } {
  const { isLight, background, foreground, cursor, selection, ansi } = PALETTES[name]
  const slider = (share: string) => `${foreground}${share}`
  const theme: ITheme = {
    background,
    foreground,
    cursor,
    cursorAccent: background,
    selectionBackground: selection,
    scrollbarSliderBackground: slider('33'),
    scrollbarSliderHoverBackground: slider('5c'),
    scrollbarSliderActiveBackground: slider('5c'),
    overviewRulerBorder: background,
    ...ansiColours(ansi.split(' '))
  }
  return { theme, isLight }
}
