import { type FormEvent, useId, useState } from 'react'
import type { WorkspaceKey } from '../../../shared/terminal'
import { useOpenWorkspace } from '../hooks/useOpenWorkspace'
import { strings } from '../strings'

const text = strings.form

/** Opens a terminal in a folder and session that the person names; the host says what is wrong with either. */
export function OpenFolderForm({ project, onDone }: { project?: string | undefined; onDone?: () => void }) {
  const { open, busy } = useOpenWorkspace()
  const [problem, setProblem] = useState('')
  const problemId = useId()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const workspace = readForm(event.currentTarget)
    const relative = !workspace.project.startsWith('/')
    setProblem(relative ? text.needsAbsolute : '')
    if (!relative && (await open(workspace))) onDone?.()
  }
  return (
    <form className="openFolder" onSubmit={submit} noValidate>
      <label className="field project">
        {text.project}
        <input
          name="project"
          autoComplete="off"
          spellCheck={false}
          placeholder={text.projectPlaceholder}
          defaultValue={project}
          aria-describedby={problemId}
          aria-invalid={problem !== ''}
        />
      </label>
      <label className="field session">
        {text.session}
        <input
          name="session"
          autoComplete="off"
          spellCheck={false}
          defaultValue={project === undefined ? text.sessionDefault : ''}
        />
      </label>
      <button type="submit" className="button" disabled={busy}>
        {text.submit}
      </button>
      <p id={problemId} className="problem" role="alert">
        {problem}
      </p>
    </form>
  )
}

function readForm(form: HTMLFormElement): WorkspaceKey {
  const data = new FormData(form)
  const value = (name: string) => String(data.get(name) ?? '').trim()
  return { project: value('project'), session: value('session') || text.sessionDefault }
}
