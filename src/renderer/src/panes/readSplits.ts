import { isSplit, type PaneNode, panesOf, type SplitNode } from './layout'

// Nobody reads smaller panes than so many splits within splits would make.
const MAX_DEPTH = 8

/** Remembered splits as far as they make sense: each terminal once, sizes that add up. */
export function readSplits(raw: unknown): SplitNode[] {
  const seen = new Set<string>()
  const splits = Array.isArray(raw) ? raw.map((one) => readNode(one, 0)) : []
  return splits.filter((node): node is SplitNode => {
    if (!node || !isSplit(node)) return false
    const ids = panesOf(node)
    const isFresh = new Set(ids).size === ids.length && ids.every((id) => !seen.has(id))
    for (const id of ids) seen.add(id)
    return isFresh
  })
}

function readNode(raw: unknown, depth: number): PaneNode | undefined {
  if (typeof raw !== 'object' || raw === null || depth > MAX_DEPTH) return undefined
  if ('pane' in raw) return typeof raw.pane === 'string' ? { pane: raw.pane } : undefined
  if (!('split' in raw) || !('parts' in raw) || !Array.isArray(raw.parts)) return undefined
  const { split, parts: given } = raw
  if ((split !== 'row' && split !== 'column') || given.length < 2) return undefined
  const parts = given.map((part: unknown) => readPart(part, depth + 1)).filter((part) => part !== undefined)
  const total = parts.reduce((sum, { size }) => sum + size, 0)
  if (parts.length !== given.length || !(total > 0)) return undefined
  return { split, parts: parts.map((part) => ({ ...part, size: (part.size / total) * 100 })) }
}

function readPart(raw: unknown, depth: number): SplitNode['parts'][number] | undefined {
  if (typeof raw !== 'object' || raw === null || !('node' in raw) || !('size' in raw)) return undefined
  const node = readNode(raw.node, depth)
  const isSize = typeof raw.size === 'number' && raw.size > 0 && raw.size <= 100
  return node && isSize ? { size: raw.size as number, node } : undefined
}
