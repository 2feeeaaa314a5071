import { BRIDGE_HEADERS, BRIDGE_HEARTBEAT_MS, BRIDGE_PATH } from '../shared/bridge'
import type { Bridges } from './bridges'
import type { OpenConnections } from './openConnections'
import { Refusal } from './refusal'
import type { HttpRoute } from './routes'
import { bridgeOf, visitorOf } from './visitors'

interface BridgeRouteParts {
  bridges: Bridges
  connections: OpenConnections
  version: string
}

/** `GET /api/bridge`: held open by a bridge for as long as it lives, with a line now and then to show that we do. */
export function bridgeRoute({ bridges, connections, version }: BridgeRouteParts): HttpRoute {
  return {
    method: 'GET',
    path: BRIDGE_PATH,
    auth: ['bearer'],
    summary: 'A bridge shows that it lives',
    serve(exchange) {
      const { bridge } = bridgeOf(exchange)
      if (bridge === undefined) throw new Refusal('INVALID_ARGUMENTS', `${BRIDGE_HEADERS.instance} names no bridge`)
      const { response } = exchange
      const detach = bridges.attach(bridge)
      const forget = connections.track(visitorOf(exchange).access.name, () => response.destroy())
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      const say = () => response.write(`${JSON.stringify({ version })}\n`)
      const heart = setInterval(say, BRIDGE_HEARTBEAT_MS).unref()
      response.once('close', () => {
        clearInterval(heart)
        forget()
        detach()
      })
      say()
    }
  }
}
