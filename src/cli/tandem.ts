import { quickBridgeOptions } from './bridge/bridgeOptions'
import { quickHookOptions } from './hook/hookOptions'

const [command, ...words] = process.argv.slice(2)
const bridge = command === 'mcp' ? quickBridgeOptions(words, process.env) : undefined
const hook = command === 'hook' ? quickHookOptions(words) : undefined

// An agent waits for its bridge and its hooks: they are started without reading what the other commands are made of.
if (hook) await (await import('./hook/runHook')).runHook(hook)
else if (bridge) (await import('./bridge/runBridge')).runBridge(bridge)
else await (await import('./commands')).runCommands(process.argv.slice(2))
