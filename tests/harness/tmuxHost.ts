import { TmuxBackend } from '../../src/core/backends/tmux/tmuxBackend'
import { silentLog } from '../../src/core/log'
import { LATE_READER } from './lateReader'
import { defaultSettings, Ear } from './tmuxServer'
import { until } from './waiting'

// A host in a process of its own, to be killed or stopped: starts one program and says what it hears.
const { socket, owner, runtimeDir, spec, dies } = JSON.parse(process.argv[2] ?? '{}')

class TellingEar extends Ear {
  hasPrinted = false

  override restored(): void {
    process.stdout.write('restored\n')
  }

  override output(): void {
    // Read and forgotten: only its arrival keeps the pipe empty.
    this.hasPrinted = true
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
const ear = new TellingEar()
const terminal = await backend.create(spec, ear)
process.stdout.write(`ready ${terminal.pid}\n`)

if (dies === 'nudging') {
  await until(() => ear.hasPrinted, { what: 'the first output' })
  await terminal.resync(LATE_READER)
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50)
}
