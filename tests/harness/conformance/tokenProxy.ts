import { request as ask, createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A loopback proxy for clients that cannot send a token: it adds one, and changes nothing else that the guard looks at. */
export async function startTokenProxy(target: URL, token: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    const headers = { ...renamed(request.headers, `${port}`, target.port), authorization: `Bearer ${token}` }
    const { method, url = '/' } = request
    const upstream = ask({ host: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      response.flushHeaders()
      answer.pipe(response)
      answer.once('error', () => response.destroy())
    })
    upstream.once('error', () => response.destroy())
    response.once('close', () => upstream.destroy())
    request.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${target.pathname}`,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    }
  }
}

/** Our own address becomes that of the target; a strange one stays strange. */
function renamed(headers: IncomingHttpHeaders, own: string, target: string): IncomingHttpHeaders {
  const rename = (value: string) => value.replace(new RegExp(`:${own}$`), `:${target}`)
  return {
    ...headers,
    ...(headers.host === undefined ? {} : { host: rename(headers.host) }),
    ...(headers.origin === undefined ? {} : { origin: rename(headers.origin) })
  }
}
