import { z } from 'zod'
import { compareVersions } from '../core/compareVersions'
import type { Endpoint } from '../core/data/discovery'
import { bodyFields, parsed, queryFields } from './fields'
import { requireLocalOwner } from './ownerDoors'
import { Refusal } from './refusal'
import { sendJson } from './respond'
import type { HttpRoute } from './routes'
import { strings } from './strings'

const ANSWER_LIMIT_MS = 10_000

const nothing = z.strictObject({})
/** A later version may say more than this one understands. */
const requestSchema = z.looseObject({
  /** Of the host that wants to take over. */
  version: z.string().max(64),
  pid: z.number().int().positive(),
  /** Also when it is not newer: a person asked for it. */
  isForced: z.boolean()
})
export type HandOverRequest = z.infer<typeof requestSchema>

const answerSchema = z.object({
  pid: z.number().int(),
  version: z.string(),
  /** Hashes of the cookies of browsers that are in, so that their windows stay in. */
  browserSessions: z.array(z.string())
})
export type HandOverAnswer = z.infer<typeof answerSchema>

export interface HandOverParts {
  version: string
  browserSessions(): string[]
  /** Says why not, or returns what drains and lets go; that is called once the answer is out. */
  prepare(request: HandOverRequest): { refusal: string } | { letGo(): void }
}

/** `POST /api/hand-over`: a newer host asks this one to let go of everything but the programs. */
export function handOverRoute({ version, browserSessions, prepare }: HandOverParts): HttpRoute {
  return {
    method: 'POST',
    path: '/api/hand-over',
    auth: ['bearer'],
    summary: 'Let a newer host take over',
    query: nothing,
    body: requestSchema,
    answer: answerSchema,
    serve(exchange) {
      requireLocalOwner(exchange, 'take over')
      queryFields(exchange, nothing)
      const request = parsed(requestSchema, bodyFields(exchange, requestSchema))
      if (!request.isForced && compareVersions(request.version, version) <= 0) {
        throw refused(`This host is version "${version}" and not older than "${request.version}"`)
      }
      const prepared = prepare(request)
      if ('refusal' in prepared) throw refused(prepared.refusal)
      exchange.response.once('close', () => prepared.letGo())
      sendJson(exchange.response, { pid: process.pid, version, browserSessions: browserSessions() })
    }
  }
}

function refused(message: string): Refusal {
  return new Refusal('INVALID_ARGUMENTS', message, { status: 409, hint: strings.handOverHint })
}

/** The other end: asks a running host to let go. Throws with the reason when it does not. */
export async function askToHandOver({ url, token }: Endpoint, request: HandOverRequest): Promise<HandOverAnswer> {
  const response = await fetch(`${url}/api/hand-over`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS)
  })
  const body: unknown = await response.json()
  if (response.ok) return answerSchema.parse(body)
  const refusal = z.object({ error: z.object({ message: z.string() }) }).safeParse(body)
  throw new Error(refusal.success ? refusal.data.error.message : `it answered ${response.status}`)
}
