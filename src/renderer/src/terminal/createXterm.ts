import { FitAddon } from '@xterm/addon-fit'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { Terminal } from '@xterm/xterm'
import { limitLinks } from '../../../shared/limitLinks'
import { limitMarks } from '../../../shared/limitMarks'
import { limitRepeats } from '../../../shared/limitRepeats'
import { limitStrings } from '../../../shared/limitStrings'
import { followLink } from './links'
import { muteReplies } from './muteReplies'
import { terminalTheme } from './terminalTheme'

const SCROLLBACK_LINES = 10_000
const isMac = navigator.platform.startsWith('Mac')

/** An emulator for showing, not for answering: muted, with links, graphemes and the page's theme. */
export function createXterm({ onRefusedLink }: { onRefusedLink(text: string): void }): {
  xterm: Terminal
  fit: FitAddon
} {
  const follow = (event: MouseEvent, text: string) => followLink(event, text, onRefusedLink)
  const xterm = new Terminal({
    allowProposedApi: true,
    scrollback: SCROLLBACK_LINES,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono-font'),
    fontSize: isMac ? 13 : 14,
    lineHeight: 1.2,
    cursorBlink: false,
    macOptionClickForcesSelection: true,
    linkHandler: { activate: follow, allowNonHttpProtocols: false },
    ...terminalTheme()
  })
  const fit = new FitAddon()
  xterm.loadAddon(fit)
  xterm.loadAddon(new WebLinksAddon(follow))
  xterm.loadAddon(new UnicodeGraphemesAddon())
  muteReplies(xterm.parser)
  limitLinks(xterm)
  limitMarks(xterm)
  limitRepeats(xterm)
  limitStrings(xterm)
  return { xterm, fit }
}
