import { FaultHost } from '../harness/faults/faultHost'
import { faultTest, type Injection } from '../harness/faults/faultRow'
import { type Footprint, History } from '../harness/faults/history'

// Invariants: (1) nothing the user did not close ends; (2) every living session with our stamp has exactly one record;
// (3) every record was live, lost or closed; (4) nothing without our stamp is touched; (5) typed bytes arrive once and in
// order; (6) files are always old or new. The models check 1, 3 and 6, the orphan check 2, the bystander 4, the typist 5.

// A soak takes turns: a part in which hosts end, and one that a single host lives through and must not grow in.
const PART_STEPS = 500
const WARM_UP_STEPS = 500
const CALM_STEPS = 1000
const MAX_DRIFT_PERCENT = 5

faultTest({ id: 'B27', fault: 'a random history of work and faults', quick: 30, full: 100_000 }, (injection) =>
  FaultHost.during((host) => History.during(host, injection, (history) => live(history, injection)), { injection })
)

async function live(history: History, injection: Injection): Promise<void> {
  const isGoingOn = () => injection.done < injection.wanted && !injection.isOver
  let first: Footprint | undefined
  while (isGoingOn()) {
    if (!injection.isFull) {
      await history.play(injection.wanted, { isCalm: false })
      continue
    }
    await history.play(PART_STEPS, { isCalm: false })
    await history.restart()
    const fresh = await history.footprint()
    first ??= fresh
    compare(injection, 'fresh', [first, fresh])
    await history.play(WARM_UP_STEPS, { isCalm: true })
    const warm = await history.footprint()
    await history.play(CALM_STEPS, { isCalm: true })
    compare(injection, 'living', [warm, await history.footprint()])
  }
}

/** The first host with a later one, or one host with itself after more work. */
function compare(injection: Injection, which: 'fresh' | 'living', [before, after]: [Footprint, Footprint]): void {
  const drift = (after.residentBytes / before.residentBytes - 1) * 100
  injection.limit(`${which}MemoryDriftPercent`, drift, MAX_DRIFT_PERCENT)
  injection.limit(`${which}DescriptorsGrown`, after.descriptors - before.descriptors, 0)
}
