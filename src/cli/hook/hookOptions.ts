import { parseArgs } from 'node:util'

export interface HookOptions {
  client: string
  /** The event itself, from clients that give it as a word; absent: it is read from stdin. */
  payload?: string | undefined
  dataDir?: string | undefined
}

/** The words of `tandem hook`, read without the command line's own library; undefined when that is to explain them. */
export function quickHookOptions(words: readonly string[]): HookOptions | undefined {
  if (words.length === 0 || words.includes('--help') || words.includes('-h')) return undefined
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { 'data-dir': { type: 'string' } },
    allowPositionals: true,
    strict: false
  })
  const [client = '', payload] = positionals
  const dataDir = values['data-dir']
  return { client, payload, dataDir: typeof dataDir === 'string' ? dataDir : undefined }
}
