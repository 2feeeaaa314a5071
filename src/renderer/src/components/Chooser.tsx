import { Command } from 'cmdk'
import type { ReactNode } from 'react'
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
  const groups = [...new Set(choices.map(({ group }) => group))]
  return (
    <Modal label={label} className="chooser" onClose={onClose}>
      <Command label={label} loop filter={score}>
        <Command.Input placeholder={placeholder} />
        <Command.List label={label}>
          <Command.Empty>{nothing}</Command.Empty>
          {groups.map((group) => (
            <Command.Group key={group ?? ''} heading={group}>
              {choices
                .filter((choice) => choice.group === group)
                .map((choice) => (
                  <ChoiceRow key={choice.id} choice={choice} onClose={onClose} />
                ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Modal>
  )
}

/** Every word must be there; what is called just that comes first, then titles that begin with it. */
function score(_id: string, search: string, [title = '', detail = '']: string[] = []): number {
  const wanted = search.toLowerCase().trim()
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
    <Command.Item value={id} keywords={[title, detail ?? '']} onSelect={onSelect}>
      {mark}
      <span className="title">{title}</span>
      {detail !== undefined && <span className="detail">{detail}</span>}
      {keys !== undefined && keys !== '' && <kbd>{keys}</kbd>}
    </Command.Item>
  )
}
