/** The ttyd protocol: one leading byte says the kind, the rest is payload. Declared once for both ends. */
export const TTY_SUBPROTOCOL = 'tty'

export const CLIENT_FRAME = { input: 0x30, resize: 0x31, pause: 0x32, resume: 0x33, hello: 0x7b } as const

export const SERVER_FRAME = { output: 0x30, title: 0x31, preferences: 0x32 } as const

/**
 * Tandem's part of the preferences frame. `offset` is the position, in bytes since the terminal began, of the first
 * output byte that follows this frame; a client that adds the length of each later output frame to it can reconnect
 * with `&from=`. It comes after a snapshot, whose bytes do not count. `columns` and `rows` are the terminal's one size.
 */
export interface TandemPreferences {
  tandem: { offset: number; columns: number; rows: number }
}

export const CLOSE_CODE = { programEnded: 1000, goingAway: 1001, policy: 1008, tooBig: 1009, internal: 1011 } as const
