import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Tab } from '../harness/tab'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import type { Created, Listed } from '../harness/workspace'

let world: World
let tandem: Tandem
const canaries = () => readdirSync(world.root).filter((name) => name.startsWith('canary'))

beforeAll(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
})
afterAll(async () => {
  await tandem.end('SIGTERM')
  await world.remove()
})

const create = (project: string, session: string, name?: string) =>
  tandem.api('POST', '/api/terminal/sessions', { project, session, name })

async function list(project: string, session: string): Promise<Listed[]> {
  const { body } = await tandem.api('GET', `/api/terminal/sessions?${new URLSearchParams({ project, session })}`)
  return body.sessions as unknown as Listed[]
}

const HOSTILE = (canary: string) => [
  `#(touch ${canary})`,
  `#{l:x}#(touch ${canary})`,
  `a#[fg=red]b##[c]#[#(touch ${canary})]###(touch ${canary})####`,
  `$(touch ${canary})`,
  `\`touch ${canary}\``,
  `'; touch ${canary}; '`,
  `"; run-shell "touch ${canary}"; "`,
  `; run-shell 'touch ${canary}'`,
  `\\; kill-server`,
  `100%done %H:%M:%S`,
  `~/x $HOME \${HOME}`,
  `{last} =other: %1 $1 @1`,
  `-t --help -- -X`,
  `é 漢字 🜁 \u202e rtl`
]

describe('names', () => {
  test('whatever text a display name holds runs nothing and comes back unchanged', async () => {
    const canary = join(world.root, 'canary-name')
    for (const name of HOSTILE(canary)) {
      const { status, body } = await create(world.project, 'names', name)
      expect(status).toBe(200)
      const { id } = body as unknown as Created
      const query = new URLSearchParams({ project: world.project, session: 'names' })
      expect((await list(world.project, 'names')).find((terminal) => terminal.id === id)?.name).toBe(name.trim())
      const renamed = await tandem.api('PATCH', `/api/terminal/sessions/${id}?${query}`, { name: `again ${name}` })
      expect(renamed.body.success).toBe(true)
      await tandem.api('DELETE', `/api/terminal/sessions/${id}?${query}`)
    }
    expect(canaries()).toEqual([])
  })

  test('control characters leave a display name', async () => {
    const { body } = await create(world.project, 'control', 'a\x1b]0;evil\x07b\nc\x00d\u009be')
    const { id } = body as unknown as Created
    expect((await list(world.project, 'control')).find((terminal) => terminal.id === id)?.name).toBe('a]0;evilbcde')
  })
})

describe('directories', () => {
  test('a project directory with any name runs nothing and is the place the shell starts in', async () => {
    const canary = join(world.root, 'canary-directory')
    for (const [index, part] of HOSTILE(canary).entries()) {
      const project = join(world.root, `dir ${index} ${part.replaceAll('/', '_')}`)
      mkdirSync(project)
      const { status, body } = await create(project, 'default')
      expect(status, `${part}: ${JSON.stringify(body)}`).toBe(200)
      const tab = await Tab.open(tandem, (body as unknown as Created).tmuxSession, { columns: 400 })
      tab.type(`pwd > "${join(world.root, 'pwd.out')}"; echo wrote-"it"\r`)
      await tab.sees('wrote-it')
      expect(readFileSync(join(world.root, 'pwd.out'), 'utf8')).toBe(`${project}\n`)
      tab.close()
    }
    expect(canaries()).toEqual([])
  })
})

describe('keys', () => {
  test('every byte that is typed arrives unchanged, in pieces of any size', async () => {
    const out = join(world.root, 'typed.bin')
    const script = join(world.root, 'record.mjs')
    writeFileSync(
      script,
      `import { appendFileSync } from 'node:fs'
process.stdin.setRawMode(true)
process.stdout.write('recording-now')
process.stdin.on('data', (bytes) => { appendFileSync(process.argv[2], bytes); if (bytes.includes('THE-END')) process.exit() })`
    )
    const { body } = await create(world.project, 'keys')
    const tab = await Tab.open(tandem, (body as unknown as Created).tmuxSession)
    tab.type(`exec ${process.execPath} ${script} ${out}\r`)
    await tab.sees('recording-now')
    const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    const pieces = [
      Buffer.from('a'),
      every.subarray(0, 64),
      every,
      Buffer.from(HOSTILE(join(world.root, 'canary-keys')).join('\n')),
      Buffer.alloc(5000, every),
      Buffer.from('THE-END')
    ]
    for (const piece of pieces) tab.type(piece)
    await tab.closed()
    expect(readFileSync(out).equals(Buffer.concat(pieces))).toBe(true)
    expect(canaries()).toEqual([])
  })
})

describe('paths', () => {
  const TRAVERSALS = [
    '..',
    '.',
    '../..',
    'a/../../b',
    'a/..',
    './a',
    'a//b',
    '/a',
    'a/',
    '',
    ' ',
    'a b',
    'a\\b',
    '..\\..',
    'a\0b',
    'a\nb',
    '%2e%2e',
    '..%2f',
    '....//',
    'a/./b',
    '~',
    '~root',
    '$HOME',
    '`id`',
    '$(id)',
    'a;b',
    'a|b',
    'a&b',
    'a*b',
    'a?b',
    '[a]',
    '{a}',
    '"',
    "'",
    '<a>',
    'é',
    '漢',
    '\u2024\u2024',
    '\uff0e\uff0e',
    'a\u0000',
    'x'.repeat(65),
    'a/b/c/d/e/f/g/h/i',
    '\u202e',
    'a\tb',
    'a\rb',
    '..;',
    'a/..;/b',
    '.../...\\',
    '\\..',
    'C:\\',
    '//server',
    'a/\u0000/../b',
    '=a',
    '+a',
    '@a',
    '#a',
    '%a',
    '!a',
    '^a',
    ',a'
  ]

  test.each(TRAVERSALS.map((session) => [session]))(
    'the session %j is refused by name and writes nothing',
    async (session) => {
      const before = readdirSync(world.root).sort()
      const { status, body } = await create(world.project, session)
      expect(status).toBe(400)
      expect((body.error as unknown as { code: string }).code).toMatch(/^(INVALID_ARGUMENTS|OUTSIDE_PROJECT)$/)
      expect(readdirSync(world.root).sort()).toEqual(before)
    }
  )

  test.each([['relative/path'], [''], ['/does/not/exist'], ['/etc/passwd'], ['/tmp/\0x'], ['~']])(
    'the project %j is refused with its value named',
    async (project) => {
      const { status, body } = await create(project, 'default')
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toMatch(/INVALID_ARGUMENTS/)
    }
  )

  test('a symlink at any level of the store is refused and what it points to stays as it is', async () => {
    const outside = join(world.root, 'outside')
    mkdirSync(join(outside, 'nested'), { recursive: true })
    writeFileSync(join(outside, 'terminal-sessions.json'), 'precious')
    writeFileSync(join(outside, 'nested', 'terminal-sessions.json'), 'precious')
    const plant: ((project: string) => void)[] = [
      (project) => symlinkSync(outside, join(project, '.collab')),
      (project) => {
        mkdirSync(join(project, '.collab'))
        symlinkSync(outside, join(project, '.collab', 'a'))
      },
      (project) => {
        mkdirSync(join(project, '.collab', 'a'), { recursive: true })
        symlinkSync(join(outside, 'nested'), join(project, '.collab', 'a', 'b'))
      },
      (project) => {
        mkdirSync(join(project, '.collab', 'a', 'b'), { recursive: true })
        symlinkSync(
          join(outside, 'terminal-sessions.json'),
          join(project, '.collab', 'a', 'b', 'terminal-sessions.json')
        )
      }
    ]
    for (const [level, make] of plant.entries()) {
      const project = join(world.root, `links-${level}`)
      mkdirSync(project)
      make(project)
      const { status } = await create(project, 'a/b')
      // A linked file is set aside like any damaged one; a linked directory leads out of the project.
      expect(status, `level ${level}`).toBe(level === 3 ? 200 : 400)
      expect(readFileSync(join(outside, 'terminal-sessions.json'), 'utf8')).toBe('precious')
      expect(readFileSync(join(outside, 'nested', 'terminal-sessions.json'), 'utf8')).toBe('precious')
      expect(readdirSync(outside).sort()).toEqual(['nested', 'terminal-sessions.json'])
      expect(readdirSync(join(outside, 'nested'))).toEqual(['terminal-sessions.json'])
      expect(existsSync(project) && lstatSync(project).isDirectory()).toBe(true)
    }
  })
})
