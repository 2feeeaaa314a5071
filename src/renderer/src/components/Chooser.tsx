import { Command } from 'cmdk'
import { type ReactNode, useState } from 'react'
import { Modal } from './Modal'

export interface Choice {
  id: string
  title: string
  /** Found by it too, and shown in a quieter colour. */
  detail?: string
  mark?: ReactNode
  keys?: string
  group?: string
  choose(): void
}

interface ChooserProps {
  label: string
  placeholder: string
  nothing: string
  choices: Choice[]
  onClose(): void
}

/** A list to type into: the best match is chosen with Enter. */
export function Chooser({ label, placeholder, nothing, choices, onClose }: ChooserProps) {
  const [sought, setSought] = useState('')
  return (
    <Modal label={label} className="chooser" onClose={onClose}>
      {/* Its own filter marks no choice that comes after the words were typed: Enter would do nothing. */}
      <Command label={label} loop shouldFilter={false}>
        <Command.Input placeholder={placeholder} value={sought} onValueChange={setSought} />
        <Command.List label={label}>
          <Command.Empty>{nothing}</Command.Empty>
          {[...grouped(matching(choices, sought))].map(([group, found]) => (
            <Command.Group key={group ?? ''} heading={group}>
              {found.map((choice) => (
                <ChoiceRow key={choice.id} choice={choice} onClose={onClose} />
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Modal>
  )
}

/** The best first; equally good ones stay in their order. */
function matching(choices: Choice[], sought: string): Choice[] {
  const scored = choices.map((choice) => ({ choice, score: score(choice, sought) })).filter(({ score }) => score > 0)
  return scored.toSorted((one, other) => other.score - one.score).map(({ choice }) => choice)
}

/** The group of the best choice comes first. */
function grouped(choices: Choice[]): Map<string | undefined, Choice[]> {
  const groups = new Map<string | undefined, Choice[]>()
  for (const choice of choices) groups.set(choice.group, [...(groups.get(choice.group) ?? []), choice])
  return groups
}

/** Every word must be there; what is called just that comes first, then titles that begin with it. */
function score({ title, detail = '' }: Choice, sought: string): number {
  const wanted = sought.toLowerCase().trim()
  const text = `${title} ${detail}`.toLowerCase()
  if (!wanted.split(/\s+/).every((word) => text.includes(word))) return 0
  if (title.toLowerCase() === wanted) return 1
  return title.toLowerCase().startsWith(wanted) ? 0.8 : 0.5
}

function ChoiceRow({ choice, onClose }: { choice: Choice; onClose(): void }) {
  const { id, title, detail, mark, keys, choose } = choice
  const onSelect = () => {
    onClose()
    choose()
  }
  return (
    <Command.Item value={id} onSelect={onSelect}>
      {mark}
      <span className="title">{title}</span>
      {detail !== undefined && <span className="detail">{detail}</span>}
      {keys !== undefined && keys !== '' && <kbd>{keys}</kbd>}
    </Command.Item>
  )
}
