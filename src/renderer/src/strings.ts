/** Every word the page says, in one place. Functions take the values that go into a sentence. */
export const strings = {
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
  newTerminalHint: 'New terminal (Alt+Shift+T)',
  closeTerminal: 'Close terminal',
  closeNamed: (name: string) => `Close terminal ${name}`,
  renameTerminal: 'Rename terminal',
  tabTooltip: (name: string, cwd: string) => `${name}\n${cwd}`,
  moved: (name: string, position: number, count: number) => `${name} moved to position ${position} of ${count}`,
  state: {
    running: 'running',
    exited: 'exited',
    lost: 'lost',
    unknown: 'not answering',
    unavailable: 'not reachable'
  },
  empty: {
    title: (session: string) => `No terminals in ${session}`,
    firstTitle: 'Ready when you are',
    firstText: 'A terminal here keeps running when you close this page. Agents can use the same terminals.',
    text: 'What you open here keeps running when you close this page.',
    inFolder: (folder: string) => `in ${folder}`,
    elsewhere: 'Or open one in another folder'
  },
  form: {
    project: 'Project folder',
    projectPlaceholder: '/home/you/project',
    session: 'Session',
    sessionDefault: 'default',
    submit: 'Open terminal',
    cancel: 'Cancel',
    needsAbsolute: 'The folder must be a full path, starting with “/”.'
  },
  loading: 'Loading terminals…',
  connection: {
    connecting: 'Connecting…',
    lost: 'Connection lost',
    retryIn: (seconds: number) => `retry in ${seconds} s`,
    retrying: 'trying again…',
    keepRunning: 'Your terminals keep running. Typing is off until reconnected.',
    retryNow: 'Try now'
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
    code: (exitCode: number) => `Exited with code ${exitCode}`,
    signal: 'Ended by a signal',
    readable: 'The output stays here until you close the terminal.',
    lost: 'This terminal is gone: the program ended without a word, or tmux was stopped.',
    unknown: 'tmux is not answering. The program may still be running; this page keeps watching.',
    unavailable: 'The project folder of this terminal cannot be reached now.',
    startNew: 'Start a new one here',
    startAgain: 'Start again'
  },
  offer: {
    label: 'Ended terminals',
    vanished: (count: number) =>
      `${count} ${count === 1 ? 'terminal' : 'terminals'} of this workspace ended with the last tmux server:`,
    rebooted: (count: number) =>
      `${count} ${count === 1 ? 'terminal' : 'terminals'} of this workspace ended when the machine was restarted:`,
    startAgain: 'Start again',
    forget: 'Forget'
  },
  size: (cols: number, rows: number) => `${cols}×${rows}`,
  sizedElsewhere: 'sized by another window',
  useThisSize: 'Use this window’s size',
  pty: 'ends with Tandem',
  ptyHint: 'This terminal does not run in tmux: it ends when Tandem stops.',
  linkHint: 'Ctrl+click to open',
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
  terminalLabel: (name: string) => `Terminal ${name}`
} as const
