/** The rooms of the house: which other rooms each may import, whether it may use Node, and which packages. */
export const ROOMS: Record<string, { rooms: string[]; node: boolean; packages: string[] }> = {
  shared: { rooms: [], node: false, packages: ['zod'] },
  core: {
    rooms: ['shared'],
    node: true,
    packages: [
      'zod',
      'node-pty',
      '@xterm/headless',
      '@xterm/addon-unicode-graphemes',
      'conf',
      're2js',
      'jsonc-parser',
      '@decimalturn/toml-patch',
      'sucrase'
    ]
  },
  server: {
    rooms: ['shared', 'core'],
    node: true,
    packages: ['zod', 'ws', '@modelcontextprotocol/server', '@modelcontextprotocol/node']
  },
  cli: { rooms: ['shared', 'core', 'server'], node: true, packages: ['zod', 'commander'] },
  main: {
    rooms: ['shared', 'core', 'server'],
    node: true,
    packages: ['electron', 'electron-store', 'electron-updater']
  },
  preload: { rooms: ['shared'], node: false, packages: ['electron'] },
  renderer: {
    rooms: ['shared'],
    node: false,
    packages: [
      'react',
      'react-dom',
      'zustand',
      'cmdk',
      'react-resizable-panels',
      '@xterm/xterm',
      '@xterm/addon-*',
      '@azurity/pure-nerd-font',
      '@fontsource/*',
      '@fontsource-variable/*'
    ]
  }
}

/** Inside the core each area may import itself and those before it, never those after it. */
export const CORE_ORDER = ['backends', 'terminal', 'workspace', 'tools']

/** Files, settings and locks of the data dir: for the areas below and the host; the others borrow its words at most. */
export const DATA_AREA = 'data'
export const DATA_USERS = ['workspace', 'tools']

/** Each of these is loaded by one file of a room, so that replacing it touches one file. */
export const ONE_FILE_PACKAGES = [
  'node-pty',
  '@xterm/headless',
  '@xterm/addon-unicode-graphemes',
  'conf',
  're2js',
  'jsonc-parser',
  '@decimalturn/toml-patch',
  'electron-store',
  'electron-updater',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/node'
]

/** These can abort the whole process when a worker that loaded them ends. */
export const MAIN_THREAD_PACKAGES = ['node-pty']

/** What tests may load besides what their room may. */
export const TEST_PACKAGES = ['vitest', 'fast-check', '@modelcontextprotocol/client', '@modelcontextprotocol/sdk', 'ws']

/** Where the sentences a person reads are kept. */
export const STRINGS_FILES = ['src/cli/strings.ts', 'src/renderer/src/strings.ts']

/** The only files that may be called index: two entries, and the tool list, which is the registry. */
export const INDEX_FILES = ['src/main/index.ts', 'src/preload/index.ts', 'src/core/tools/index.ts']

export const MAX_FILE_LINES = 300
