import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../waiting'

/** One thread for files in the host: its system calls then come in one order and can be counted. */
export const ONE_FILE_THREAD = { UV_THREADPOOL_SIZE: '1' }

export interface TraceOptions {
  /** System calls, comma separated. */
  calls: string
  /** What happens to them, as `signal=KILL:when=3` or `error=EIO:when=1`; absent: they are only written down. */
  inject?: string
  /** The threads; absent: every thread of the process. */
  thread?: number
  /** Only calls on this file or directory; absent: on any. */
  path?: string
}

/** strace on a living process: system calls are written down, fail or kill as asked, until it is detached. */
export class Strace {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #gone: Promise<void>

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child
    this.#folder = folder
    this.#gone = new Promise((resolve) => child.once('close', () => resolve()))
  }

  static async attach(pid: number, { calls, inject, thread, path }: TraceOptions): Promise<Strace> {
    const folder = mkdtempSync('/tmp/tandem-test-strace-')
    const what = ['-e', `trace=${calls}`, '-e', 'signal=none', ...(inject ? ['-e', `inject=${calls}:${inject}`] : [])]
    const where = path === undefined ? [] : ['-P', path]
    const whom = thread === undefined ? ['-f', '-p', String(pid)] : ['-p', String(thread)]
    const child = spawn('strace', ['-y', '-o', join(folder, 'trace'), ...what, ...where, ...whom], {
      stdio: ['ignore', 'ignore', 'pipe']
    })
    const strace = new Strace(child, folder)
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const threads = thread === undefined ? readdirSync(`/proc/${pid}/task`).length : 1
    const isAttached = () => (said.match(/attached/g) ?? []).length >= threads || /attached with \d+ threads/.test(said)
    await until(() => isAttached() || child.exitCode !== null, { what: 'strace to attach' })
    if (!isAttached()) throw new Error(`strace cannot attach: ${said}`)
    return strace
  }

  /** Detaches, if the process is still there, and says what was seen, a line a call. */
  async end(): Promise<string[]> {
    this.#child.kill('SIGINT')
    await this.#gone
    const text = readFileSync(join(this.#folder, 'trace'), 'utf8')
    rmSync(this.#folder, { recursive: true, force: true })
    return text.trim().split('\n')
  }
}

/** Why faults cannot be injected here; undefined when they can. */
export function straceMissing(): string | undefined {
  try {
    execFileSync('strace', ['-o', '/dev/null', '-e', 'inject=getppid:error=EIO', 'true'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'strace cannot be used here'
  }
}

/** The host's file thread: the one that makes `work`'s rename. Its place among the threads is the same at every start. */
export async function fileThreadPlace(pid: number, work: () => Promise<unknown>): Promise<number> {
  const strace = await Strace.attach(pid, { calls: 'rename,renameat,renameat2' })
  await work()
  const [line = ''] = (await strace.end()).filter((one) => one.includes('terminal-sessions.json"'))
  const place = threadsOf(pid).indexOf(Number.parseInt(line, 10))
  if (place === -1) throw new Error(`no thread renamed a store: ${line}`)
  return place
}

export function threadAt(pid: number, place: number): number {
  const thread = threadsOf(pid)[place]
  if (thread === undefined) throw new Error(`process ${pid} has no thread number ${place}`)
  return thread
}

function threadsOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .map(Number)
    .sort((one, other) => one - other)
}
