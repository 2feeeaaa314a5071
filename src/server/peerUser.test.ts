import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from './listen'
import { isOtherUsers, usersIn } from './peerUser'

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1E01 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 575 1 000
   1: 0100007F:A1AB 0100007F:1E01 01 00000000:00000000 00:00000000 00000000  1001        0 576 1 000
   2: 0100007F:1E01 0100007F:A1AB 01 00000000:00000000 00:00000000 00000000  1000        0 577 1 000
`

test('the far end of a connection is found by its ports, and ours is not taken for it', () => {
  expect(usersIn(TABLE, { remotePort: 0xa1ab, localPort: 0x1e01 })).toEqual([1001])
  expect(usersIn(TABLE, { remotePort: 0xa1ac, localPort: 0x1e01 })).toEqual([])
})

test.runIf(process.platform === 'linux').each(['127.0.0.1', '::ffff:127.0.0.1'])(
  'a connection through %s',
  async (host) => {
    const server = createServer()
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
    const port = await listen(server, '127.0.0.1', { exact: 0 })
    const client = connect({ host, port })
    const socket = await accepted
    const own = process.getuid?.() ?? 0
    expect(await isOtherUsers(socket)).toBe(false)
    expect(await isOtherUsers(socket, own + 1)).toBe(own !== 0)
    client.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
)
