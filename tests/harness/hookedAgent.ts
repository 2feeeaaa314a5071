import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENTRY, type World } from './tandem'

/** A coding agent as a terminal sees it: a program that runs, and gives each of its events to the command of its hook. */
export class HookedAgent {
  /** How a person starts it. */
  readonly command: string
  readonly #events: string

  constructor(world: World, name = 'agent') {
    this.command = join(world.root, name)
    this.#events = `${this.command}.events`
    execFileSync('mkfifo', ['-m', '600', this.#events])
    const hook = `'${process.execPath}' '${ENTRY}' hook claude-code --data-dir '${world.dataDir}'`
    const script = `#!/bin/bash
exec 3<>'${this.#events}'
echo at your service
while read -r event <&3; do
  [ "$event" = quit ] && exit
  printf '%s' "$event" | ${hook}
done
`
    writeFileSync(this.command, script)
    chmodSync(this.command, 0o755)
  }

  /** Only while it runs: nobody else reads what it is told. */
  event(name: string, more: object = {}): void {
    appendFileSync(this.#events, `${JSON.stringify({ hook_event_name: name, session_id: 's', cwd: '/', ...more })}\n`)
  }

  quit(): void {
    appendFileSync(this.#events, 'quit\n')
  }
}
