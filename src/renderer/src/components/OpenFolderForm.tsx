import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { WorkspaceKey } from '../../../shared/terminal'
import { useOpenWorkspace } from '../hooks/useOpenWorkspace'
import { useSidebar } from '../stores/sidebar'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { shortPath } from '../terminal/shortPath'
import { Icon } from './Icon'

const text = strings.form

interface OpenFolderFormProps {
  /** Its new session is wanted; absent: any folder. */
  project?: string
  onDone(): void
}

/** Opens a terminal in a folder and session that the person names; the host says what is wrong with either. */
export function OpenFolderForm({ project, onDone }: OpenFolderFormProps) {
  const { open, busy } = useOpenWorkspace()
  const [problem, setProblem] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const leave = useKeyboardInside(form)
  const problemId = useId()
  const home = useWorkspaces(({ host }) => host?.homeProject)
  const title = project === undefined ? strings.openFolder : text.newSession
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const workspace = readForm(event.currentTarget, project)
    const found = problemOf(workspace)
    setProblem(found)
    if (found === '' && (await open(workspace))) onDone()
  }
  const cancel = () => {
    onDone()
    leave()
  }
  return (
    <form
      className="openFolder"
      aria-label={title}
      ref={form}
      onSubmit={submit}
      onKeyDown={({ key }) => key === 'Escape' && cancel()}
      noValidate
    >
      <div className="head">
        <strong>{title}</strong>
        <button type="button" className="iconButton" aria-label={text.cancel} title={text.cancel} onClick={cancel}>
          <Icon name="close" />
        </button>
      </div>
      {project === undefined ? (
        <Field name="project" label={text.project} placeholder={text.projectPlaceholder} {...{ problem, problemId }} />
      ) : (
        // The end of a path says more than its beginning.
        <p className="path" title={project}>
          <bdi>{displayText(shortPath(project, home))}</bdi>
        </p>
      )}
      <Field
        name="session"
        label={text.session}
        defaultValue={project === undefined ? text.sessionDefault : ''}
        {...(project === undefined ? {} : { problem, problemId })}
      />
      <p id={problemId} className="problem" role="alert">
        {problem}
      </p>
      <button type="submit" className="button primary" disabled={busy}>
        {text.submit}
      </button>
    </form>
  )
}

interface FieldProps {
  name: 'project' | 'session'
  label: string
  placeholder?: string
  defaultValue?: string
  problem?: string
  problemId?: string
}

function Field({ name, label, placeholder, defaultValue, problem = '', problemId }: FieldProps) {
  return (
    <label className={`field ${name}`}>
      {label}
      <input
        {...{ name, placeholder, defaultValue }}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={problemId}
        aria-invalid={problem !== ''}
      />
    </label>
  )
}

/** The keyboard goes to the first field whenever the form is asked for; what is returned gives it back. */
function useKeyboardInside(form: React.RefObject<HTMLFormElement | null>): () => void {
  const wishes = useSidebar((state) => state.formWishes)
  const before = useRef<Element>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each wish
  useEffect(() => {
    if (!form.current?.contains(document.activeElement)) before.current = document.activeElement
    form.current?.querySelector('input')?.focus()
  }, [form, wishes])
  return () => {
    if (before.current instanceof HTMLElement) before.current.focus()
  }
}

function problemOf({ project, session }: WorkspaceKey): string {
  if (!project.startsWith('/')) return text.needsAbsolute
  return session === '' ? text.needsName : ''
}

/** A folder's first session is called by a name of ours when the person gives none; a further one needs its own. */
function readForm(form: HTMLFormElement, known: string | undefined): WorkspaceKey {
  const data = new FormData(form)
  const value = (name: string) => String(data.get(name) ?? '').trim()
  const session = value('session')
  return known === undefined
    ? { project: value('project'), session: session || text.sessionDefault }
    : { project: known, session }
}
