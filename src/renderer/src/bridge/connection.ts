/** What the page knows about its line to the host. */
export type Connection =
  | { state: 'connecting' }
  | { state: 'connected' }
  | { state: 'waiting'; retryAt: number }
  /** The host answers but does not know this page's cookie: only a fresh one-time code helps. */
  | { state: 'signedOut' }

/** What stands between the page and a working socket; the browser hides the reason of a refused upgrade. */
export type Reachability = 'reachable' | 'signedOut' | 'down'
