import { execFile } from 'node:child_process'
import { constants, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectMcp, killTerminals, Viewer } from '../client.mjs'
import { startHost } from '../host.mjs'
import { median } from '../measure.mjs'

const run = promisify(execFile)
const PROMPT = '$ '

/** From the call of the MCP tool until a client reads the prompt, beside tmux alone doing the same. */
export const createRow = {
  id: 'create',
  async open(world) {
    const count = world.quick ? 3 : 8
    const host = await startHost(world)
    const mcp = await connectMcp(host)
    return {
      rows: [
        {
          key: 'ms',
          name: 'create by MCP until the prompt is readable',
          unit: 'ms',
          better: 'lower',
          target: { of: 'ratio', atMost: 1.5 }
        }
      ],
      limit: async () => ({ ms: median(await times(count, () => createBare(world))) }),
      product: async () => {
        const ms = median(await times(count, () => createByMcp(world, host, mcp)))
        await killTerminals(host, world.project)
        return { ms }
      },
      close: async () => {
        await mcp.close()
        await host.stop()
      }
    }
  }
}

async function times(count, once) {
  const taken = []
  while (taken.length < count) taken.push(await once())
  return taken
}

async function createByMcp({ project }, host, mcp) {
  const began = performance.now()
  const terminal = await mcp.call('terminal_create_session', { project, session: 'bench' })
  const viewer = await Viewer.open(host, terminal)
  await viewer.seen(PROMPT)
  const ms = performance.now() - began
  await viewer.close()
  return ms
}

let created = 0

async function createBare({ root, project, tmux }) {
  const name = `create-${++created}`
  const path = join(root, `${name}.fifo`)
  await run('mkfifo', [path])
  const socket = new Socket({ fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK), readable: true })
  const prompt = new Promise((resolve) => {
    socket.on('data', (bytes) => bytes.includes(PROMPT) && resolve())
  })
  const pipe = ['pipe-pane', '-O', '-t', `=${name}:`, `exec cat >${path}`]
  const began = performance.now()
  await tmux('-bare', 'new-session', '-d', '-x', '80', '-y', '24', '-c', project, '-s', name, 'bash', ';', ...pipe)
  await prompt
  const ms = performance.now() - began
  // The last session takes the server with it, and the next create would have to start one.
  if (created > 1) await tmux('-bare', 'kill-session', '-t', `=create-${created - 1}`)
  socket.destroy()
  rmSync(path)
  return ms
}
