import { homedir } from 'node:os'
import { TOOLSETS } from '../../core/tools/defineTool'
import { bridgeOptions } from '../bridge/bridgeOptions'
import { runBridge } from '../bridge/runBridge'
import { EXIT_CODES } from '../exitCodes'
import { strings } from '../strings'
import { bundledHost } from './bundledHost'

// The server of the MCPB bundle: `tandem mcp` as one file, for clients on a desktop that install bundles.

const options = bridgeOptions({}, process.env)
if ('problem' in options) {
  const { badToolsets, badReadOnly } = strings.bridge
  const explain = options.problem === 'toolsets' ? badToolsets(options.value, TOOLSETS) : badReadOnly(options.value)
  process.stderr.write(`${explain}\n`)
  process.exitCode = EXIT_CODES.usage
} else {
  // Such a client runs wherever it happens to be; terminals that are told no folder open at home.
  process.chdir(homedir())
  runBridge(options, bundledHost)
}
