import type { McpTool } from '../mcpClients'

/** One place in a tool's arguments where a text can stand. */
export interface StringParameter {
  tool: string
  /** As `terminal__create_session.args`. */
  name: string
  /** The arguments with the text in that place. */
  with(args: Record<string, unknown>, text: string): Record<string, unknown>
}

interface Schema {
  type?: string
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
}

/** What is meant to be run or typed: there a text that would run something does. */
const MEANT = /^(execute_shell\.command|execute_(python|typescript)\.code|(terminal__send|send_to_terminal)\.text)$/

/** Every place for a free text that a tool says it has. */
export function stringParametersOf({ name, inputSchema }: McpTool): StringParameter[] {
  const { properties = {} } = inputSchema as Schema
  const places = Object.entries(properties).flatMap(([property, schema]) => placesIn(property, schema))
  const all = places.map(([property, inPlace]) => ({
    tool: name,
    name: `${name}.${property}`,
    with: (args: Record<string, unknown>, text: string) => ({ ...args, [property.split(' ')[0] ?? '']: inPlace(text) })
  }))
  return all.filter((one) => !MEANT.test(one.name))
}

type Place = [property: string, inPlace: (text: string) => unknown]

function placesIn(property: string, schema: Schema): Place[] {
  const alternatives = schema.anyOf?.flatMap((one) => placesIn(property, one)) ?? []
  if (schema.type === 'string' && !schema.enum) return [...alternatives, [property, (text) => text]]
  if (schema.type === 'array' && schema.items?.type === 'string' && !schema.items.enum)
    return [...alternatives, [property, (text) => [text]]]
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
    return [
      ...alternatives,
      [`${property} name`, (text) => ({ [text]: 'x' })],
      [`${property} value`, (text) => ({ GIVEN: text })]
    ]
  return alternatives
}
