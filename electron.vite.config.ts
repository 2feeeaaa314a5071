import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

// The same bundle runs in `tandem serve` under plain Node, so it must not use anything newer than our oldest Node.
const OLDEST_NODE = 'node20.19'

// A native module cannot be bundled; everything else is, which halves the start of `tandem serve`.
const NATIVE_MODULES = ['node-pty']

export default defineConfig({
  main: {
    build: {
      target: OLDEST_NODE,
      externalizeDeps: false,
      rolldownOptions: {
        input: {
          index: 'src/main/index.ts',
          tandem: 'src/cli/tandem.ts',
          // A thread is a program of its own.
          patternWorker: 'src/core/terminal/patternWorker.mjs'
        },
        external: NATIVE_MODULES,
        // Chunks lie beside the entries: a path relative to import.meta.url means the same in all of them.
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          // Half the text is read in half the time; names stay, so that a stack still says where.
          minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } }
        }
      }
    }
  },
  preload: {
    build: {
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: 'src/preload/index.ts' },
        // A sandboxed window loads exactly one CommonJS file.
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false }
      }
    }
  },
  renderer: {
    root: 'src/renderer',
    plugins: [react()],
    build: {
      rolldownOptions: { input: { index: 'src/renderer/index.html' } },
      // Also served to browsers that are a little older than our Electron.
      target: 'chrome120',
      minify: true,
      chunkSizeWarningLimit: 2000,
      // The page's policy allows no data: scripts or styles; fonts and images stay files too.
      assetsInlineLimit: 0
    }
  }
})
