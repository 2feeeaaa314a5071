import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../shared/errors'
import { readBackup, readConfig, removeConfig, writeConfig } from '../configFile'
import type { ConnectionPlan } from '../connections'
import { lineDiff } from '../lineDiff'
import { onPath } from '../onPath'
import { HOOK_CLIENTS, type HookClient } from './hookClients'

export interface HookSetupOptions {
  environment: NodeJS.ProcessEnv
  /** The words by which a client runs our hook. */
  commandFor(client: HookClient): string[]
}

/** Has clients tell how their agents stand, and ends it again: shows exactly what it would change, then does that. */
export class HookSetup {
  readonly clients = HOOK_CLIENTS
  readonly #options: HookSetupOptions

  constructor(options: HookSetupOptions) {
    this.#options = options
  }

  client(id: string): HookClient {
    const found = HOOK_CLIENTS.find((client) => client.id === id)
    if (found) return found
    const known = HOOK_CLIENTS.map((client) => client.id).join(', ')
    throw new AppError('INVALID_ARGUMENTS', `"${id}" has no hooks that Tandem knows`, `There are ${known}.`)
  }

  /** Whether the client is on this machine. */
  isDetected({ program, folder }: HookClient): boolean {
    const { environment } = this.#options
    return onPath(program, environment) !== undefined || existsSync(folder(environment))
  }

  /** `isConnected`: its hooks are there as we would write them; for a removal, that some of ours are there. */
  plan(client: HookClient, { isRemoval = false } = {}): ConnectionPlan {
    const path = this.#pathOf(client)
    const before = readConfig(path)
    const after = this.#changed(client, before, isRemoval)
    const isChange = after !== before
    const shown = { client: client.id, title: client.title, isDetected: this.isDetected(client) }
    if (!isChange) return { ...shown, isConnected: !isRemoval }
    return { ...shown, isConnected: isRemoval, file: { path, lines: lineDiff(before, after) } }
  }

  /** Does what the plan shows. */
  apply(client: HookClient, { isRemoval = false } = {}): { backup?: string | undefined } {
    const path = this.#pathOf(client)
    const before = readConfig(path)
    const after = this.#changed(client, before, isRemoval)
    if (after === before) return {}
    if (after !== '' || existsBefore(path)) return writeConfig(path, after)
    removeConfig(path)
    return {}
  }

  /** What only we have changed since is put back as it was. */
  #changed(client: HookClient, before: string, isRemoval: boolean): string {
    if (!isRemoval) return client.change(before, this.#options.commandFor(client))
    const earlier = readBackup(this.#pathOf(client)) ?? ''
    return this.#isOursSince(client, earlier, before) ? earlier : client.change(before, undefined)
  }

  #isOursSince(client: HookClient, earlier: string, before: string): boolean {
    try {
      const words = this.#options.commandFor(client)
      return client.change(earlier, undefined) === earlier && client.change(earlier, words) === before
    } catch (failure) {
      // An old copy that says nothing useful, or a program that cannot be named: the hooks are taken out one by one.
      if (failure instanceof AppError) return false
      throw failure
    }
  }

  #pathOf({ folder, file }: HookClient): string {
    return join(folder(this.#options.environment), file)
  }
}

/** A file that was empty before us is left empty; one that was not there goes. */
function existsBefore(path: string): boolean {
  return readBackup(path) === ''
}
