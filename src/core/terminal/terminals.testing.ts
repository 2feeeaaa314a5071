import { randomUUID } from 'node:crypto'
import { SETTING_NAMES, SETTINGS, type Settings } from '../../shared/settings'
import type { ExitStatus, Size } from '../../shared/terminal'
import type { ProgramSpec } from '../backends/backend'
import { FakeBackend, type FakeProgram } from '../backends/fakeBackend'
import { type Logger, silentLog } from '../log'
import type { Terminal } from './terminal'
import { Terminals } from './terminals'
import type { Sink, Snapshot } from './viewer'

// Built from the table of settings, so it has exactly their names and fallbacks.
const DEFAULTS = Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].fallback])) as unknown as Settings

/** Waits, turn by turn of the event loop, until `condition` holds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${condition}`)
    await new Promise(setImmediate)
  }
}

export const PERSON = { kind: 'person', name: 'test' } as const
export const AGENT = { kind: 'agent', name: 'claude', key: 'one' } as const

export function newTerminals(
  backend = new FakeBackend(),
  settings: Partial<Settings> = {},
  log: Logger = silentLog
): Terminals {
  return new Terminals({ backend, settings: () => ({ ...DEFAULTS, ...settings }), log })
}

export function newSpec(size: Size = { rows: 6, cols: 20 }): Omit<ProgramSpec, 'reservedOffset'> {
  const id = randomUUID()
  return {
    tmuxSession: `mc-default-${id.slice(0, 4)}`,
    stamp: {
      owner: 'owner',
      id,
      project: '/project',
      projectHash: '0'.repeat(64),
      session: 'default',
      name: 'Terminal 1',
      order: 0,
      created: '2026-01-01T00:00:00.000Z',
      program: '/bin/bash',
      cwd: '/project'
    },
    command: ['/bin/bash'],
    cwd: '/project',
    env: {},
    size
  }
}

export interface Opened {
  backend: FakeBackend
  terminals: Terminals
  terminal: Terminal
  program: FakeProgram
}

export async function openTerminal(settings: Partial<Settings> = {}, backend = new FakeBackend()): Promise<Opened> {
  const terminals = newTerminals(backend, settings)
  const terminal = await terminals.create(newSpec())
  return { backend, terminals, terminal, program: backend.program(terminal.id) }
}

export type Delivery =
  | { kind: 'snapshot'; snapshot: Snapshot }
  | { kind: 'output'; bytes: Buffer }
  | { kind: 'resumed'; offset: number; size: Size }
  | { kind: 'resized'; size: Size }
  | { kind: 'title'; title: string }
  | { kind: 'ended'; exit: ExitStatus | null }

/** A client that writes down what it gets; `hold` makes it slow until `release`. */
export class RecordingSink implements Sink {
  readonly deliveries: Delivery[] = []
  #held: Promise<void> = Promise.resolve()
  #release: () => void = () => undefined

  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#release = resolve
    })
  }

  release(): void {
    this.#release()
    this.#held = Promise.resolve()
  }

  snapshot(snapshot: Snapshot): Promise<void> {
    return this.#note({ kind: 'snapshot', snapshot })
  }

  output(bytes: Uint8Array): Promise<void> {
    return this.#note({ kind: 'output', bytes: Buffer.from(bytes) })
  }

  resumed(offset: number, size: Size): void {
    this.deliveries.push({ kind: 'resumed', offset, size })
  }

  resized(size: Size): void {
    this.deliveries.push({ kind: 'resized', size })
  }

  title(title: string): void {
    this.deliveries.push({ kind: 'title', title })
  }

  ended(exit: ExitStatus | null): void {
    this.deliveries.push({ kind: 'ended', exit })
  }

  of<K extends Delivery['kind']>(kind: K): Extract<Delivery, { kind: K }>[] {
    return this.deliveries.filter((delivery): delivery is Extract<Delivery, { kind: K }> => delivery.kind === kind)
  }

  get outputBytes(): Buffer {
    return Buffer.concat(this.of('output').map(({ bytes }) => bytes))
  }

  /** First offset this client has not got: where it would continue after a reconnect. */
  get position(): number {
    let position = 0
    for (const delivery of this.deliveries) {
      if (delivery.kind === 'snapshot') position = delivery.snapshot.offset
      if (delivery.kind === 'resumed') position = delivery.offset
      if (delivery.kind === 'output') position += delivery.bytes.length
    }
    return position
  }

  async #note(delivery: Delivery): Promise<void> {
    this.deliveries.push(delivery)
    await this.#held
  }
}
