import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { Door } from '../harness/faults/door'
import { faultTest, type Injection } from '../harness/faults/faultRow'
import { mountMissing } from '../harness/faults/smallDisk'
import { makeWorld, type ReadyLine, type Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'

const ENTRY = fileURLToPath(new URL('../../out/main/tandem.js', import.meta.url))
const NAMESPACE = ['--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc']
/** The first process of a namespace gets its orphans; a shell collects them, a host does not. */
const COLLECTING = ['sh', '-c', '"$@" & wait $!', 'sh']

faultTest(
  {
    id: 'B14',
    fault: 'the pid of an ended program belongs to another process',
    quick: 3,
    full: 500,
    missing: mountMissing()
  },
  reusePids
)

/** A host in a pid namespace, where the next pid can be chosen. Its own pid there means nothing out here. */
interface EnclosedHost {
  door: Door
  /** Runs a script inside the namespace. */
  inside(script: string): string
  end(): Promise<void>
}

async function startEnclosed(world: World): Promise<EnclosedHost> {
  const serve = [ENTRY, 'serve', '--port', '0', '--json', '--data-dir', world.dataDir]
  const child = spawn('unshare', [...NAMESPACE, ...COLLECTING, process.execPath, ...serve], {
    env: world.environment,
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const ready = JSON.parse(await firstLine(child)) as ReadyLine
  const first = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
  // Only the ready line of a host is asked for by its doors.
  const tandem = { world, ready } as Tandem
  return {
    door: new Door(() => tandem, { project: world.project, session: 'work' }),
    inside: (script) =>
      execFileSync('nsenter', ['-t', first, '-p', '-m', 'sh', '-c', script], { encoding: 'utf8' }).trim(),
    end: async () => {
      const gone = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGKILL')
      await gone
    }
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    child.once('exit', (code) => reject(new Error(`the host ended with ${code}`)))
  })
}

async function reusePids(injection: Injection): Promise<void> {
  const world = makeWorld()
  const host = await startEnclosed(world)
  try {
    for (const _ of injection.rounds()) {
      const { id } = await host.door.create()
      const pid = (await host.door.list())[0]?.pid ?? 0
      host.inside(`kill -9 ${pid}`)
      const isOver = async () => (await host.door.list())[0]?.state === 'exited'
      await until(isOver, { what: 'the end of the program' })
      await until(() => host.inside(`test -e /proc/${pid} && echo there || echo gone`) === 'gone', {
        what: 'its remains'
      })
      // A leader of its own session, so that even the session's number is that of the terminal.
      const victim = host.inside(takePid(pid))
      expect(victim).toBe(String(pid))
      expect((await host.door.kill(id)).success).toBe(true)
      const fate = host.inside(`cut -d' ' -f2 /proc/${pid}/stat 2>/dev/null || echo gone`)
      if (fate !== '(sleep)' && fate !== '(setsid)') injection.loss(`the process with the reused pid ${pid} is ${fate}`)
      host.inside(`kill -9 ${pid} || true`)
    }
  } finally {
    await host.end()
    await world.remove()
  }
}

function takePid(pid: number): string {
  // Others take numbers in between, and a number is free only when nothing of its session is left.
  return `for try in $(seq 200); do
    echo ${pid - 1} > /proc/sys/kernel/ns_last_pid
    setsid sleep 600 < /dev/null > /dev/null 2>&1 &
    if [ $! = ${pid} ]; then echo $!; exit; fi
    kill -9 $!
    sleep 0.05
  done`
}
