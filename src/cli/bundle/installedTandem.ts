import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { onPath } from '../../core/clients/onPath'

/** How an installed Tandem is run. */
export interface InstalledTandem {
  command: string[]
  environment: NodeJS.ProcessEnv
}

/** The command line inside a packaged app. */
const PACKED_ENTRY = 'app.asar/out/main/tandem.js'

/** The `tandem` of this computer: on the PATH, where installers put it, or inside the app. */
export function installedTandem(environment: NodeJS.ProcessEnv): InstalledTandem | undefined {
  const home = environment.HOME || homedir()
  const folders = [environment.PATH ?? '', '/usr/local/bin', '/opt/homebrew/bin', join(home, '.local/bin')]
  // A client on a desktop has a shorter PATH than the person; what starts `tandem` must be found there too.
  const PATH = folders.filter(Boolean).join(':')
  const program = onPath('tandem', { PATH }) ?? appPrograms(home).find((path) => existsSync(path))
  if (program === undefined) return undefined
  const packed = packedEntry(program)
  return packed === undefined
    ? { command: [program], environment: { ...environment, PATH } }
    : { command: [program, packed], environment: { ...environment, PATH, ELECTRON_RUN_AS_NODE: '1' } }
}

function appPrograms(home: string): string[] {
  if (process.platform !== 'darwin') return ['/opt/Tandem/resources/bin/tandem']
  return ['/Applications', join(home, 'Applications')].map((folder) =>
    join(folder, 'Tandem.app/Contents/Resources/bin/tandem')
  )
}

/** The app's own program opens a window; as Node it runs the command line that is packed beside it. */
function packedEntry(program: string): string | undefined {
  const folder = dirname(realpathSync(program))
  const resources = [join(folder, 'resources'), join(dirname(folder), 'Resources')]
  const found = resources.find((path) => existsSync(join(path, 'app.asar')))
  return found && join(found, PACKED_ENTRY)
}
