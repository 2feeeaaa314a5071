import { defineConfig } from '@playwright/test'
import base from '../../playwright.config'

// `npx playwright test --config tests/e2e/screenshots.config.ts` draws every state of the page into screenshots/.
export default defineConfig(base, { testDir: '.', testMatch: 'screenshots.shots.ts', outputDir: '../../test-results' })
