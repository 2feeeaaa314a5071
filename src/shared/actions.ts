import type { KeyPlace } from './keys'

/** The keys of one action: in the desktop app per system, and what a browser tab takes besides. */
interface Keys {
  mac: readonly string[]
  linux: readonly string[]
  /** For browser tabs, where the others may be the browser's own; empty: the same keys serve there. */
  browser: readonly string[]
}

export interface Action {
  title: string
  group: 'Terminal' | 'Tabs' | 'Panes' | 'View' | 'Agents' | 'Application'
  keys: Keys
  /** The keys count only where no program has the keyboard: programs use them too. */
  leavesKeysToPrograms?: true
}

const keys = (mac: string, linux: string, browser = ''): Keys => {
  const list = (text: string) => text.split(' ').filter(Boolean)
  return { mac: list(mac), linux: list(linux), browser: list(browser) }
}
const NO_KEYS = keys('', '')

const goToTab = (number: number): Action => ({
  title: `Go to tab ${number}`,
  group: 'Tabs',
  keys: keys(`Meta+Digit${number}`, `Alt+Digit${number}`, `Alt+Digit${number}`)
})
const arrow = (direction: string) => keys(`Alt+Meta+Arrow${direction}`, `Control+Alt+Arrow${direction}`)

/**
 * Everything a person can ask of the window, declared once: keyboard, palette, menus and docs are derived from it. On
 * Linux the keys are Ctrl+Shift or Alt, so that programs keep Ctrl; on macOS they are ⌘.
 */
export const ACTIONS = {
  newTerminal: {
    title: 'New terminal',
    group: 'Terminal',
    keys: keys('Meta+KeyT', 'Control+Shift+KeyT', 'Alt+Shift+KeyT')
  },
  closeTerminal: {
    title: 'Close terminal',
    group: 'Terminal',
    keys: keys('Meta+KeyW', 'Control+Shift+KeyW', 'Alt+Shift+KeyW')
  },
  closeOthers: { title: 'Close other terminals', group: 'Terminal', keys: NO_KEYS },
  reopenClosed: {
    title: 'Reopen closed terminal',
    group: 'Terminal',
    keys: keys('Shift+Meta+KeyT', 'Control+Shift+KeyY', 'Alt+Shift+KeyY')
  },
  renameTerminal: { title: 'Rename terminal', group: 'Terminal', keys: keys('F2', 'F2'), leavesKeysToPrograms: true },
  restartTerminal: { title: 'Start the ended terminal again', group: 'Terminal', keys: NO_KEYS },
  clearTerminal: { title: 'Clear', group: 'Terminal', keys: keys('Meta+KeyK', 'Control+Shift+KeyK') },
  find: { title: 'Find in terminal', group: 'Terminal', keys: keys('Meta+KeyF', 'Control+Shift+KeyF') },
  previousCommand: {
    title: 'Go to the previous command',
    group: 'Terminal',
    keys: keys('Meta+ArrowUp', 'Control+Shift+ArrowUp')
  },
  nextCommand: {
    title: 'Go to the next command',
    group: 'Terminal',
    keys: keys('Meta+ArrowDown', 'Control+Shift+ArrowDown')
  },
  readAsText: { title: 'Read the terminal as text', group: 'Terminal', keys: keys('Alt+F2', 'Alt+F2') },
  moveToSession: { title: 'Move terminal to another session', group: 'Terminal', keys: NO_KEYS },
  goToTab1: goToTab(1),
  goToTab2: goToTab(2),
  goToTab3: goToTab(3),
  goToTab4: goToTab(4),
  goToTab5: goToTab(5),
  goToTab6: goToTab(6),
  goToTab7: goToTab(7),
  goToTab8: goToTab(8),
  goToLastTab: { title: 'Go to the last tab', group: 'Tabs', keys: keys('Meta+Digit9', 'Alt+Digit9', 'Alt+Digit9') },
  previousTab: {
    title: 'Previous tab',
    group: 'Tabs',
    keys: keys('Shift+Meta+BracketLeft', 'Control+PageUp', 'Alt+PageUp')
  },
  nextTab: {
    title: 'Next tab',
    group: 'Tabs',
    keys: keys('Shift+Meta+BracketRight', 'Control+PageDown', 'Alt+PageDown')
  },
  recentTab: {
    title: 'Most recently used tab',
    group: 'Tabs',
    keys: keys('Control+Tab', 'Control+Tab', 'Alt+Backquote')
  },
  leastRecentTab: {
    title: 'Least recently used tab',
    group: 'Tabs',
    keys: keys('Control+Shift+Tab', 'Control+Shift+Tab', 'Alt+Shift+Backquote')
  },
  goBack: { title: 'Back to the terminal before', group: 'Tabs', keys: NO_KEYS },
  goForward: { title: 'Forward again', group: 'Tabs', keys: NO_KEYS },
  moveTabLeft: {
    title: 'Move tab left',
    group: 'Tabs',
    keys: keys('Alt+Shift+Meta+ArrowLeft', 'Control+Shift+PageUp')
  },
  moveTabRight: {
    title: 'Move tab right',
    group: 'Tabs',
    keys: keys('Alt+Shift+Meta+ArrowRight', 'Control+Shift+PageDown')
  },
  splitRight: { title: 'Split right', group: 'Panes', keys: keys('Meta+KeyD', 'Control+Shift+KeyO') },
  splitDown: { title: 'Split down', group: 'Panes', keys: keys('Shift+Meta+KeyD', 'Control+Shift+KeyE') },
  unsplit: { title: 'Take the terminal out of the split', group: 'Panes', keys: NO_KEYS },
  focusPaneLeft: { title: 'Go to the pane at the left', group: 'Panes', keys: arrow('Left') },
  focusPaneRight: { title: 'Go to the pane at the right', group: 'Panes', keys: arrow('Right') },
  focusPaneUp: { title: 'Go to the pane above', group: 'Panes', keys: arrow('Up') },
  focusPaneDown: { title: 'Go to the pane below', group: 'Panes', keys: arrow('Down') },
  zoomPane: { title: 'Zoom pane', group: 'Panes', keys: keys('Shift+Meta+Enter', 'Control+Shift+Enter') },
  palette: { title: 'Command palette', group: 'View', keys: keys('Shift+Meta+KeyP', 'Control+Shift+KeyP', 'F1') },
  quickSwitch: { title: 'Go to terminal', group: 'View', keys: keys('Meta+KeyP', 'Control+Shift+KeyG') },
  sidebar: { title: 'Show or hide the sidebar', group: 'View', keys: keys('Meta+KeyB', 'Control+Shift+KeyB') },
  nextRegion: { title: 'Go to the next part of the window', group: 'View', keys: keys('F6', 'F6') },
  fontLarger: { title: 'Larger text', group: 'View', keys: keys('Meta+Equal', 'Control+Equal Control+Shift+Equal') },
  fontSmaller: { title: 'Smaller text', group: 'View', keys: keys('Meta+Minus', 'Control+Minus') },
  fontReset: { title: 'Text at its usual size', group: 'View', keys: keys('Meta+Digit0', 'Control+Digit0') },
  nextNeedsMe: {
    title: 'Go to the next terminal that needs you',
    group: 'Agents',
    keys: keys('Shift+Meta+KeyU', 'Control+Shift+KeyJ')
  },
  agentPanel: {
    title: 'Show or hide the activity panel',
    group: 'Agents',
    keys: keys('Shift+Meta+KeyA', 'Control+Shift+KeyA')
  },
  takeControl: {
    title: 'Take control or give it back',
    group: 'Agents',
    keys: keys('Meta+Enter', 'Control+Shift+Space')
  },
  connectAgent: { title: 'Connect an agent', group: 'Agents', keys: NO_KEYS },
  openFolder: { title: 'Open a folder', group: 'Application', keys: keys('Meta+KeyO', 'Alt+Shift+KeyO') },
  newSession: { title: 'New session in this project', group: 'Application', keys: NO_KEYS },
  removeSession: { title: 'Remove this session', group: 'Application', keys: NO_KEYS },
  newWindow: { title: 'New window', group: 'Application', keys: keys('Meta+KeyN', 'Control+Shift+KeyN') },
  installApp: { title: 'Install as an app', group: 'Application', keys: NO_KEYS },
  restartToUpdate: { title: 'Restart to update', group: 'Application', keys: NO_KEYS },
  settings: { title: 'Settings', group: 'Application', keys: keys('Meta+Comma', 'Control+Comma', 'Control+Comma') }
} as const satisfies Record<string, Action>

export type ActionId = keyof typeof ACTIONS

export const ACTION_IDS = Object.keys(ACTIONS) as ActionId[]

/** The keys an action has in a place, the one to show first. A browser may pass some of the system's own keys on. */
export function keysOf(id: ActionId, { system, shell }: KeyPlace): readonly string[] {
  const { browser, ...native } = ACTIONS[id].keys
  return shell === 'browser' ? [...browser, ...native[system]] : native[system]
}

/** The declaration of an action, whichever it is. */
export function actionOf(id: ActionId): Action {
  return ACTIONS[id]
}
