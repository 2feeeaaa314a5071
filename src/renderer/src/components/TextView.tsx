import { useEffect, useRef, useState } from 'react'
import type { CommandRecord } from '../../../shared/terminal'
import { useBridge } from '../hooks/useBridge'
import { useViewStatus } from '../stores/viewStatuses'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { lastUsedTerminal } from '../terminal/lastUsedTerminal'
import { type TextSection, terminalLines, textSections } from '../terminal/textSections'
import { PageFrame } from './PageFrame'

/** The terminal's text as a document: plain, with a heading for each command, to be read at one's own pace. */
export function TextView() {
  const sections = useSections()
  const words = strings.textView
  const article = useRef<HTMLElement>(null)
  useEffect(() => article.current?.focus(), [])
  return (
    <PageFrame title={words.title} className="textView" closeLabel={words.close}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <article tabIndex={0} aria-label={words.title} aria-busy={sections === undefined} ref={article}>
        {sections?.map((section, index) => (
          <section key={section.record?.id ?? `before-${index}`}>
            {section.record && <h3>{heading(section.record)}</h3>}
            <pre>{section.text}</pre>
          </section>
        ))}
      </article>
    </PageFrame>
  )
}

/** What the terminal held when the view was opened; the commands are asked for and then make the headings. */
function useSections(): TextSection[] | undefined {
  const bridge = useBridge()
  const lines = useLines()
  const [records, setRecords] = useState<CommandRecord[]>([])
  useEffect(() => {
    const used = lastUsedTerminal()
    if (!used) return
    // Without an answer the text is whole, only not divided.
    void bridge.listCommands(used.tmuxSession).then((answer) => answer.ok && setRecords(answer.value))
  }, [bridge])
  return lines && textSections(lines, records)
}

/** Taken once; of a terminal that was just gone to, as soon as its screen has come. */
function useLines(): string[] | undefined {
  const [used] = useState(lastUsedTerminal)
  const [lines, setLines] = useState<string[]>()
  const hasCome = useViewStatus(used?.tmuxSession ?? '').link !== 'connecting'
  useEffect(() => {
    // Behind everything that was written and is not parsed yet.
    if (hasCome) used?.xterm.write('', () => setLines((taken) => taken ?? terminalLines(used.xterm)))
  }, [used, hasCome])
  return lines
}

function heading({ command, exitCode, running }: CommandRecord): string {
  const outcome = running ? strings.textView.running : strings.textView.exit(exitCode)
  return `${displayText(command)} · ${outcome}`
}
