import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Every process started by the test run inherits this variable, whatever becomes of its parents. */
export const RUN_MARKER = 'TANDEM_TEST_RUN'

// Ending a terminal takes two seconds by design (HUP and TERM, then KILL).
const PATIENCE_MS = 10_000
const LOOK_AGAIN_MS = 250
const MAX_LOOKS = 50
/** The folder of a test's world, as it stands in the environment of what runs in it. */
const WORLD = /(?<==)\/[^\0=:]*?\/tandem-test-[\w-]+/g

/**
 * What is on the machine now that tests could leave behind: files in the temporary folders, tmux sockets, and programs
 * that were started with either in their arguments (a tmux server keeps nothing of the environment it came from).
 */
export function takeStock() {
  const files = [tmpdir(), '/tmp', `/tmp/tmux-${process.getuid?.() ?? 0}`].flatMap(named)
  const programs = processes().filter((pid) => /\/tandem-|-L tandem-/.test(commandLine(pid)))
  return new Set([...files.map((path) => `left behind: ${path}`), ...programs.map(describeProcess)])
}

/** What the run left behind, one readable line each; waits a little for what is just ending. */
export async function findLeftovers(before, runId, patienceMs = PATIENCE_MS) {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const found = [...new Set([...takeStock(), ...marked(runId).map(describeProcess)])].filter(
      (line) => !before.has(line)
    )
    if (found.length === 0 || Date.now() >= deadline) return found
    await sleep(LOOK_AGAIN_MS)
  }
}

/** Of a run that is broken off: ends everything it started, wherever that went, and removes the worlds of its tests. */
export function endRun(runId) {
  // A run inside another one ends nothing of the outer one.
  if (runId === undefined || runId === process.env[RUN_MARKER]) return
  const worlds = new Set()
  // What is being started while we look is found at the next look.
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    for (const pid of marked(runId)) for (const world of worldsOf(pid)) worlds.add(world)
    // A tmux server keeps no mark of the run, but knows where it lives.
    const left = [...marked(runId), ...processes().filter((pid) => worldsOf(pid).some((world) => worlds.has(world)))]
    if (left.length === 0) break
    for (const pid of left) end(pid)
  }
  for (const world of worlds) rmSync(world, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

function end(pid) {
  try {
    process.kill(Number(pid), 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function worldsOf(pid) {
  return [...readProc(pid, 'environ').matchAll(WORLD)].map(([world]) => world)
}

function marked(runId) {
  return processes().filter((pid) => readProc(pid, 'environ').split('\0').includes(`${RUN_MARKER}=${runId}`))
}

function named(directory) {
  return listDirectory(directory)
    .filter((name) => name.startsWith('tandem-'))
    .map((name) => join(directory, name))
}

// Only Linux shows other processes as files; elsewhere temporary files and sockets have to do.
function processes() {
  if (process.platform !== 'linux') return []
  return listDirectory('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
}

function describeProcess(pid) {
  return `still running: ${pid} ${commandLine(pid)}`
}

function commandLine(pid) {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ').trim()
}

function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // The process ended meanwhile, which is what we hope for.
    return ''
  }
}

function listDirectory(path) {
  try {
    return readdirSync(path)
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}
