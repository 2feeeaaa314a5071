import { AppError, type ErrorCode, type WireError } from '../shared/errors'

interface RefusalDetails {
  hint?: string
  /** For the few answers whose status is not the one of their code (405, 415). */
  status?: number
  headers?: Readonly<Record<string, string>>
  /** Held back this long: only guessing is slowed, never a right token. */
  delayMs?: number
}

/** A request that does not get in: its code, its status, and what the client can do about it. */
export class Refusal extends AppError {
  readonly #status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly delayMs: number

  constructor(code: ErrorCode, message: string, { hint, status, headers = {}, delayMs = 0 }: RefusalDetails = {}) {
    super(code, message, hint)
    this.#status = status
    this.headers = headers
    this.delayMs = delayMs
  }

  override get status(): number {
    return this.#status ?? super.status
  }
}

export function errorBody(error: WireError): { error: WireError } {
  return { error }
}
