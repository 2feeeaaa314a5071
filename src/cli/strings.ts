import type { Scope } from '../shared/access'

/** Every sentence the command line says, in one place for translation. */
export const strings = {
  tagline: 'One terminal, two riders: you and your agents.',
  serveDescription: 'run the host without a window: the app in your browser, MCP, HTTP and WebSocket for agents',
  openDescription: 'print a fresh address of the running host for your browser (works once, for 10 minutes)',
  listDescription: 'list the terminals of the running host',
  attachDescription: 'use a terminal from here (Ctrl+] leaves it running)',
  killDescription: 'end a terminal and every process in it',
  tokenDescription: 'tokens for agents and other clients',
  tokenListDescription: 'list the named tokens',
  tokenAddDescription: 'make a token and print it once',
  tokenRevokeDescription: 'end a token at once',
  options: {
    port: 'port to listen on (default 7681, or the next free one; 0 picks any)',
    host: 'address to listen on',
    dataDir: 'directory for config, tokens and the owner id',
    token: 'owner token for this run (better: TANDEM_TOKEN, which other users cannot see)',
    json: 'print one JSON line when ready; logs go to stderr',
    jsonAnswer: 'print the answer as one JSON line',
    all: 'every terminal of this data directory',
    open: 'open the app in your browser when ready',
    allowRemote: 'allow --host other than loopback (needs --token)',
    takeOver: 'take over from a host that is running, whatever its version; programs in terminals go on',
    scopes: 'what the token may do: read, type, kill',
    project: 'limit the token to this project directory (can be repeated)'
  },
  ready: (version: string) => `Tandem ${version} is ready.`,
  openHere: (url: string) => `  In your browser:  ${url}`,
  mcpHere: (url: string) => `  For agents (MCP): ${url}`,
  linkWorksOnce: '  The browser address works once; `tandem open` prints another.',
  stopHint: '  Ctrl+C stops the host. Terminals in tmux live on.',
  stopping: 'Stopping. Terminals in tmux live on.',
  hostRunning: (pid: number | undefined, url: string | undefined) =>
    `Tandem is already running${pid === undefined ? '' : ` as process ${pid}`}${url ? ` at ${url}` : ''}. ` +
    'Use `tandem open` to look at it, or another --data-dir to run a second one.',
  portBusy: (port: number) =>
    `Port ${port} is in use. Choose another with --port, or leave it out for the next free one.`,
  remoteNeedsConsent: (address: string) =>
    `--host ${address} would open your terminals to the network. It needs both --allow-remote and --token.`,
  takingOver: (pid: number, version: string) =>
    `Taking over from process ${pid} (version ${version}); programs in terminals go on.`,
  handOverRefused: (pid: number, reason: string) =>
    `Process ${pid} owns this data directory and stays in charge: ${reason}. ` +
    'Stop it with Ctrl+C where it runs, or quit the app, and try again.',
  handingOver: 'Another host takes over: finishing what is under way',
  handedOver: 'Handed over; programs in terminals go on',
  notAllClosed: 'not everything could be closed',
  inChargeAgain: 'The other host did not start: this one is in charge again',
  alreadyLeaving: 'It is stopping or handing over already',
  wouldEndPrograms: (count: number) =>
    `${count} ${count === 1 ? 'program that runs' : 'programs that run'} without tmux would end with it`,
  logFileTrouble: (reason: string) => `The log file cannot be written (${reason}); Tandem goes on without it.`,
  noGoodbye: 'The last host ended without saying goodbye; its terminals are taken up.',
  crashedLastTime: (time: string, code: string, folder: string) =>
    `Tandem ended unexpectedly at ${time} (${code}). What is known about it is in ${folder}.`,
  crashing: (code: string) => `Tandem ends because of a fault of its own (${code}). Terminals in tmux live on.`,
  badPort: (value: string) => `--port is "${value}"; it must be a whole number from 0 to 65535.`,
  noHost: 'No Tandem host is running for this data directory. Start one with `tandem serve`.',
  hostRefused: (message: string) => `The running host refused: ${message}`,
  attachNeedsTty: '`tandem attach` needs a terminal of its own to draw in.',
  attachLost: (reason: string) => `The connection to the host ended${reason ? `: ${reason}` : '.'}`,
  detached: (name: string) => `Left "${name}"; it goes on running.`,
  terminalEnded: (name: string) => `The program in "${name}" has ended.`,
  listEmpty: 'No terminals are open.',
  listHeadings: ['TERMINAL', 'NAME', 'STATE', 'WORKSPACE', 'PROGRAM'],
  killWhich: 'Name one terminal, or give --all. `tandem ls` lists them.',
  killed: (count: number) => `${count} ${count === 1 ? 'terminal' : 'terminals'} ended.`,
  noTerminal: (handle: string) => `There is no terminal "${handle}". \`tandem ls\` lists them.`,
  manyTerminals: (handle: string, count: number) =>
    `${count} terminals are called "${handle}". Use the first column of \`tandem ls\` instead.`,
  tokenAdded: (name: string) => `Token "${name}", shown only now:`,
  tokenRevoked: (name: string) => `Token "${name}" is revoked.`,
  tokenUnknown: (name: string) => `There is no token "${name}". \`tandem token ls\` lists them.`,
  tokenNone: 'There are no named tokens. `tandem token add <name>` makes one.',
  tokenLine: (name: string, scopes: readonly Scope[], projects: readonly string[] | null) =>
    `${name}\t${scopes.join(',')}\t${projects === null ? 'all projects' : projects.join(', ')}`,
  unexpected: (message: string) => `Something went wrong: ${message}`
} as const
