import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { Refusal } from './refusal'

/** The request without its stream: the body was read and parsed already. */
export function asRead({ method = 'GET', url = '/', headers }: IncomingMessage) {
  return { method, url, headers, [Symbol.asyncIterator]: () => Readable.from([])[Symbol.asyncIterator]() }
}

/**
 * The response, whose headers go out at once: a stream is open before its first event, however late that comes. Those of
 * an answer in one piece wait for it, so that both leave together.
 */
export function promptResponse(response: ServerResponse) {
  return {
    get destroyed() {
      return response.destroyed
    },
    writeHead(status: number, headers?: Record<string, string>) {
      response.writeHead(status, headers)
      if (headers?.['content-type'] !== 'application/json') response.flushHeaders()
    },
    write: (chunk: string | Uint8Array) => response.write(chunk),
    end: (chunk?: string | Uint8Array) => response.end(chunk),
    on: (event: string, listener: (...args: unknown[]) => void) => response.on(event, listener)
  }
}

/** The response, with `release` called when its body has gone out or nobody wants it any more. */
export function releasedAtEnd(response: Response, release: () => void): Response {
  if (!response.body) {
    release()
    return response
  }
  const { status, headers } = response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason)
  })
  reader.closed.then(release, release)
  return new Response(body, { status, headers })
}

export function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}

/** Clients of the newest protocol only post. */
export function onlyPost(method: string | undefined): Refusal {
  return new Refusal('INVALID_ARGUMENTS', `${method} needs an Mcp-Session-Id`, {
    status: 405,
    headers: { allow: 'POST' },
    hint: 'Only clients of the 2025 protocols with a session use GET and DELETE here.'
  })
}
