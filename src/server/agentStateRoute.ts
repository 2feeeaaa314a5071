import { z } from 'zod'
import type { Workspaces } from '../core/workspace/workspaces'
import { AGENT_STATES } from '../shared/activity'
import { bodyFields, parsed, queryFields } from './fields'
import { sendJson } from './respond'
import type { HttpRoute } from './routes'
import { allowed } from './visitors'

const nothing = z.strictObject({})
const reportSchema = z.strictObject({
  agent: z.string().min(1),
  state: z.enum([...AGENT_STATES, 'gone']),
  message: z.string().optional()
})

/** How `tandem hook` tells that the agent in a terminal works, asks or is done. What it says is shown and written nowhere. */
export function agentStateRoute(workspaces: Workspaces): HttpRoute {
  return {
    method: 'POST',
    path: '/api/terminal/sessions/:id/agent-state',
    auth: ['bearer'],
    summary: 'Tell how the agent that runs in a terminal stands',
    query: nothing,
    body: reportSchema,
    answer: z.object({ changed: z.boolean() }),
    async serve(exchange) {
      const access = allowed(exchange, 'type')
      queryFields(exchange, nothing)
      const report = parsed(reportSchema, bodyFields(exchange, reportSchema))
      await workspaces.learn(access)
      const { shell } = workspaces.terminal(access, exchange.params.id ?? '')
      sendJson(exchange.response, { changed: shell.agent.report(report) })
    }
  }
}
