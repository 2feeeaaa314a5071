import { useRef, useState } from 'react'
import { titleWithKeys } from '../actions/keyPlace'
import { useActionHandlers } from '../actions/registry'
import { actorOf } from '../agents/historyText'
import { useMedia } from '../hooks/useMedia'
import { useSheet } from '../hooks/useSheet'
import { useAgentIdentity } from '../stores/agents'
import { useHistory } from '../stores/history'
import { closeSheet, ROOMY, togglePanel, usePanel } from '../stores/panel'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { ConnectCard } from './ConnectCard'
import { HistoryLine } from './HistoryLine'
import { Icon } from './Icon'
import { WaitingList } from './WaitingList'

const text = strings.activity
/** Undefined: everybody. Null: the person. */
type Filter = string | null | undefined

/** Who did what in every terminal, newest first. */
export function ActivityPanel() {
  useActionHandlers({ agentPanel: togglePanel })
  const { isHidden, isSheetOpen } = usePanel()
  const panel = useRef<HTMLElement>(null)
  useSheet(panel, { isOpen: isSheetOpen, close: closeSheet })
  const entries = useHistory((state) => state.entries) ?? []
  const [filter, setFilter] = useState<Filter>()
  const actors = [...new Set(entries.map(actorOf))].filter((actor) => actor !== undefined)
  const shown = entries.filter((entry) => filter === undefined || actorOf(entry) === filter)
  const classes = ['activityPanel', isHidden && 'hidden', isSheetOpen && 'open'].filter(Boolean).join(' ')
  return (
    <aside className={classes} aria-label={text.title} ref={panel}>
      <header>
        <h2>{text.title}</h2>
        <button
          type="button"
          className="iconButton"
          aria-label={text.hide}
          title={titleWithKeys('agentPanel', text.hide)}
          onClick={togglePanel}
        >
          <Icon name="close" />
        </button>
      </header>
      <ConnectCard />
      {actors.length > 0 && <Filters {...{ actors, filter, setFilter }} />}
      {entries.length === 0 ? (
        <p className="quiet">{text.nothing}</p>
      ) : (
        <ol>
          {shown.map((entry) => (
            <HistoryLine key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      <WaitingList />
    </aside>
  )
}

interface FiltersProps {
  actors: (string | null)[]
  filter: Filter
  setFilter(filter: Filter): void
}

function Filters({ actors, filter, setFilter }: FiltersProps) {
  const chip = (value: Filter) => ({ isChosen: filter === value, choose: () => setFilter(value) })
  return (
    <fieldset className="filters" aria-label={text.filters}>
      <FilterChip {...chip(undefined)} label={text.all} />
      {actors.map((actor) =>
        actor === null ? (
          <FilterChip key="" {...chip(null)} label={text.you} />
        ) : (
          <AgentFilter key={actor} {...chip(actor)} name={actor} />
        )
      )}
    </fieldset>
  )
}

interface Chosen {
  isChosen: boolean
  choose(): void
}

function AgentFilter({ name, ...chosen }: Chosen & { name: string }) {
  const { title } = useAgentIdentity(name)
  return <FilterChip {...chosen} label={displayText(title)} />
}

function FilterChip({ label, isChosen, choose }: Chosen & { label: string }) {
  return (
    <button type="button" aria-pressed={isChosen} onClick={choose}>
      {label}
    </button>
  )
}

/** Shows and hides the panel, wherever it is then. */
export function ActivityButton() {
  const { isHidden, isSheetOpen } = usePanel()
  const isShown = useMedia(ROOMY) ? !isHidden : isSheetOpen
  const label = isShown ? text.hide : text.show
  return (
    <button
      type="button"
      className="iconButton"
      aria-label={label}
      title={titleWithKeys('agentPanel', label)}
      aria-expanded={isShown}
      onClick={togglePanel}
    >
      <Icon name="panel" />
    </button>
  )
}
