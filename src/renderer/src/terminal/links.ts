import { openableAddress } from '../../../shared/openableAddress'
import { hideLinkHint, showLinkHint } from '../stores/linkHint'
import { ask } from '../stores/questions'
import { showError } from '../stores/toasts'
import { strings } from '../strings'
import { displayText } from './displayText'

/** What the pointer does with links: hovering shows where they lead, Ctrl or Cmd and a click asks and opens them. */
export const linkHandling = {
  activate(event: MouseEvent, text: string): void {
    if (event.ctrlKey || event.metaKey) void openLink(text)
  },
  hover(event: MouseEvent, text: string): void {
    showLinkHint(text, event)
  },
  leave(): void {
    hideLinkHint()
  }
}

/** Opens a web address after the person has seen it; the new page learns nothing about this one. */
export async function openLink(text: string): Promise<void> {
  hideLinkHint()
  const address = openableAddress(text)
  if (address === undefined) {
    const { refusedLink, refusedLinkHint } = strings.errors
    showError({ code: 'INVALID_ARGUMENTS', message: refusedLink(displayText(text)), hint: refusedLinkHint })
    return
  }
  const { title, text: explanation, open } = strings.link
  const isMeant = await ask({ title: title(new URL(address).host), text: explanation, quote: address, confirm: open })
  if (isMeant) window.open(address, '_blank', 'noopener,noreferrer')
}
