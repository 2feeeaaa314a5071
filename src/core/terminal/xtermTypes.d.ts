// The serialize addon's typings name the browser package; here that would pull the DOM into the core.
export type * from '@xterm/headless'
