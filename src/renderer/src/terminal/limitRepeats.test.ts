import { Terminal } from '@xterm/xterm'
import { expect, test } from 'vitest'
import { limitRepeats } from '../../../shared/limitRepeats'

test('a printed count of two thousand million does not keep the page busy', async () => {
  const xterm = new Terminal({ allowProposedApi: true })
  limitRepeats(xterm)
  const hostile = ['L', 'M', 'S', 'T', 'I', 'Z', 'b'].map((final) => `x\x1b[2147483647${final}`).join('')
  await new Promise<void>((resolve) => xterm.write(`${hostile}\x1b[Hdone`, resolve))
  expect(xterm.buffer.active.getLine(xterm.buffer.active.baseY)?.translateToString(true)).toMatch(/^done/)
  xterm.dispose()
})
