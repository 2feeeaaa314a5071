import { z } from 'zod'

/** Which toolset opened a terminal, and for which bridge when it is to end with it. */
export const openedBySchema = z.object({
  toolset: z.enum(['collab', 'pty', 'exec', 'tracked']),
  ephemeralOf: z.string().max(256).optional()
})
export type OpenedBy = z.infer<typeof openedBySchema>

/** Under whose key a terminal was made and for what request, as hashes: a repeat finds it, also at the next host. */
export const attemptMarkSchema = z.object({ name: z.string().max(64), request: z.string().max(64) })
export type AttemptMark = z.infer<typeof attemptMarkSchema>

/**
 * Who a living terminal belongs to and what it is called, kept with the program itself (tmux user options), so that a
 * lost store can be rebuilt. Set in the command that makes the terminal; renames and reorders update it.
 */
export const stampSchema = z.object({
  owner: z.string().min(1),
  // As wide as what stores accept: a record with such an id can be started again, and its program must be found again.
  id: z.guid(),
  project: z.string().min(1),
  /** sha256 of the real project path: identity, where `project` is only the way there. */
  projectHash: z.string().length(64),
  session: z.string().min(1),
  name: z.string(),
  order: z.number().int().min(0),
  created: z.string(),
  program: z.string(),
  cwd: z.string(),
  openedBy: openedBySchema.optional(),
  attempt: attemptMarkSchema.optional()
})
export type Stamp = z.infer<typeof stampSchema>

/** Base64url of JSON: no character in it means anything to tmux, its formats, or a shell. */
export function encodeStamp(stamp: Stamp): string {
  return Buffer.from(JSON.stringify(stamp)).toString('base64url')
}

/** What a stamp option holds, or undefined when it is absent, damaged, or not ours. */
export function decodeStamp(encoded: string): Stamp | undefined {
  if (encoded === '') return undefined
  try {
    const parsed = stampSchema.safeParse(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')))
    return parsed.success ? parsed.data : undefined
  } catch (notJson) {
    if (notJson instanceof SyntaxError) return undefined
    throw notJson
  }
}
