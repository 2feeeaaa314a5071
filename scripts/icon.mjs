// `node scripts/icon.mjs` draws resources/icon.png from resources/icon.svg, in the browser the tests use.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'

const SIZE = 1024
const SYSTEM_CHROMIUM = '/usr/bin/chromium'

const resources = join(dirname(dirname(fileURLToPath(import.meta.url))), 'resources')
const browser = await chromium.launch(
  existsSync(SYSTEM_CHROMIUM) ? { executablePath: SYSTEM_CHROMIUM } : { channel: 'chrome' }
)
try {
  const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } })
  await page.setContent(`<style>body{margin:0}</style>${readFileSync(join(resources, 'icon.svg'), 'utf8')}`)
  await page.screenshot({ path: join(resources, 'icon.png'), omitBackground: true })
} finally {
  await browser.close()
}
