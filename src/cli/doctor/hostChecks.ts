import { lockHolder } from '../../core/data/ownerLock'
import { strings } from '../strings'
import type { Check } from './finding'

const ANSWER_LIMIT_MS = 5000
const words = strings.doctor

/** Who owns the data dir, and whether it answers. */
export const checkHost: Check = async ({ dataDir, endpoint, isOwned }) => {
  if (!endpoint) {
    if (!isOwned) return [{ check: 'host', level: 'ok', message: words.noHost }]
    return [
      { check: 'host', level: 'warn', message: words.hostHidden(lockHolder(dataDir.path)), fix: words.hostHiddenFix }
    ]
  }
  const { pid, version, url } = endpoint
  if (await answers(url)) return [{ check: 'host', level: 'ok', message: words.host(pid, version, url) }]
  return [{ check: 'host', level: 'fail', message: words.hostSilent(pid), fix: words.hostSilentFix(pid) }]
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })).ok
  } catch {
    return false // refused, reset or silent: to the person they are the same
  }
}
