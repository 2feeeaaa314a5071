import type { Incoming } from './messages'
import { type Id, RPC_ERRORS, type RpcNotification, type RpcOutcome, readMessage } from './messages'

/** More than the host takes in one request; what is longer is answered without being kept. */
const MAX_LINE_CHARACTERS = 8 * 1024 * 1024

interface PeerEvents {
  message(message: Incoming): void
  /** The client will say nothing more. */
  ended(): void
  /** The client hears nothing any more. */
  deaf(): void
}

/** The client at the other end of stdin and stdout: one JSON-RPC message per line, and nothing else is ever written. */
export class StdioPeer {
  readonly #input: NodeJS.ReadStream
  readonly #output: NodeJS.WriteStream
  readonly #events: PeerEvents
  #rest = ''
  #isSkipping = false

  constructor({ input, output }: { input: NodeJS.ReadStream; output: NodeJS.WriteStream }, events: PeerEvents) {
    this.#input = input
    this.#output = output
    this.#events = events
    output.on('error', () => events.deaf())
    input.setEncoding('utf8')
    input.on('data', (text: string) => this.#take(text))
    input.once('end', () => events.ended())
    input.once('error', () => events.ended())
  }

  answer(id: Id | null, outcome: RpcOutcome): void {
    this.#write('error' in outcome ? { id, error: outcome.error } : { id, result: outcome.result })
  }

  notify({ method, params }: RpcNotification): void {
    this.#write({ method, params })
  }

  close(): void {
    this.#input.destroy()
  }

  #write(message: object): void {
    if (!this.#output.destroyed) this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  #take(text: string): void {
    const lines = text.split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      const whole = this.#rest + line
      this.#rest = ''
      if (this.#isSkipping) this.#isSkipping = false
      else this.#read(whole)
    }
    if (!this.#isSkipping) this.#rest += last
    if (this.#rest.length <= MAX_LINE_CHARACTERS) return
    this.#rest = ''
    this.#isSkipping = true
    this.#refuse(RPC_ERRORS.invalidRequest, `A message has more than ${MAX_LINE_CHARACTERS} characters`)
  }

  #read(line: string): void {
    if (line.trim() === '') return
    try {
      const message = readMessage(JSON.parse(line))
      if (message) this.#events.message(message)
      else this.#refuse(RPC_ERRORS.invalidRequest, 'Not a JSON-RPC 2.0 message')
    } catch (failure) {
      if (!(failure instanceof SyntaxError)) throw failure
      this.#refuse(RPC_ERRORS.parse, 'A line is not JSON')
    }
  }

  #refuse(code: number, message: string): void {
    this.answer(null, { error: { code, message } })
  }
}
