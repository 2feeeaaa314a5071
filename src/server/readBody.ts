import type { IncomingMessage, ServerResponse } from 'node:http'
import { JsonShape, SHAPE_LIMITS } from './jsonShape'
import { Refusal } from './refusal'
import { strings } from './strings'

export const MAX_BODY_BYTES = 4 * 1024 * 1024

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
  const shape = new JsonShape()
  let bytes = 0
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      const refusal = bytes > MAX_BODY_BYTES ? tooLarge() : shape.isUsableWith(chunk) ? undefined : tooMany()
      if (!refusal) {
        chunks.push(chunk)
        return
      }
      request.off('data', onData)
      reject(refusal)
    }
    request.on('data', onData)
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('close', () => reject(new Refusal('INVALID_ARGUMENTS', 'The body broke off')))
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure
    throw new Refusal('INVALID_ARGUMENTS', `The body is not JSON: ${failure.message}`, { hint: strings.sendJson })
  }
}

function tooMany(): Refusal {
  return new Refusal('INVALID_ARGUMENTS', 'The body is nested too deeply or has too many elements', {
    hint: SHAPE_LIMITS
  })
}

function tooLarge(): Refusal {
  return new Refusal('PAYLOAD_TOO_LARGE', `The body is over ${MAX_BODY_BYTES} bytes`, { hint: 'Send less at a time.' })
}
