const terminals = (count: number) => (count === 1 ? 'one terminal' : `${count} terminals`)

/** What the desktop shell itself says; everything inside the window is the page's. */
export const strings = {
  appName: 'Tandem',
  cannotStart: 'Tandem cannot start',
  ownerSilent:
    'Another Tandem process owns your terminals but does not say where it listens. Close it, or wait until it has started, and open Tandem again.',
  ownerRefused: 'Another Tandem process owns your terminals and did not let this window in. Run “tandem open” instead.',
  changingHands: (call: string) =>
    `"${call}" was not done: another Tandem process is taking over. Your terminals go on running.`,
  pageCrashes: 'The window has crashed several times in a row. Your terminals go on running.',
  pageHangs: 'The window does not answer. Your terminals go on running.',
  buttons: { reload: 'Load it again', wait: 'Wait', quit: 'Quit and end them', stay: 'Stay' },
  needsYou: (name: string) => `${name} needs you`,
  needsYouBody: 'A password or another secret is asked for. Agents cannot answer it.',
  asksIn: (project: string, session: string, name: string) => `${project} / ${session} · ${name}`,
  asks: (agent: string) => `${agent} needs you.`,
  finished: (name: string) => `${name}: finished`,
  failed: (name: string, code: number | null) =>
    code === null ? `${name}: ended by a signal` : `${name}: exit ${code}`,
  goesOn: (count: number) => `Closing Tandem ends nothing: ${terminals(count)} will go on running.`,
  goesOnDetail: 'Open Tandem again and they are where you left them. This is said only once.',
  ends: (count: number) => `Quitting ends ${terminals(count)}.`,
  endsDetail: 'They run inside Tandem because tmux is not used. Terminals in tmux go on after Tandem is closed.'
} as const
