import { createHash } from 'node:crypto'

type Content = Readonly<Record<string, unknown>>

/**
 * The content with its checksum, in which white space does not count. The time of writing stands before it: an older Tandem
 * keeps the field as it came and writes another time, and such a checksum says nothing.
 */
export function withChecksum(content: Content & { lastModified: string }): Content {
  return { ...content, checksum: checksumOf(content) }
}

/** True of content that reads well and is not what was written. Without a checksum of its own that cannot be told. */
export function isDamaged(raw: unknown): boolean {
  if (typeof raw !== 'object' || raw === null) return false
  const { checksum, ...content }: Content = { ...raw }
  const isItsOwn = typeof checksum === 'string' && checksum.startsWith(`${content.lastModified} `)
  return isItsOwn && checksum !== checksumOf(content)
}

function checksumOf(content: Content): string {
  return `${content.lastModified} ${createHash('sha256').update(JSON.stringify(content)).digest('base64url')}`
}
