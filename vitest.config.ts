import { defineConfig } from 'vitest/config'

/** Tests that load or starve the machine, so that nothing may run beside them. */
const ALONE = ['Floods', 'Load', 'Doors', 'OtherUsers'].map((name) => `tests/integration/threat${name}.test.ts`)

/** Tests with real programs, sockets and terminals. */
function realParts(name: string, include: string[], exclude: string[]) {
  return {
    test: {
      name,
      include,
      exclude,
      setupFiles: ['tests/harness/seed.ts', 'tests/harness/worldsEnd.ts'],
      environment: 'node' as const,
      testTimeout: 120_000,
      hookTimeout: 60_000
    }
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'tests/rooms/**/*.test.ts'],
          setupFiles: ['tests/harness/seed.ts'],
          environment: 'node',
          // A limit for code that hangs, not a measure of speed: machines are slow at times.
          testTimeout: 60_000,
          hookTimeout: 60_000
        }
      },
      realParts('integration', ['tests/integration/**/*.test.ts'], ALONE),
      // Faults, floods and everything that needs the machine to itself: one file after the other.
      realParts('faults', ['tests/faults/**/*.test.ts', ...ALONE], [])
    ]
  }
})
