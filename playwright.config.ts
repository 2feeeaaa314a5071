import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

// Debian's own browser where there is one: nothing is downloaded for the tests.
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    trace: 'retain-on-failure',
    ...(CHROMIUM ? { launchOptions: { executablePath: CHROMIUM } } : { channel: 'chrome' })
  }
})
