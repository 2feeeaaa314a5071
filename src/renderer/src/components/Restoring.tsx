import type { Restoring as Progress } from '../hooks/useRestoring'
import { strings } from '../strings'
import { Loading } from './Loading'

/** How far the terminals of a workspace are, above those that have come already. */
export function Restoring({ total, ready }: Progress) {
  // Nothing is known of a workspace that the list does not have yet.
  if (total === 0) return <Loading text={strings.loading} />
  return <Loading text={strings.restoring(total)} progress={{ total, ready }} />
}
