import { zoomedFontSize } from '../appearance/windowZoom'
import { lastScreen } from '../stores/lastScreens'
import { settingValues } from '../stores/settings'

/** What a terminal showed on the page before this one, until its line brings what it shows now. */
export function LastScreen({ tmuxSession }: { tmuxSession: string }) {
  const text = lastScreen(tmuxSession)
  if (text === undefined) return null
  const style = { fontSize: zoomedFontSize(), lineHeight: settingValues().line_height }
  // The terminal itself is on its way: nobody needs to have this read to them.
  return (
    <pre className="lastScreen" aria-hidden="true" style={style}>
      {text}
    </pre>
  )
}
