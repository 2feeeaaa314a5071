/** What the frame around the terminals says: the first line, the sidebar, the last line, and notices outside. */
export const frameStrings = {
  titleBar: {
    search: 'Search or run…',
    goBack: 'Back',
    goForward: 'Forward',
    needYou: (count: number) => (count === 1 ? '1 needs you' : `${count} need you`)
  },
  notices: {
    finished: (name: string) => `${name}: finished`,
    failed: (name: string) => `${name}: failed`,
    offer: 'While you looked elsewhere something here wanted you. The system can tell you the next time.',
    allow: 'Tell me'
  },
  terminalRow: (name: string, state: string, folder: string | undefined) =>
    `${name}: ${state}${folder === undefined ? '' : `, in ${folder}`}`,
  sidebar: {
    projects: 'Projects',
    width: 'Width of the sidebar',
    showTerminals: 'Show the terminals',
    hideTerminals: 'Hide the terminals',
    sessionMenu: 'More actions',
    removeTitle: (session: string) => `Remove session “${session}”?`,
    removeText: (running: number) =>
      running === 0
        ? 'Nothing runs in it. Its terminals are closed and it leaves the list.'
        : `${running} running ${running === 1 ? 'terminal ends' : 'terminals end'}. This cannot be undone.`,
    remove: 'Remove session'
  },
  statusBar: {
    mcp: (host: string) => `MCP ${host}`,
    mcpHint: (address: string) => `Agents connect to ${address}`,
    agents: (count: number) => ` · ${count} ${count === 1 ? 'agent' : 'agents'}`,
    offline: 'not connected',
    encoding: 'UTF-8',
    exit: (code: number) => `exit ${code}`,
    exitAfter: (exit: string, duration: string) => `${exit} · ${duration}`,
    lastCommand: 'How the last command ended, and how long it took',
    readWrite: 'read/write',
    readOnly: 'read only'
  }
} as const
