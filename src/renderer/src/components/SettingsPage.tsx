import { useId, useRef, useState } from 'react'
import type { SettingEntry } from '../../../shared/settingsReport'
import { useSettings } from '../stores/settings'
import { strings } from '../strings'
import { copyText } from '../terminal/clipboard'
import { PageFrame } from './PageFrame'
import { SettingRow } from './SettingRow'

/** Every setting, found by its name or what it does. What is changed here is in the file at once, and the other way round. */
export function SettingsPage() {
  const report = useSettings((state) => state.report)
  const [sought, setSought] = useState('')
  const found = (report?.entries ?? []).filter((entry) => isFound(entry, sought))
  const groups = [...new Set(found.map(({ group }) => group))]
  const words = strings.settings
  return (
    <PageFrame
      title={words.title}
      className="settings"
      closeLabel={words.close}
      head={
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
      }
    >
      <SettingGroups groups={groups} entries={found} />
      {found.length === 0 && <p className="nothing">{report ? words.nothing(sought) : words.notLoaded}</p>}
      {report && <FileLine path={report.path} problems={report.problems} />}
    </PageFrame>
  )
}

function SettingGroups({ groups, entries }: { groups: SettingEntry['group'][]; entries: SettingEntry[] }) {
  const body = useRef<HTMLDivElement>(null)
  const prefix = useId()
  const show = (index: number) => body.current?.children[index]?.scrollIntoView({ block: 'start' })
  return (
    <div className="groups">
      <nav aria-label={strings.settings.groups}>
        {groups.map((group, index) => (
          <button type="button" key={group} onClick={() => show(index)}>
            {group}
          </button>
        ))}
      </nav>
      <div className="entries" ref={body}>
        {groups.map((group) => (
          <section key={group} aria-labelledby={`${prefix}${group}`}>
            <h3 id={`${prefix}${group}`}>{group}</h3>
            {entries
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <SettingRow key={entry.name} entry={entry} />
              ))}
          </section>
        ))}
      </div>
    </div>
  )
}

function FileLine({ path, problems }: { path: string; problems: string[] }) {
  const words = strings.settings
  return (
    <footer>
      {problems.map((problem) => (
        <p className="problem" key={problem}>
          {problem}
        </p>
      ))}
      <p>
        {words.file} <code>{path}</code>
        <button type="button" className="button small" onClick={() => void copyText(path)}>
          {words.copyPath}
        </button>
      </p>
    </footer>
  )
}

function isFound({ name, group, description }: SettingEntry, sought: string): boolean {
  const text = `${name} ${name.replaceAll('_', ' ')} ${group} ${description}`.toLowerCase()
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
