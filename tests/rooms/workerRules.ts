import { dirname, join, normalize } from 'node:path'
import type { SourceFile } from './importRules'
import { readImports, withoutText } from './imports'
import { MAIN_THREAD_PACKAGES } from './rooms'

const WORKER_WORDS = /\b(parentPort|workerData)\b/
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '/index.ts']

/** Ways by which a worker's file would load what may run on the main thread only, one readable line each. */
export function checkWorkers(files: SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return workers(files).flatMap((worker) => forbiddenWays([worker], byPath, new Set()))
}

export function workers(files: SourceFile[]): SourceFile[] {
  return files.filter(({ text }) => WORKER_WORDS.test(withoutText(text)))
}

function forbiddenWays(way: SourceFile[], files: Map<string, SourceFile>, seen: Set<string>): string[] {
  const last = way.at(-1)
  if (!last || seen.has(last.path)) return []
  seen.add(last.path)
  return readImports(last.text)
    .filter(({ typeOnly }) => !typeOnly)
    .flatMap(({ from }) => {
      if (MAIN_THREAD_PACKAGES.includes(from)) return [`${way.map(({ path }) => path).join(' → ')} loads "${from}"`]
      const target = normalize(join(dirname(last.path), from))
      const next = from.startsWith('.') ? ENDINGS.map((ending) => files.get(target + ending)).find(Boolean) : undefined
      return next ? forbiddenWays([...way, next], files, seen) : []
    })
}
