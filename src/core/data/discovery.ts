import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readPrivateFile, writePrivateFile } from './privateFile'
import { processStart } from './processStart'

/** How other processes of the same user find the running host. 0600, written after the port is bound, gone at the end. */
const endpointSchema = z.object({
  url: z.string(),
  pid: z.number().int(),
  version: z.string(),
  token: z.string()
})
export type Endpoint = z.infer<typeof endpointSchema>

/** Tells this process from a later one with its pid. */
const publishedSchema = endpointSchema.extend({ started: z.string() })

export function publishEndpoint(dataDir: string, endpoint: Endpoint): () => void {
  const path = pathIn(dataDir)
  const started = processStart(endpoint.pid) ?? ''
  writePrivateFile(path, `${JSON.stringify({ ...endpoint, started }, null, 2)}\n`)
  return () => rmSync(path, { force: true })
}

/**
 * The host that published itself, while its process lives. The port of one that was killed may belong to anybody by
 * now, and whoever listens there must never be sent the token.
 */
export function readEndpoint(dataDir: string): Endpoint | undefined {
  const content = readPrivateFile(pathIn(dataDir))
  if (content === undefined) return undefined
  try {
    const parsed = publishedSchema.safeParse(JSON.parse(content))
    if (!parsed.success) return undefined
    const { started, ...endpoint } = parsed.data
    return processStart(endpoint.pid) === started ? endpoint : undefined
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}

/** Whether a host that is gone left its endpoint behind. */
export function hasStaleEndpoint(dataDir: string): boolean {
  return existsSync(pathIn(dataDir)) && readEndpoint(dataDir) === undefined
}

export function removeEndpoint(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true })
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'endpoint.json')
}
