import { type ActionId, actionOf } from '../../../shared/actions'
import type { MenuItem } from '../stores/menu'
import { shortcutText } from './keyPlace'
import { canRun, runAction } from './registry'

/** Actions as rows of a menu, in groups with a line between them; what cannot be done now is shown but not offered. */
export function actionItems(groups: readonly (readonly ActionId[])[]): MenuItem[] {
  return groups.flatMap((ids, group) =>
    ids.map((id, index) => ({
      id,
      title: actionOf(id).title,
      keys: shortcutText(id),
      beginsGroup: group > 0 && index === 0,
      isDisabled: !canRun(id),
      choose: () => void runAction(id)
    }))
  )
}
