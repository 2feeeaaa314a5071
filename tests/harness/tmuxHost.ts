import { TmuxBackend } from '../../src/core/backends/tmux/tmuxBackend'
import { silentLog } from '../../src/core/log'
import { defaultSettings, Ear } from './tmuxServer'

// A host in a process of its own, to be killed or stopped: starts one program and says what it hears.
const { socket, owner, runtimeDir, spec } = JSON.parse(process.argv[2] ?? '{}')

class TellingEar extends Ear {
  override restored(): void {
    process.stdout.write('restored\n')
  }

  override output(): void {
    // Read and forgotten: only its arrival keeps the pipe empty.
  }
}

const backend = new TmuxBackend({
  socket,
  owner,
  runtimeDir: { path: runtimeDir },
  settings: defaultSettings,
  log: silentLog,
  environment: process.env
})
await backend.start()
const { pid } = await backend.create(spec, new TellingEar())
process.stdout.write(`ready ${pid}\n`)
