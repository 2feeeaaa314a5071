import { defineConfig } from 'vitest/config'

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
      {
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts', 'tests/faults/**/*.test.ts'],
          setupFiles: ['tests/harness/seed.ts'],
          environment: 'node',
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false
        }
      }
    ]
  }
})
