import { z } from 'zod'
import { ERRORS } from '../shared/errors'
import type { HttpRoute } from './routes'

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { enum: Object.keys(ERRORS) },
        message: { type: 'string' },
        hint: { type: 'string' }
      }
    }
  }
}

/** Describes the HTTP API from the same declarations that serve it. */
export function openApi(routes: readonly HttpRoute[], version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tandem', version },
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } }
    },
    security: [{ bearer: [] }]
  }
}

function operation(route: HttpRoute): object {
  return {
    summary: route.summary,
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(hasFields(route.body)
      ? { requestBody: { required: true, content: json(jsonSchema(route.body, 'input')) } }
      : {}),
    responses: {
      200: { description: 'Done', ...(route.answer ? { content: json(jsonSchema(route.answer, 'output')) } : {}) },
      default: { description: 'Refused', content: json({ $ref: '#/components/schemas/Error' }) }
    }
  }
}

function pathParameters({ path }: HttpRoute): object[] {
  const names = [...path.matchAll(/:(\w+)/g)].map((found) => found[1])
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

function queryParameters({ query }: HttpRoute): object[] {
  if (!query) return []
  return Object.entries(query.shape).map(([name, field]) => ({
    name,
    in: 'query',
    required: !z.safeParse(field, undefined).success,
    schema: { type: 'string' }
  }))
}

function hasFields(schema: z.ZodObject | undefined): schema is z.ZodObject {
  return schema !== undefined && Object.keys(schema.shape).length > 0
}

function json(schema: object): object {
  return { 'application/json': { schema } }
}

/** A schema as clients read it. Answers may grow fields, so nothing forbids more of them. */
export function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: part }) => {
      if (io === 'output') delete part.additionalProperties
    }
  })
  return described
}
