import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { WINDOW_SETTINGS } from '../../src/shared/windowSettings'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PLACES = ['src', 'tests/e2e', 'tests/integration']

/** Only a packed app looks for newer versions of itself, and there is none to be packed in a test. */
const UNTRIED = ['updates']

function testTexts(): string[] {
  return PLACES.flatMap((place) =>
    readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(test|spec)\.ts$/.test(path) && !path.includes('node_modules'))
      .map((path) => readFileSync(join(ROOT, place, path), 'utf8'))
  )
}

test('every setting of the window is set by a test, so that none is only shown', () => {
  const texts = testTexts().join('\n')
  const isSet = (name: string) => new RegExp(`["'{\\s]${name}["']?(:|', )`).test(texts)
  expect(Object.keys(WINDOW_SETTINGS).filter((name) => !isSet(name))).toEqual(UNTRIED)
})
