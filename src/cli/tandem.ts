import { quickBridgeOptions } from './bridge/bridgeOptions'

const [command, ...words] = process.argv.slice(2)
const bridge = command === 'mcp' ? quickBridgeOptions(words, process.env) : undefined

// An agent waits for its bridge: it is started without reading what the other commands are made of.
if (bridge) (await import('./bridge/runBridge')).runBridge(bridge)
else await (await import('./commands')).runCommands(process.argv.slice(2))
