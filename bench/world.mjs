import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const REPOSITORY = dirname(dirname(fileURLToPath(import.meta.url)))
const run = promisify(execFile)

const SCROLLBACK = 10_000

/**
 * A home, projects, a copy of the build and two tmux servers (the product's and a bare one) for one bench run, and how
 * to take it all away again.
 */
export function makeWorld(options) {
  const root = mkdtempSync('/tmp/tandem-bench-')
  const socket = `tandem-bench-${process.pid}`
  for (const name of ['home', 'data', 'project', 'tmux']) mkdirSync(join(root, name), { mode: 0o700 })
  writeFileSync(join(root, 'home/.bashrc'), "PS1='$ '\n")
  // What is measured stays one build, whoever builds meanwhile.
  cpSync(options.product ?? join(REPOSITORY, 'out'), join(root, 'out'), { recursive: true })
  cpSync(join(REPOSITORY, 'resources/shell'), join(root, 'resources/shell'), { recursive: true })
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(
    join(root, 'bare.conf'),
    `set -g history-limit ${SCROLLBACK}\nset -s escape-time 0\nset -g status off\n`
  )
  const env = environment(root, socket)
  // Never waited for synchronously: a bench that stands still does not notice what its sockets are told.
  const tmux = async (server, ...args) =>
    (await run('tmux', ['-L', `${socket}${server}`, '-f', join(root, 'bare.conf'), ...args], { env })).stdout
  // A server of its own each time: one that is just ending takes a new client down with it.
  let servers = 0
  const bareArguments = () => ['-L', `${socket}-bare-${++servers}`, '-f', join(root, 'bare.conf')]
  const children = new Set()
  const remove = async () => {
    await Promise.all([...children].map((end) => end()))
    for (const path of socketsIn(join(root, 'tmux')))
      await endServer(() => run('tmux', ['-S', path, 'kill-server'], { env }))
    rmSync(root, { recursive: true, force: true })
  }
  const project = join(root, 'project')
  return {
    ...options,
    root,
    project,
    entry: join(root, 'out/main/tandem.js'),
    env,
    children,
    tmux,
    bareArguments,
    remove
  }
}

function environment(root, socket) {
  const env = {
    ...process.env,
    HOME: join(root, 'home'),
    SHELL: '/bin/bash',
    TMUX_TMPDIR: join(root, 'tmux'),
    TANDEM_TMUX_SOCKET: socket
  }
  const foreign = ['TMUX', 'TMUX_PANE', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'PROMPT_COMMAND', 'NODE_OPTIONS']
  for (const name of foreign) delete env[name]
  return env
}

function socketsIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isSocket())
}

async function endServer(kill) {
  try {
    await kill()
  } catch (error) {
    if (!/no server running|No such file|error connecting/.test(String(error))) throw error
  }
}
