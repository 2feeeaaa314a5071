import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'

const COLOUR_LOG = `
const line = (n) => '\\x1b[3' + (n % 8) + 'm' + String(n).padStart(7) + '\\x1b[0m \\x1b[1;4mGET\\x1b[0m /a/path/that/is/long?page=' + n + ' \\x1b[38;5;' + (n % 256) + 'm200 OK\\x1b[0m\\n'
let text = ''
for (let n = 0; text.length < 10_000_000; n++) text += line(n)
process.stdout.write(text + 'the log is over\\n')
`

test('while 10 MB of coloured log pour in the page takes clicks and keys, and then shows the end', async ({
  app,
  world
}) => {
  test.slow()
  writeFileSync(join(world.home, 'log.mjs'), COLOUR_LOG)
  await app.newTerminal()
  await app.newTerminal()
  await app.run(`${process.execPath} log.mjs`)
  await app.tab('Terminal 1').click()
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 1')
  await app.run('echo meanwhile')
  await app.sees(/^meanwhile$/m)
  await app.tab('Terminal 2').click()
  await expect.poll(() => app.lines(), { timeout: 90_000 }).toContain('the log is over')
  await app.run('echo and back')
  await app.sees(/^and back$/m)
})
