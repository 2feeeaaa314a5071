import { FaultHost } from '../harness/faults/faultHost'
import { faultTest, type Injection } from '../harness/faults/faultRow'
import { Survivors } from '../harness/faults/survivors'
import { WorkspaceModel } from '../harness/faults/workspaceModel'
import { pause } from '../harness/waiting'

const SESSIONS = ['one', 'two', 'deep/three']
// Long enough to be in the middle of several changes, short enough for many rounds.
const MAX_DELAY_MS = { quick: 250, full: 500 }
const MAX_READY_MS = 2000

faultTest(
  { id: 'B1', fault: 'the host is killed at any moment under load', quick: 50, full: 1000 },
  async (injection) => {
    await FaultHost.during((host) => killAgainAndAgain(host, injection), { injection })
  }
)

async function killAgainAndAgain(host: FaultHost, injection: Injection): Promise<void> {
  const models = SESSIONS.map((session) => new WorkspaceModel(host, injection.random, host.door(session)))
  for (const _ of injection.rounds()) {
    const load = models.map((model) => changeUntilNoAnswer(model))
    await pause(injection.random.below(injection.isFull ? MAX_DELAY_MS.full : MAX_DELAY_MS.quick))
    await host.crash()
    await Promise.all(load)
    for (const model of models) for (const loss of model.refusals()) injection.loss(loss)
    const survivors = Survivors.look(host, models)
    injection.limit('readyMs', await host.restart(), MAX_READY_MS)
    for (const model of models) await model.verify()
    for (const loss of survivors.losses()) injection.loss(loss)
  }
}

async function changeUntilNoAnswer(model: WorkspaceModel): Promise<void> {
  while (await model.change()) {
    // The next change, until the host is gone.
  }
}
