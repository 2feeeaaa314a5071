import { zoomedFontSize } from '../appearance/windowZoom'
import { lastScreen } from '../stores/lastScreens'
import { settingValues } from '../stores/settings'

/** The emulator multiplies the height of a character, which in the bundled font is so much of its size. */
const CHARACTER_HEIGHT = 1.25

/** What a terminal showed on the page before this one, until its line brings what it shows now. */
export function LastScreen({ tmuxSession }: { tmuxSession: string }) {
  const text = lastScreen(tmuxSession)
  if (text === undefined) return null
  const style = { fontSize: zoomedFontSize(), lineHeight: settingValues().line_height * CHARACTER_HEIGHT }
  // The terminal itself is on its way: nobody needs to have this read to them.
  return (
    <pre className="lastScreen" aria-hidden="true" style={style}>
      {text}
    </pre>
  )
}
