import { FaultHost } from '../harness/faults/faultHost'
import { faultTest, type Injection } from '../harness/faults/faultRow'
import { COLLECTING, type Footprint, History } from '../harness/faults/history'

// Invariants: (1) nothing the user did not close ends; (2) every living session with our stamp has exactly one record;
// (3) every record was live, lost or closed; (4) nothing without our stamp is touched; (5) typed bytes arrive once and in
// order; (6) files are always old or new. After every step the models check 1 and 6 without the host, and the typist 5; after
// every tenth they ask the host, the orphan check adds 2, the ended lists 3, bystander and strangers 4.

// A soak takes turns: a part in which hosts end, and one that a single host lives through and must not grow in.
const PART_STEPS = 500
const WARM_UP_STEPS = 500
// Memory goes up and down between collections: of several looks, the least is what is really held.
const LOOKS = 5
const STEPS_PER_LOOK = 200
const MAX_DRIFT_PERCENT = 5
const STARTS = 5

faultTest({ id: 'B27', fault: 'a random history of work and faults', quick: 30, full: 100_000 }, (injection) =>
  FaultHost.during((host) => History.during(host, injection, (history) => live(history, injection)), {
    injection,
    options: { environment: COLLECTING }
  })
)

async function live(history: History, injection: Injection): Promise<void> {
  const isGoingOn = () => injection.done < injection.wanted && !injection.isOver
  let first: Footprint | undefined
  while (isGoingOn()) {
    if (!injection.isFull) {
      await history.play(injection.wanted - injection.done, { isCalm: false })
      continue
    }
    await history.play(PART_STEPS, { isCalm: false })
    const fresh = await freshFootprint(history, first)
    first ??= fresh
    compare(injection, 'fresh', [first, fresh])
    await history.play(WARM_UP_STEPS, { isCalm: true })
    const [earlier, later] = [await leastOf(history), await leastOf(history)]
    // Of a part that was broken off nothing can be said.
    if (!injection.isOver) compare(injection, 'living', [earlier, later])
  }
}

/** What a new host holds. Some starts take more, as garbage goes; what a history left behind would be there in every one. */
async function freshFootprint(history: History, first: Footprint | undefined): Promise<Footprint> {
  // Not with all that was typed so far on its screen: each is to hold the same.
  await history.typist.startAnew()
  for (let start = 1; ; start += 1) {
    await history.restart()
    const fresh = await history.footprint()
    if (start === STARTS || driftPercent(first ?? fresh, fresh) <= MAX_DRIFT_PERCENT) return fresh
  }
}

async function leastOf(history: History): Promise<Footprint> {
  const looks: Footprint[] = []
  for (let look = 0; look < LOOKS; look += 1) {
    await history.play(STEPS_PER_LOOK, { isCalm: true })
    looks.push(await history.footprint())
  }
  return {
    residentBytes: Math.min(...looks.map(({ residentBytes }) => residentBytes)),
    descriptors: Math.min(...looks.map(({ descriptors }) => descriptors))
  }
}

/** The first host with a later one, or one host with itself after more work. */
function compare(injection: Injection, which: 'fresh' | 'living', [before, after]: [Footprint, Footprint]): void {
  injection.limit(`${which}MemoryDriftPercent`, driftPercent(before, after), MAX_DRIFT_PERCENT)
  injection.limit(`${which}DescriptorsGrown`, after.descriptors - before.descriptors, 0)
}

function driftPercent(before: Footprint, after: Footprint): number {
  return (after.residentBytes / before.residentBytes - 1) * 100
}
