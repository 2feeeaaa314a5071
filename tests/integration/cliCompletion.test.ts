import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ScreenShell } from '../harness/screenShell'
import { ENTRY, makeWorld, runTandem, Tandem, type World } from '../harness/tandem'
import { WorkspaceClient } from '../harness/workspace'

let world: World
let tandem: Tandem
let shell: ScreenShell | undefined
let handle: string
const work = new WorkspaceClient(() => tandem)

beforeAll(async () => {
  world = makeWorld()
  const programs = join(world.root, 'bin')
  mkdirSync(programs)
  writeFileSync(join(programs, 'tandem'), `#!/bin/sh\nexec '${process.execPath}' '${ENTRY}' "$@"\n`)
  chmodSync(join(programs, 'tandem'), 0o755)
  world.environment.PATH = `${programs}:${world.environment.PATH}`
  world.environment.TANDEM_DATA_DIR = world.dataDir
  tandem = await Tandem.start(world)
  const { id } = await work.create('my deploy')
  handle = `sess_${id.slice(0, 8)}`
})
afterAll(async () => {
  await tandem.end('SIGKILL')
  await world.remove()
})
beforeEach(() => {
  shell = undefined
})
afterEach(() => shell?.end())

const SHELLS = {
  bash: { command: 'bash --norc', setup: 'source <(tandem completion bash)' },
  zsh: { command: 'zsh -f', setup: 'autoload -U compinit; compinit -D -u; source <(tandem completion zsh)' }
}

for (const [name, { command, setup }] of Object.entries(SHELLS)) {
  test(`${name} completes commands, flags and terminals of the running host`, async () => {
    const person = new ScreenShell(world, command)
    shell = person
    person.type(`PS1='> '; ${setup}; echo rea''dy\n`)
    await person.sees(/^ready$/m)
    const completes = async (typed: string, expected: string | RegExp) => {
      person.type(typed)
      person.press('Tab')
      await person.sees(expected)
      person.press('C-u')
    }
    await completes('tandem doc', /> tandem doctor /)
    await completes('tandem serve --take', /> tandem serve --take-over /)
    await completes('tandem token rev', /> tandem token revoke /)
    await completes('tandem completion fi', /> tandem completion fish /)
    await completes('tandem attach sess', new RegExp(`> tandem attach ${handle}`))
    await completes('tandem kill my', /> tandem kill my\\ deploy/)
    await completes(`tandem attach --data-dir ${world.dataDir} se`, new RegExp(`--data-dir \\S+ ${handle}`))
  })
}

test('fish completes commands, flags and terminals of the running host', async () => {
  const completes = (typed: string) =>
    execFileSync('fish', ['--no-config', '-c', `tandem completion fish | source; complete -C '${typed}'`], {
      env: world.environment,
      cwd: world.home,
      encoding: 'utf8'
    })
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0])
  expect(completes('tandem doc')).toEqual(['doctor'])
  expect(completes('tandem serve --take')).toEqual(['--take-over'])
  expect(completes('tandem token rev')).toEqual(['revoke'])
  expect(completes('tandem completion fi')).toEqual(['fish'])
  expect(completes('tandem attach sess')).toEqual([handle])
  expect(completes('tandem kill my')).toEqual(['my deploy'])
  expect(completes(`tandem attach --data-dir ${world.dataDir} se`)).toEqual([handle])
})

test('the scripts name every command and flag that --help shows, and nothing hidden', async () => {
  const help = (await runTandem(world, ['serve', '--help'])).stdout
  const flags = [...help.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag)
  expect(flags.length).toBeGreaterThan(20)
  for (const name of ['bash', 'zsh', 'fish']) {
    const { stdout, code } = await runTandem(world, ['completion', name])
    expect(code).toBe(0)
    for (const flag of flags) expect(stdout).toContain(name === 'fish' ? `-l ${flag.slice(2)}` : flag)
    expect(stdout).not.toMatch(/-(l |-)completion'/)
  }
  expect((await runTandem(world, ['completion', 'tcsh'])).code).toBe(2)
})
