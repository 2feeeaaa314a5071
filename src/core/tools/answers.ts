import { z } from 'zod'
import type { Warning } from '../../shared/errors'

const warningSchema = z.object({ code: z.string(), message: z.string() })

/** The output schema of a tool: its own fields, and the warnings any answer may carry. */
export function answerSchema<S extends z.core.$ZodLooseShape>(shape: S) {
  return z.object({ ...shape, warnings: z.array(warningSchema).optional() })
}

/** An answer with its warnings, if there are any. */
export function withWarnings<T extends object>(answer: T, warnings: Warning[]): T & { warnings?: Warning[] } {
  return warnings.length === 0 ? answer : { ...answer, warnings }
}

/** An answer's text for models: its sentences, then its warnings, a line each. */
export function answerText(lines: readonly string[], warnings: readonly Warning[] = []): string {
  return [...lines, ...warnings.map(({ code, message }) => `Warning ${code}: ${message}`)].join('\n')
}
