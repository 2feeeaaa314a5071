import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'

const PLANES = ['terminal-bg', 'sidebar-bg', 'chrome-bg', 'raised-bg']
const TEXTS = ['text-1', 'text-2', 'text-3', 'accent', 'working', 'needs-you', 'failed']
const ANSI = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

/** Pairs of colours and the ratio they must reach: text 4.5, borders of controls 3 (WCAG 2 AA). */
const PAIRS: [string, string, number][] = [
  ...TEXTS.flatMap((text) => PLANES.map((plane): [string, string, number] => [text, plane, 4.5])),
  ...PLANES.map((plane): [string, string, number] => ['control-border', plane, 3]),
  ...ANSI.flatMap((name): [string, string, number][] => [
    [`ansi-${name}`, 'terminal-bg', 4.5],
    [`ansi-bright-${name}`, 'terminal-bg', 4.5]
  ]),
  ['text-1', 'hover-bg', 4.5],
  ['text-2', 'hover-bg', 4.5],
  ['text-1', 'selected-bg', 4.5],
  ['text-2', 'selected-bg', 4.5],
  ['on-accent', 'accent', 4.5],
  ['terminal-text', 'terminal-bg', 4.5],
  ['terminal-text', 'terminal-selection', 4.5]
]

// In the themes of high contrast: text 7, borders of controls 4.5 (WCAG 2 AAA).
const LEAST = { light: 1, dark: 1, 'light-contrast': 7 / 4.5, 'dark-contrast': 7 / 4.5 }

for (const [theme, factor] of Object.entries(LEAST)) {
  test(`every text of the theme ${theme} can be read`, async ({ app, world }) => {
    writeFileSync(join(world.dataDir, 'config.json'), JSON.stringify({ theme }))
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', theme)
    const names = [...new Set(PAIRS.flatMap(([one, other]) => `${one} ${other}`.split(' ')))]
    const read = `(() => { const style = getComputedStyle(document.documentElement)
      return ${JSON.stringify(names)}.map((name) => [name, style.getPropertyValue('--' + name).trim()]) })()`
    const colours = new Map((await app.page.evaluate(read)) as [string, string][])
    const weak = PAIRS.map(([one, other, least]): [string, string, number, number] => {
      return [one, other, least * factor, contrast(colours.get(one) ?? '', colours.get(other) ?? '')]
    }).filter(([, , least, reached]) => !(reached >= least))
    expect(weak).toEqual([])
  })
}

test('a system that wants more contrast gets it', async ({ app }) => {
  await app.page.emulateMedia({ colorScheme: 'dark', contrast: 'more' })
  await expect(app.page.locator('html')).toHaveAttribute('data-theme', 'dark-contrast')
})

function contrast(one: string, other: string): number {
  const [brighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((left, right) => right - left)
  return (brighter + 0.05) / (darker + 0.05)
}

function luminance(written: string): number {
  const colour = written.length === 4 ? written.replaceAll(/[^#]/g, '$&$&') : written
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
