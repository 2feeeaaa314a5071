import fc from 'fast-check'
import { FaultHost } from '../harness/faults/faultHost'
import { faultTest, type Injection } from '../harness/faults/faultRow'
import { seededRandom } from '../harness/faults/random'
import { Typist } from '../harness/faults/typist'
import { WorkspaceModel } from '../harness/faults/workspaceModel'
import { pause, until } from '../harness/waiting'

// Invariants: (1) nothing the user did not close ends; (2) every living session with our stamp has exactly one record;
// (3) every record was live, lost or closed; (4) nothing without our stamp is touched; (5) typed bytes arrive once and in
// order; (6) files are always old or new. The models check 1, 3 and 6, the orphan check 2, the bystander 4, the typist 5.

faultTest({ id: 'B27', fault: 'a random history of work and faults', quick: 30, full: 100_000 }, async (injection) => {
  const perHistory = injection.isFull ? 200 : injection.wanted
  while (injection.done < injection.wanted && !injection.isOver) {
    await FaultHost.during((host) => live(host, injection, perHistory), { injection })
  }
})

interface Real {
  host: FaultHost
  models: WorkspaceModel[]
  typist: Typist
  injection: Injection
}

type Step = fc.AsyncCommand<object, Real>

/** A step that is always possible; what must hold is checked in the real world, against the models kept there. */
function step(name: string, run: (real: Real) => Promise<void>): Step {
  return {
    check: () => true,
    run: async (_, real) => {
      await run(real)
      real.injection.did()
    },
    toString: () => name
  }
}

async function live(host: FaultHost, injection: Injection, count: number): Promise<void> {
  const random = seededRandom(injection.random.below(2 ** 31))
  const models = ['one', 'two', 'deep/three'].map((session) => new WorkspaceModel(host, random, session))
  const real: Real = { host, models, typist: new Typist(host), injection }
  await real.typist.start()
  const commands = fc.commands(steps(), { maxCommands: count, size: 'max' })
  // One long history a world: the seed brings it back, and a shorter one would be another.
  const [history] = fc.sample(commands, { numRuns: 1, seed: injection.random.below(2 ** 31) })
  if (!history) throw new Error('no history')
  const base = host.openDescriptors()
  try {
    await fc.asyncModelRun(() => ({ model: {}, real }), history)
  } catch (failure) {
    throw new Error(`${failure instanceof Error ? failure.stack : failure}\nafter ${history}`)
  }
  await verify(real)
  injection.note('descriptorsGrown', host.openDescriptors() - base)
}

function steps(): fc.Arbitrary<Step>[] {
  const which = fc.nat(2)
  return [
    ...[1, 2, 3, 4].map(() => which.map((at) => step(`change ${at}`, (real) => change(real, at)))),
    fc.integer({ min: 1, max: 5 }).map((count) => step(`type ${count}`, ({ typist }) => typist.type(count))),
    fc.constant(step('read', ({ typist }) => typist.read())),
    fc.constant(step('verify', verify)),
    fc.nat(150).map((ms) => step(`crash after ${ms} ms`, (real) => crash(real, ms))),
    fc.constant(step('stop and start', restartCleanly)),
    fc.nat(300).map((ms) => step(`tmux stands still for ${ms} ms`, ({ host }) => stopTmux(host, ms))),
    fc.nat(300).map((ms) => step(`the host stands still for ${ms} ms`, ({ host }) => stopHost(host, ms))),
    which.map((at) => step(`damage ${at}`, ({ host, models }) => damage(host, models[at])))
  ]
}

async function change({ models }: Real, at: number): Promise<void> {
  const model = models[at]
  if (!(await model?.change(5))) await model?.verify()
}

async function crash({ host, models, typist }: Real, delayMs: number): Promise<void> {
  const load = models.map(async (model) => {
    while (await model.change(5)) {
      // The next one, until the host is gone.
    }
  })
  await typist.typeBlindly(3)
  await pause(delayMs)
  await host.crash()
  await Promise.all(load)
  await host.restart()
  for (const model of models) await model.verify()
}

async function restartCleanly({ host }: Real): Promise<void> {
  await host.tandem.end('SIGTERM')
  await host.restart()
}

async function stopTmux(host: FaultHost, forMs: number): Promise<void> {
  const server = host.world.tmuxServerPid()
  process.kill(server, 'SIGSTOP')
  await pause(forMs)
  process.kill(server, 'SIGCONT')
}

async function stopHost(host: FaultHost, forMs: number): Promise<void> {
  process.kill(host.pid, 'SIGSTOP')
  await pause(forMs)
  process.kill(host.pid, 'SIGCONT')
}

/** A store that vanishes is rebuilt from what lives. */
async function damage(host: FaultHost, model: WorkspaceModel | undefined): Promise<void> {
  if (!model || model.terminals.length === 0) return
  await model.verify()
  host.damage(model.door)
  await model.verify()
}

async function verify({ host, models, typist, injection }: Real): Promise<void> {
  for (const model of models) await model.verify()
  typist.verify()
  const doors = [...models.map(({ door }) => door), host.door('typist')]
  const recorded = doors.flatMap((door) => host.stored(door).map(({ tmuxSession }) => tmuxSession))
  if (new Set(recorded).size < recorded.length) injection.loss('a session has two records')
  const orphans = () => host.stamped().filter((name) => !recorded.includes(name))
  await until(() => orphans().length === 0, { what: `records for ${orphans().join()}` })
  for (const changed of host.bystander.changes()) injection.loss(`the person's own tmux: ${changed}`)
}
