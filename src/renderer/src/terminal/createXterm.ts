import { FitAddon } from '@xterm/addon-fit'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { Terminal } from '@xterm/xterm'
import { limitLinks } from '../../../shared/limitLinks'
import { limitMarks } from '../../../shared/limitMarks'
import { limitRepeats } from '../../../shared/limitRepeats'
import { limitStrings } from '../../../shared/limitStrings'
import { linkHandling } from './links'
import { muteReplies } from './muteReplies'
import { terminalOptions } from './terminalTheme'

/** The emulator draws no cursor before its field had the keyboard once; in a pane beside the active one it should. */
export function drawCursorBeforeFocus({ textarea }: Terminal): void {
  textarea?.dispatchEvent(new FocusEvent('focus'))
  textarea?.dispatchEvent(new FocusEvent('blur'))
}

const RULER_PIXELS = 14

/** An emulator for showing, not for answering: muted, with links, graphemes and the settings' looks. */
export function createXterm(): { xterm: Terminal; fit: FitAddon } {
  const xterm = new Terminal({
    allowProposedApi: true,
    macOptionClickForcesSelection: true,
    rescaleOverlappingGlyphs: true,
    // Beside the scroll bar: where matches are found.
    overviewRuler: { width: RULER_PIXELS },
    linkHandler: { ...linkHandling, allowNonHttpProtocols: false },
    ...terminalOptions()
  })
  const fit = new FitAddon()
  xterm.loadAddon(fit)
  xterm.loadAddon(new WebLinksAddon(linkHandling.activate, linkHandling))
  xterm.loadAddon(new UnicodeGraphemesAddon())
  muteReplies(xterm.parser)
  limitLinks(xterm)
  limitMarks(xterm)
  limitRepeats(xterm)
  limitStrings(xterm)
  return { xterm, fit }
}
