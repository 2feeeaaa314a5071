import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import type { FixtureOptions } from './tests/e2e/fixtures'

// Debian's own browser where there is one: nothing is downloaded for the tests.
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))

// The shell's own specs ask the stand-in what it did.
const SHELL_ONLY = /\/(desktop|shell)[A-Za-z]*\.spec\.ts$/
// Specs in which the host is killed or replaced, which in the desktop app is the app itself, and of the browser alone.
const BROWSER_ONLY = /\/(reconnect|reboot|pageFaults|crashScreen|idle)\.spec\.ts$/

export default defineConfig<FixtureOptions>({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  // The same specs on three carriers; `npm run test:e2e -- --project=stand-in` runs one of them.
  projects: [
    { name: 'browser', testIgnore: SHELL_ONLY, use: { carrier: 'browser' } },
    { name: 'stand-in', testIgnore: BROWSER_ONLY, use: { carrier: 'stand-in' } },
    { name: 'electron', testIgnore: [BROWSER_ONLY, SHELL_ONLY], use: { carrier: 'electron' } }
  ],
  use: {
    viewport: { width: 1280, height: 800 },
    // A trace takes as long again as the test itself: it is kept of files that are run once more after a failure.
    trace: process.env.TANDEM_TRACES === 'on' ? 'retain-on-failure' : 'off',
    // A browser whose graphics process is killed a few times gives up by itself.
    launchOptions: { args: ['--disable-gpu-process-crash-limit'], ...(CHROMIUM ? { executablePath: CHROMIUM } : {}) },
    ...(CHROMIUM ? {} : { channel: 'chrome' })
  }
})
