import { execFile } from 'node:child_process'
import { constants, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as pty from 'node-pty'
import { connectMcp, killTerminals, Viewer } from '../client.mjs'
import { startHost } from '../host.mjs'
import { median } from '../measure.mjs'

const run = promisify(execFile)
const PROMPT = '$ '
/** Until the code of a client that speaks MCP is compiled: its first calls take five times as long as the later ones. */
const WARM_CALLS = 60
const ROW = { unit: 'ms', better: 'lower' }

/**
 * From the call of the MCP tool until a client reads the prompt, beside tmux alone doing the same. What the way there
 * holds that tmux alone does not is measured in the same runs: a call that does nothing, and our part of the shell.
 */
export const createRow = {
  id: 'create',
  async open(world) {
    const count = world.quick ? 3 : 8
    const host = await startHost(world)
    const mcp = await connectMcp(host)
    await times(WARM_CALLS, () => callNothing(world, mcp))
    return {
      rows: [
        {
          ...ROW,
          key: 'ms',
          name: 'create by MCP until the prompt is readable',
          target: { of: 'ratio', atMost: 1.5 }
        },
        { ...ROW, key: 'answer', name: 'create by MCP until it is answered' },
        { ...ROW, key: 'call', name: 'a call by MCP that does nothing' },
        { ...ROW, key: 'shell', name: 'bash in a bare pty until its prompt, with our part' }
      ],
      limit: async () => ({
        ms: median(await times(count, () => createBare(world))),
        shell: median(await times(count, () => startBash(world, [])))
      }),
      product: async () => {
        const created = await times(count, () => createByMcp(world, host, mcp))
        await killTerminals(host, world.project)
        return {
          ms: median(created.map(({ ms }) => ms)),
          answer: median(created.map(({ answer }) => answer)),
          call: median(await times(count, () => callNothing(world, mcp))),
          shell: median(await times(count, () => startBash(world, ['--rcfile', `${world.root}/${OUR_PART}`])))
        }
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
  const answer = performance.now() - began
  const viewer = await Viewer.open(host, terminal)
  await viewer.seen(PROMPT)
  const ms = performance.now() - began
  await viewer.close()
  return { ms, answer }
}

async function callNothing({ project }, mcp) {
  const began = performance.now()
  await mcp.call('terminal_list_sessions', { project, session: 'nothing' })
  return performance.now() - began
}

const OUR_PART = 'resources/shell/tandem.bash'

async function startBash({ project, env }, words) {
  const began = performance.now()
  const shell = pty.spawn('bash', words, { cwd: project, env: { ...env, TANDEM_SHELL_NONCE: 'nonce' }, encoding: null })
  let seen = ''
  await new Promise((resolve) => {
    shell.onData((bytes) => {
      seen += bytes
      if (seen.includes(PROMPT)) resolve()
    })
  })
  const ms = performance.now() - began
  const ended = new Promise((resolve) => shell.onExit(resolve))
  shell.kill('SIGKILL')
  await ended
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
