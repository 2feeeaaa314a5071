import { agentStrings } from './agentStrings'
import { frameStrings } from './frameStrings'

/** Every word the page says, in one place. Functions take the values that go into a sentence. */
export const strings = {
  ...agentStrings,
  ...frameStrings,
  appName: 'Tandem',
  windowTitle: (name: string) => `${name} · Tandem`,
  workspaces: 'Workspaces',
  workspaceName: (folder: string, session: string) => `${folder} / ${session}`,
  workspaceTooltip: (project: string, session: string) => `${project}\nSession: ${session}`,
  workspaceCounts: (running: number, terminals: number) =>
    `${running} running, ${terminals} ${terminals === 1 ? 'terminal' : 'terminals'}`,
  workspaceOffers: (counts: string, offered: number) => `${counts}, ${offered} ended`,
  endedCount: (offered: number) => `${offered} ended`,
  workspaceUnavailable: 'Folder not reachable',
  noWorkspaces: 'No workspaces yet',
  showSidebar: 'Show workspaces',
  hideSidebar: 'Hide workspaces',
  openFolder: 'Open a folder',
  terminals: 'Terminals',
  newTerminal: 'New terminal',
  withKeys: (title: string, keys: string) => (keys === '' ? title : `${title} (${keys})`),
  closeTerminal: 'Close terminal',
  closeNamed: (name: string) => `Close terminal ${name}`,
  renameTerminal: 'Rename terminal',
  tabTooltip: (name: string, cwd: string, state: string) => `${name} (${state})\n${cwd}`,
  moved: (name: string, position: number, count: number) => `${name} moved to position ${position} of ${count}`,
  state: {
    running: 'running',
    idle: 'running',
    working: 'working',
    needsYou: 'needs you',
    done: 'done',
    failed: 'failed',
    bell: 'bell',
    news: 'new output',
    exited: 'exited',
    lost: 'lost',
    unknown: 'not answering',
    unavailable: 'not reachable'
  },
  empty: {
    title: (session: string) => `No terminals in ${session}`,
    firstTitle: 'Ready when you are',
    firstText: 'A terminal here keeps running when you close this page. Agents can use the same terminals.',
    text: (folder: string) => `Terminals opened here begin in ${folder} and keep running when you close this page.`,
    connectAgent: 'Connect an agent',
    openFolder: 'Open folder…'
  },
  form: {
    project: 'Project folder',
    projectPlaceholder: '/home/you/project',
    session: 'Session',
    sessionDefault: 'default',
    submit: 'Open terminal',
    cancel: 'Cancel',
    needsAbsolute: 'The folder must be a full path, starting with “/”.',
    newSession: 'New session',
    needsName: 'The session needs a name.'
  },
  keptRunning: (count: number) =>
    `${count} ${count === 1 ? 'terminal' : 'terminals'} kept running while Tandem was closed.`,
  loading: 'Loading terminals…',
  restoring: (count: number) => `Restoring ${count} ${count === 1 ? 'terminal' : 'terminals'}…`,
  restored: (ready: number, total: number) => `${ready} of ${total}`,
  connection: {
    connecting: 'Connecting…',
    lost: 'Connection lost',
    retryIn: (seconds: number) => `retry in ${seconds} s`,
    retrying: 'trying again…',
    keepRunning: (host: string) => `Your terminals keep running on ${host}. Typing is off until reconnected.`,
    retryNow: 'Try now',
    notSent: 'The line was lost: what you typed last was not sent.'
  },
  signedOut: {
    title: 'This page needs a fresh key',
    text: 'Tandem was started again, so the key of this page no longer fits. Your terminals are still there.',
    step: 'Run this in any terminal, then open the address it prints:',
    command: 'tandem open',
    copy: 'Copy command',
    copied: 'Copied',
    retry: 'Try again'
  },
  ended: {
    code: (exitCode: number) => `exited ${exitCode}`,
    signal: 'ended by a signal',
    after: (how: string, duration: string) => `${how} after ${duration}`,
    enterHint: 'Enter restarts',
    close: 'Close',
    copy: 'Copy output',
    copied: 'Output copied',
    lost: 'This terminal is gone: its tmux session was ended outside of Tandem.',
    unknown: 'tmux is not answering. The program may still be running; this page keeps watching.',
    unavailable: 'The project folder of this terminal cannot be reached now.',
    startNew: 'Start a new one here',
    startAgain: 'Restart',
    showLog: 'Show saved log'
  },
  offer: {
    label: 'Ended terminals',
    vanished: (count: number) =>
      `${count} ${count === 1 ? 'terminal' : 'terminals'} of this workspace ended with the last tmux server:`,
    rebooted: (count: number) =>
      `${count} ${count === 1 ? 'terminal' : 'terminals'} of this workspace ended when the machine was restarted:`,
    startAgain: 'Start again',
    forget: 'Forget',
    andMore: (names: string, more: number) => `${names} and ${more} more`
  },
  closing: {
    closed: (name: string) => `“${name}” closed`,
    undo: 'Undo',
    nothingRuns: 'Closing can be undone for 10 seconds.',
    startedAgain: (name: string) => `“${name}” had ended; it was started again`,
    title: (name: string) => `Close “${name}”?`,
    titleMany: (count: number) => `Close ${count} terminals?`,
    running: (programs: string, count: number) =>
      `${programs} ${count === 1 ? 'is' : 'are'} still running. Closing can be undone for 10 seconds; then ${count === 1 ? 'it ends' : 'they end'}.`
  },
  moveTo: (session: string) => `Move to session ${session}`,
  movedTo: (name: string, session: string) => `“${name}” moved to session ${session}`,
  sessionChooser: {
    label: 'Move terminal to another session',
    placeholder: 'Move to session…',
    nothing: 'This project has no other session'
  },
  tabMenu: (name: string) => `Terminal ${name}`,
  allTerminals: 'All terminals of this session',
  panes: {
    separator: 'Size of the panes',
    zoom: 'Zoom this pane',
    unzoom: 'Show all panes',
    split: 'Split'
  },
  find: {
    label: 'Find',
    count: (position: number, count: number) => (count === 0 ? 'No results' : `${position} of ${count}`),
    broken: 'Not a regular expression',
    caseSensitive: 'Match case',
    regex: 'Regular expression',
    previous: 'Previous match',
    next: 'Next match',
    close: 'Close find'
  },
  size: (cols: number, rows: number) => `${cols}×${rows}`,
  sizedElsewhere: 'sized by another window',
  useThisSize: 'Use this window’s size',
  pty: 'ends with Tandem',
  ptyHint: 'This terminal does not run in tmux: it ends when Tandem stops.',
  palette: {
    label: 'Command palette',
    placeholder: 'Run a command or go to a terminal…',
    nothing: 'No command and no terminal is called that'
  },
  switcher: {
    label: 'Go to terminal',
    placeholder: 'Go to a terminal…',
    nothing: 'No terminal is called that',
    loading: 'Looking for terminals…'
  },
  recentTabs: 'Recently used terminals',
  copyCommand: 'Copy command',
  toast: { dismiss: 'Dismiss', region: 'Messages', copy: 'Copy details' },
  errors: {
    connectionLost: (call: string) => `The connection to Tandem was lost before “${call}” was answered`,
    connectionLostHint: 'Nothing is known about its outcome; look at the list once the page is connected again.',
    notConnected: (call: string) => `Not connected to Tandem: “${call}” was not sent`,
    notConnectedHint: 'The page connects again by itself; then try once more.',
    noLongerThere: (name: string) => `“${name}” is no longer there`,
    noLongerThereHint: 'The list was refreshed.',
    refusedLink: (address: string) => `The link “${address}” was not opened`,
    refusedLinkHint: 'Only http and https links are opened from a terminal.'
  },
  fontSize: (pixels: number) => `Terminal text is ${pixels} pixels`,
  settings: {
    title: 'Settings',
    search: 'Search settings',
    close: 'Close settings',
    groups: 'Groups of settings',
    nothing: (sought: string) => `No setting is about “${sought}”.`,
    notLoaded: 'Settings are there once the page is connected.',
    file: 'Everything is kept in',
    copyPath: 'Copy path',
    reset: 'Reset',
    resetNamed: (label: string) => `Reset ${label}`,
    fallback: (value: string) => `Default: ${value}`,
    overruled: (source: string) => `Set by ${source}, which is stronger than the file`,
    empty: 'empty',
    on: 'on',
    off: 'off',
    problemHint: (path: string) => `Correct it in ${path}; the change counts at once.`,
    inFile: (count: number) => (count === 0 ? 'Written in the file' : `${count} in the file`),
    none: 'none'
  },
  clipboard: {
    notCopied: 'Nothing was copied',
    notCopiedHint: 'The browser does not let this page use the clipboard. Select the text and use the browser’s menu.',
    notReadable: 'The browser does not let this page read the clipboard. Paste with Ctrl+Shift+V or ⌘V.',
    copyHint: 'Ctrl+C interrupts the program. To copy what is selected, press Ctrl+Shift+C.',
    programCopied: (characters: number) =>
      `The program copied ${characters} ${characters === 1 ? 'character' : 'characters'} to the clipboard.`
  },
  paste: {
    title: (lines: number) => `Paste ${lines} lines?`,
    text: 'This program does not tell pasted text from typed text: each line may run as soon as it is there.',
    more: (lines: number) => `… and ${lines} more`,
    confirm: 'Paste'
  },
  dropNeedsDesktop:
    'A browser does not tell a page where a file lies. In the desktop app its path would be typed here.',
  installHint:
    'Tandem can be installed as an app: more keys are yours then. “Install as an app” is in the command palette.',
  textView: {
    title: 'Terminal as text',
    close: 'Close the text',
    running: 'running',
    exit: (code: number | null) => (code === null ? 'ended' : `exit ${code}`)
  },
  link: {
    hint: (isMac: boolean) => `${isMac ? '⌘' : 'Ctrl'}+click to open`,
    title: (host: string) => `Open ${host}?`,
    text: 'A terminal printed this address. It is opened outside of Tandem.',
    open: 'Open'
  },
  menu: {
    label: 'Terminal menu',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select all',
    openLink: 'Open link',
    copyLink: 'Copy link address'
  },
  commandMark: (command: string, end: string) => `${command}, ${end}`,
  typedBy: (agent: string) => `Typed by ${agent}`,
  terminalLabel: (name: string) => `Terminal ${name}`,
  updateReady: (version: string) =>
    `Tandem ${version} is ready and starts the next time. Your terminals keep running while Tandem restarts.`
} as const
