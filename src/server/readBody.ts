import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from './refusal'
import { strings } from './strings'

export const MAX_BODY_BYTES = 4 * 1024 * 1024
/** Deeper or larger than any honest call; checked before a schema walks over it. */
const MAX_DEPTH = 64
const MAX_ELEMENTS = 200_000

/** The JSON body of a request that was let in; undefined when it has none. */
export async function readBody(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const declaredBytes = Number(request.headers['content-length'] ?? 0)
  if (declaredBytes > MAX_BODY_BYTES) throw tooLarge()
  const hasBody = declaredBytes > 0 || request.headers['transfer-encoding'] !== undefined
  if (!hasBody && !['POST', 'PUT', 'PATCH'].includes(request.method ?? '')) return undefined
  checkMediaType(request)
  // Only now is the client told to go on: nobody uploads to a door that stays shut.
  if (request.headers.expect !== undefined) response.writeContinue()
  const text = (await collect(request)).toString('utf8')
  return text.trim() === '' ? undefined : parseJson(text)
}

function checkMediaType({ headers }: IncomingMessage): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (type === 'application/json' && encoding === 'identity') return
  const given = encoding === 'identity' ? (headers['content-type'] ?? 'none') : encoding
  throw new Refusal('INVALID_ARGUMENTS', `Content of type "${given.slice(0, 100)}" is not taken`, {
    status: 415,
    hint: strings.sendJson
  })
}

async function collect(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
      else {
        request.off('data', onData)
        reject(tooLarge())
      }
    }
    request.on('data', onData)
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('close', () => reject(new Refusal('INVALID_ARGUMENTS', 'The body broke off')))
  })
}

function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure
    throw new Refusal('INVALID_ARGUMENTS', `The body is not JSON: ${failure.message}`, { hint: strings.sendJson })
  }
  checkShape(value)
  return value
}

function checkShape(root: unknown): void {
  let level: unknown[] = [root]
  let elements = 0
  for (let depth = 0; level.length > 0; depth++) {
    elements += level.length
    if (depth > MAX_DEPTH || elements > MAX_ELEMENTS) {
      throw new Refusal('INVALID_ARGUMENTS', 'The body is nested too deeply or has too many elements', {
        hint: `At most ${MAX_DEPTH} levels and ${MAX_ELEMENTS} elements.`
      })
    }
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
}

function tooLarge(): Refusal {
  return new Refusal('PAYLOAD_TOO_LARGE', `The body is over ${MAX_BODY_BYTES} bytes`, { hint: 'Send less at a time.' })
}
