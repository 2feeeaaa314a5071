// Runs inside a page: what a page can try without asking the user. Each entry says whether it got anything.

export async function pageAttack({ http, socket, project }) {
  const opens = (url, protocols) =>
    new Promise((resolve) => {
      const attempt = new WebSocket(url, protocols)
      attempt.onopen = () => resolve(true)
      attempt.onerror = () => resolve(false)
    })
  const reads = async (path, init) => {
    try {
      const response = await fetch(http + path, { credentials: 'include', ...init })
      return response.type !== 'opaque' && (await response.text()) !== ''
    } catch {
      return false // blocked by the browser, or refused
    }
  }
  const loads = (element, src) =>
    new Promise((resolve) => {
      element.onload = () => resolve(true)
      element.onerror = () => resolve(false)
      element.src = src
      document.head.append(element)
    })
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ project, session: 'forged' })
  const remove = `/api/workspaces?project=${encodeURIComponent(project)}&session=other`
  return {
    terminalSocket: await opens(socket, ['tty']),
    uiSocket: await opens(`${http.replace('http', 'ws')}/ui`),
    read: await reads('/api/workspaces', {}),
    readBlind: await reads('/api/workspaces', { mode: 'no-cors' }),
    create: await reads('/api/terminal/sessions', { ...json, body }),
    createBlind: await reads('/api/terminal/sessions', { method: 'POST', body, mode: 'no-cors' }),
    remove: await reads(remove, { method: 'DELETE' }),
    script: await loads(document.createElement('script'), `${http}/api/workspaces`),
    page: await loads(document.createElement('img'), `${http}/`)
  }
}
