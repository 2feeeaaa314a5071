import type { z } from 'zod'

/** One row of the settings table. */
export function setting<S extends z.ZodType>(schema: S, fallback: z.infer<S>, allowed: string, description: string) {
  return { schema, fallback, allowed, description }
}
