import { parseArgs } from 'node:util'
import { TOOLSETS } from '../../core/tools/defineTool'

export interface BridgeOptions {
  dataDir?: string | undefined
  /** Comma-separated; absent: all. */
  toolsets?: string | undefined
  readOnly: boolean
}

/** The flags of `tandem mcp`, read without the command line's own library; undefined when it had better explain them. */
export function quickBridgeOptions(
  words: readonly string[],
  environment: NodeJS.ProcessEnv
): BridgeOptions | undefined {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { toolsets: { type: 'string' }, 'read-only': { type: 'boolean' }, 'data-dir': { type: 'string' } }
    })
    const { toolsets, 'data-dir': dataDir } = values
    const options = bridgeOptions({ toolsets, dataDir, readOnly: values['read-only'] }, environment)
    return 'problem' in options ? undefined : options
  } catch {
    return undefined // an unknown word or flag
  }
}

interface GivenOptions {
  dataDir?: string | undefined
  toolsets?: string | undefined
  readOnly?: boolean | undefined
}

/** Flags first, then the environment; `problem` names the value that cannot be. */
export function bridgeOptions(
  given: GivenOptions,
  environment: NodeJS.ProcessEnv
): BridgeOptions | { problem: 'toolsets' | 'readOnly'; value: string } {
  const toolsets = given.toolsets ?? (environment.TANDEM_TOOLSETS || undefined)
  const names = toolsets?.split(',').map((name) => name.trim())
  const isKnown = (name: string) => TOOLSETS.some((toolset) => toolset === name)
  if (toolsets !== undefined && !names?.every(isKnown)) return { problem: 'toolsets', value: toolsets }
  const asked = given.readOnly === true ? 'true' : (environment.TANDEM_READ_ONLY ?? '').trim().toLowerCase()
  if (!['true', '1', 'false', '0', ''].includes(asked)) return { problem: 'readOnly', value: asked }
  return { dataDir: given.dataDir, toolsets: names?.join(','), readOnly: ['true', '1'].includes(asked) }
}
