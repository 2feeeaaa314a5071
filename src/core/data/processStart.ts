import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** When a living process began, as the system writes it; only ever compared. Undefined when there is none. */
export function processStart(pid: number): string | undefined {
  try {
    return process.platform === 'linux' ? linuxStart(pid) : psStart(pid)
  } catch {
    return undefined // gone, or not ours to look at
  }
}

// The name stands in brackets and may hold anything: fields count from the last one.
function linuxStart(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 'ZX'.includes(state) ? undefined : fields[18]
}

function psStart(pid: number): string | undefined {
  const environment = { ...process.env, LC_ALL: 'C' }
  return (
    execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { env: environment, encoding: 'utf8' }).trim() || undefined
  )
}
