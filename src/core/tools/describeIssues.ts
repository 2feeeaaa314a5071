import { z } from 'zod'
import { AppError } from '../../shared/errors'
import { quote } from '../workspace/quote'

/** Troubles that are told; a list of ten thousand wrong ids has as many. */
const MAX_TOLD = 5

/** A refused set of arguments as one sentence per trouble, naming each field and its value, and what is allowed. */
export function describeIssues(error: z.ZodError, schema: z.ZodObject): AppError {
  const troubles = error.issues.flatMap(singleTroubles)
  const rest = troubles.length - MAX_TOLD
  const told = troubles.slice(0, MAX_TOLD).map((trouble) => trouble())
  const message = [...told, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
  return new AppError('INVALID_ARGUMENTS', message, `Arguments: ${listFields(schema)}.`, { cause: error })
}

/** How each trouble is told, not told yet: quoting a value has its price. */
function singleTroubles(issue: z.core.$ZodIssue): (() => string)[] {
  if (issue.code !== 'unrecognized_keys') return [() => describeIssue(issue)]
  return issue.keys.map((key) => () => describeUnknown(issue.path, key))
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.length === 0 ? 'The arguments' : quote(issue.path.join('.'))
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return `${field} is missing`
  if (issue.message.startsWith('is missing')) return `${field} ${issue.message}`
  const got = issue.input === undefined ? '' : `, got ${quote(issue.input)}`
  if (issue.code === 'invalid_type') return `${field} must be ${article(issue.expected)}${gotOtherType(issue.input)}`
  return `${field}: ${issue.message}${got}`
}

/** In quotes a number looks like the string that was wanted. */
function gotOtherType(input: unknown): string {
  if (input === undefined) return ''
  if (input === null) return ', got null'
  return `, got the ${Array.isArray(input) ? 'list' : typeof input} ${quote(input)}`
}

function describeUnknown(path: readonly PropertyKey[], key: string): string {
  return `Unknown argument ${quote([...path, key].join('.'))}`
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function listFields(schema: z.ZodObject): string {
  const fields = Object.entries(schema.shape).map(([name, field]) => (isOptional(field) ? `${name} (optional)` : name))
  return fields.join(', ') || 'none'
}

/** What has a default may be left out too. */
function isOptional(field: z.core.$ZodType): boolean {
  return z.safeParse(field, undefined).success
}
