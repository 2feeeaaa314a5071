import { Terminal } from '@xterm/xterm'
import { afterEach, expect, test } from 'vitest'
import { useSettings } from '../stores/settings'
import { installBell } from './bell'

const before = useSettings.getState()
afterEach(() => useSettings.setState(before))

test.each([
  ['visual', ['ringing']],
  ['none', []]
] as const)('with the bell set to %s a program that rings is shown by %j', async (bell, shown) => {
  useSettings.setState({ values: { ...before.values, bell: bell } })
  const xterm = new Terminal({ allowProposedApi: true })
  const classes = new Set<string>()
  const element = { classList: { add: (name: string) => classes.add(name), remove: () => undefined } }
  installBell(xterm, element as unknown as HTMLElement)
  await new Promise<void>((resolve) => xterm.write('\x07', resolve))
  expect([...classes]).toEqual(shown)
  xterm.dispose()
})
