import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from './refusal'
import { sendBody } from './respond'
import { strings } from './strings'

const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

const STYLE = `
  :root { color-scheme: dark light }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.5 system-ui, sans-serif }
  main { max-width: 32rem; padding: 2rem }
  h1 { font-size: 1.25rem }
  code { display: block; padding: .75rem 1rem; border: 1px solid #8886; border-radius: .5rem; font-size: 1.1rem;
    user-select: all }
  small { opacity: .75 }`

/** What a browser sees that was not let in: a friendly 401 that says the one thing to do. */
export function signInPage(request: IncomingMessage, response: ServerResponse, reason = ''): void {
  response.setHeader('content-security-policy', CONTENT_SECURITY_POLICY)
  const body = Buffer.from(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${strings.signInTitle}</title><style>${STYLE}</style></head>
<body><main><h1>${strings.signInHeading}</h1><p>${[reason, strings.signInText].filter(Boolean).join(' ')}</p>
<code>${strings.signInCommand}</code><p><small>${strings.signInNote}</small></p></main></body></html>
`)
  const error = new Refusal('UNAUTHORIZED', strings.signInHeading)
  sendBody(request, response, { error, body, contentType: 'text/html; charset=utf-8' })
}
