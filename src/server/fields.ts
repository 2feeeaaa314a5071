import { z } from 'zod'
import { describeIssues } from '../core/tools/describeIssues'
import { Refusal } from './refusal'
import type { Exchange, HttpExchange } from './routes'
import { strings } from './strings'

/** The query as named strings; what the schema does not know is refused by name. */
export function queryFields({ query }: Exchange, schema: z.ZodObject): Record<string, string> {
  const doubled = [...query.keys()].find((name) => query.getAll(name).length > 1)
  if (doubled !== undefined) throw new Refusal('INVALID_ARGUMENTS', `"${doubled}" is given twice in the query`)
  const fields = Object.fromEntries(query)
  refuseUnknown(fields, schema, 'query')
  return fields
}

/** The fields of a JSON object body, none when there is no body; unknown ones are refused by name. */
export function bodyFields({ body }: HttpExchange, schema: z.ZodObject): Record<string, unknown> {
  if (body === undefined) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('INVALID_ARGUMENTS', 'The body is not a JSON object', { hint: known(schema) })
  }
  const fields = Object.fromEntries(Object.entries(body))
  refuseUnknown(fields, schema, 'body')
  return fields
}

function refuseUnknown(fields: object, schema: z.ZodObject, where: string): void {
  const { catchall } = schema.def
  if (catchall && !(catchall instanceof z.ZodNever)) return
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(schema.shape, name))
  if (unknown === undefined) return
  throw new Refusal('INVALID_ARGUMENTS', `Unknown field "${unknown.slice(0, 100)}" in the ${where}`, {
    hint: known(schema)
  })
}

function known(schema: z.ZodObject): string {
  const names = Object.keys(schema.shape)
  return names.length > 0 ? `Known here: ${names.join(', ')}.` : strings.takesNoFields
}

export function parsed<S extends z.ZodObject>(schema: S, fields: unknown): z.infer<S> {
  const result = schema.safeParse(fields, { reportInput: true })
  if (result.success) return result.data
  throw describeIssues(result.error, schema)
}
