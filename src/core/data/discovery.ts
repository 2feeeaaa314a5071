import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readPrivateFile, writePrivateFile } from './privateFile'

/** How other processes of the same user find the running host. 0600, written after the port is bound, gone at the end. */
const endpointSchema = z.object({
  url: z.string(),
  pid: z.number().int(),
  version: z.string(),
  token: z.string()
})
export type Endpoint = z.infer<typeof endpointSchema>

export function publishEndpoint(dataDir: string, endpoint: Endpoint): () => void {
  const path = pathIn(dataDir)
  writePrivateFile(path, `${JSON.stringify(endpoint, null, 2)}\n`)
  return () => rmSync(path, { force: true })
}

/** The host that last published itself; it may be gone by now. */
export function readEndpoint(dataDir: string): Endpoint | undefined {
  const content = readPrivateFile(pathIn(dataDir))
  if (content === undefined) return undefined
  try {
    const parsed = endpointSchema.safeParse(JSON.parse(content))
    return parsed.success ? parsed.data : undefined
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'endpoint.json')
}
