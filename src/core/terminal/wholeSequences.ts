const ESC = 0x1b
const BEL = 0x07
const CAN = 0x18
const SUB = 0x1a
const BACKSLASH = 0x5c
/** Lead byte of U+0080–U+00BF: the emulator honours C1 controls in their UTF-8 form. */
const C1_LEAD = 0xc2

/** A sequence longer than this is let through in pieces, so that nobody can make us hold memory. */
const MAX_SEQUENCE_BYTES = 1_048_576

const GROUND = 0
const ESCAPE = 1
const CSI = 2
const OSC = 3
const STRING = 4
/** ESC seen inside a string: a backslash completes the terminator. */
const STRING_ESCAPE = 5
type State = typeof GROUND | typeof ESCAPE | typeof CSI | typeof OSC | typeof STRING | typeof STRING_ESCAPE

const NOTHING = Buffer.alloc(0)

/**
 * Re-cuts a byte stream so that every piece ends at a whole escape sequence and a whole UTF-8 character: whoever joins
 * between two pieces sees no garbage. Bytes are never changed, added or lost; invalid UTF-8 passes through.
 */
export class WholeSequences {
  #state: State = GROUND
  #afterLead = false
  #overlong = false
  #held = NOTHING
  #heldBytes = 0

  /** The whole part of what has arrived; the rest is held until it is complete. May be empty. */
  push(chunk: Buffer): Buffer {
    if (chunk.length === 0) return NOTHING
    if (this.#state !== GROUND) return this.#cut(chunk)
    return this.#cut(this.#heldBytes > 0 ? Buffer.concat([this.#take(), chunk]) : chunk)
  }

  /** What is held, finished or not: the stream has ended. */
  flush(): Buffer {
    const rest = Buffer.from(this.#take())
    this.#reset()
    return rest
  }

  /** Begins afresh where `pending`, the start of a sequence, has been received already. */
  start(pending: Buffer): Buffer {
    this.#take()
    this.#reset()
    return this.push(pending)
  }

  #reset(): void {
    this.#state = GROUND
    this.#afterLead = false
    this.#overlong = false
  }

  #cut(chunk: Buffer): Buffer {
    const sequenceStart = this.#scan(chunk)
    const cut = this.#state === GROUND ? chunk.length - unfinishedCharacterBytes(chunk) : sequenceStart
    if (this.#overlong) {
      this.#overlong = this.#state !== GROUND && sequenceStart === 0
      return this.#overlong ? chunk : this.#release(chunk, cut)
    }
    if (this.#heldBytes + chunk.length - cut > MAX_SEQUENCE_BYTES) {
      this.#overlong = true
      return this.#release(chunk, chunk.length)
    }
    return this.#release(chunk, cut)
  }

  /** Runs over the chunk; returns where the sequence that is unfinished at its end began (0: in an earlier chunk). */
  #scan(chunk: Buffer): number {
    const introducers = new Introducers(chunk)
    let sequenceStart = 0
    let index = 0
    while (index < chunk.length) {
      if (this.#state !== GROUND) {
        index = this.#insideSequence(chunk, index)
        continue
      }
      sequenceStart = introducers.next(index)
      index = sequenceStart + 1
      if (chunk[sequenceStart] === ESC) this.#state = ESCAPE
      else if (index < chunk.length) {
        const second = chunk[index] ?? 0
        if (second >= 0x80 && second < 0xa0) this.#state = afterC1(second)
        if (second !== ESC && second !== C1_LEAD) index++
      }
    }
    return sequenceStart
  }

  #insideSequence(chunk: Buffer, from: number): number {
    let state = this.#state
    let afterLead = this.#afterLead
    let index = from
    while (index < chunk.length && state !== GROUND) {
      const byte = chunk[index++] ?? 0
      if (afterLead && byte >= 0x80 && byte < 0xa0) state = afterC1(byte)
      else state = nextState(state, byte)
      afterLead = byte === C1_LEAD
    }
    this.#state = state
    this.#afterLead = afterLead && state !== GROUND
    return index
  }

  #release(chunk: Buffer, cut: number): Buffer {
    if (this.#heldBytes === 0) {
      this.#hold(chunk.subarray(cut))
      return chunk.subarray(0, cut)
    }
    if (cut === 0) {
      this.#hold(chunk)
      return NOTHING
    }
    const whole = Buffer.concat([this.#take(), chunk.subarray(0, cut)])
    this.#hold(chunk.subarray(cut))
    return whole
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return
    const needed = this.#heldBytes + bytes.length
    if (needed > this.#held.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(64, needed, Math.min(this.#held.length * 2, MAX_SEQUENCE_BYTES)))
      this.#held.copy(grown, 0, 0, this.#heldBytes)
      this.#held = grown
    }
    bytes.copy(this.#held, this.#heldBytes)
    this.#heldBytes = needed
  }

  #take(): Buffer {
    const taken = this.#held.subarray(0, this.#heldBytes)
    this.#held = NOTHING
    this.#heldBytes = 0
    return taken
  }
}

/** How far to look byte by byte, which is quicker than a search where sequences stand close together. */
const NEAR_BYTES = 24

/** Finds the bytes that may begin a sequence. A search is kept until it is passed, so that the whole stays linear. */
class Introducers {
  readonly #chunk: Buffer
  #escape = -1
  #lead = -1

  constructor(chunk: Buffer) {
    this.#chunk = chunk
  }

  /** The next one at or after `from`; the chunk's length if there is none. */
  next(from: number): number {
    const near = Math.min(from + NEAR_BYTES, this.#chunk.length)
    for (let index = from; index < near; index++) {
      const byte = this.#chunk[index]
      if (byte === ESC || byte === C1_LEAD) return index
    }
    if (near === this.#chunk.length) return near
    if (this.#escape < near) this.#escape = this.#search(ESC, near)
    if (this.#lead < near) this.#lead = this.#search(C1_LEAD, near)
    return Math.min(this.#escape, this.#lead)
  }

  #search(byte: number, from: number): number {
    const index = this.#chunk.indexOf(byte, from)
    return index === -1 ? this.#chunk.length : index
  }
}

function afterC1(code: number): State {
  if (code === 0x9b) return CSI
  if (code === 0x9d) return OSC
  return code === 0x90 || code === 0x98 || code === 0x9e || code === 0x9f ? STRING : GROUND
}

function nextState(state: State, byte: number): State {
  if (byte === CAN || byte === SUB) return GROUND
  if (state === OSC || state === STRING) {
    if (byte === ESC) return STRING_ESCAPE
    return byte === BEL && state === OSC ? GROUND : state
  }
  if (byte === ESC) return ESCAPE
  if (state === CSI) return byte >= 0x40 && byte < 0x7f ? GROUND : CSI
  return state === STRING_ESCAPE && byte === BACKSLASH ? GROUND : afterEscape(byte)
}

/** After ESC and any intermediates. Controls are executed inside a sequence and do not end it. */
function afterEscape(byte: number): State {
  if (byte === 0x5b) return CSI
  if (byte === 0x5d) return OSC
  if (byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) return STRING
  return byte >= 0x30 && byte !== 0x7f ? GROUND : ESCAPE
}

/** Length of the valid but incomplete UTF-8 character at the end, 0 if there is none. */
function unfinishedCharacterBytes(bytes: Buffer): number {
  const limit = Math.min(3, bytes.length)
  for (let back = 1; back <= limit; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < characterBytes(byte) ? back : 0
  }
  return 0
}

function characterBytes(lead: number): number {
  if (lead >= 0xf8) return 1
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}
