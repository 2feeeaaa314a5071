import { join } from 'node:path'
import { build } from 'vite'

// The Node that runs a bundle is the client's own.
const OLDEST_NODE = 'node20.19'

/**
 * Builds the bridge into one file that needs nothing beside it, as CommonJS: it has no package.json to say otherwise.
 * The tools are packed as they are shown; the code that runs them is the host's.
 */
export async function buildServer({ root, target, packedTools }) {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    resolve: { alias: [{ find: './ownTools', replacement: join(root, 'src/cli/bundle/packedTools.ts') }] },
    define: { PACKED_TOOLS: JSON.stringify(packedTools) },
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'src/cli/bundle/bridge.ts'),
      outDir: target,
      emptyOutDir: false,
      target: OLDEST_NODE,
      rolldownOptions: {
        output: {
          format: 'cjs',
          entryFileNames: 'bridge.js',
          codeSplitting: false,
          minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } }
        }
      }
    }
  })
}
