import { fileURLToPath } from 'node:url'
import { startProcess } from '../host.mjs'

const BARE_HOST = fileURLToPath(new URL('bareHost.mjs', import.meta.url))

/** Starts the bare host: what a viewer of the bench needs to know of it, its probe, and how to stop it. */
export function startBareHost(world, { program, isEmulated = false, isPty = false, floods = [] }) {
  const bareArguments = world.bareArguments()
  const order = JSON.stringify({ bareArguments, root: world.root, program, isEmulated, isPty, floods })
  return startProcess(world, { script: BARE_HOST, args: [order] })
}
