import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { type Import, readImports } from './imports'
import { CORE_ORDER, DATA_AREA, DATA_USERS, ONE_FILE_PACKAGES, ROOMS, TEST_PACKAGES } from './rooms'

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  path: string
  text: string
}

/** Forbidden imports of one file, one readable line each. */
export function checkImports({ path, text }: SourceFile): string[] {
  return readImports(text).flatMap((found) => {
    const problem = found.from.startsWith('.') ? relativeProblem(path, found) : packageProblem(path, found)
    return problem ? [`${path} imports "${found.from}": ${problem}`] : []
  })
}

/** Packages that should be loaded in one place of a room and are loaded in several. */
export function checkOneFilePackages(files: SourceFile[]): string[] {
  return Object.keys(ROOMS).flatMap((room) => {
    const inRoom = files.filter(({ path }) => roomOf(path) === room && !isTest(path))
    return ONE_FILE_PACKAGES.flatMap((name) => {
      const loaders = inRoom.filter(({ text }) => loads(text, name)).map(({ path }) => path)
      return loaders.length > 1 ? [`"${name}" belongs in one file but is loaded by ${loaders.join(', ')}`] : []
    })
  })
}

/** Tests, and what only tests use (`streams.testing.ts`). */
export function isTest(path: string): boolean {
  return /\.(test|testing)\.tsx?$/.test(path)
}

function loads(text: string, name: string): boolean {
  return readImports(text).some(({ from, typeOnly }) => !typeOnly && packageName(from) === name)
}

function relativeProblem(path: string, { from, typeOnly }: Import): string | undefined {
  const target = normalize(join(dirname(path), from))
  if (!isTest(path) && target.endsWith('.testing')) return 'it is for tests'
  if (!target.startsWith('src/')) return isTest(path) || target === 'package.json' ? undefined : 'it lies outside src'
  const [ownRoom, targetRoom] = [roomOf(path), roomOf(target)]
  if (ownRoom !== targetRoom) {
    const allowed = ROOMS[ownRoom]?.rooms ?? []
    return allowed.includes(targetRoom) ? undefined : `${ownRoom} may import ${list(allowed)}, not ${targetRoom}`
  }
  return ownRoom === 'core' && !isTest(path) ? coreProblem(areaOf(path), areaOf(target), typeOnly) : undefined
}

function coreProblem(own: string, target: string, typeOnly: boolean): string | undefined {
  if (own === target || own === 'host' || isLeaf(target)) return undefined
  if (target === 'host') return 'only the rooms around the core may import its host'
  if (own === DATA_AREA || isLeaf(own)) return `core/${own} stands below core/${target}`
  if (target === DATA_AREA) {
    return DATA_USERS.includes(own) || typeOnly ? undefined : `core/${own} is handed what it needs of core/data`
  }
  const [ownPlace, targetPlace] = [CORE_ORDER.indexOf(own), CORE_ORDER.indexOf(target)]
  if (ownPlace < 0 || targetPlace < 0)
    return `core/${ownPlace < 0 ? own : target} has no place in the order of the core`
  return targetPlace < ownPlace ? undefined : `core goes ${CORE_ORDER.join(' ← ')}, never backwards`
}

function packageProblem(path: string, { from }: Import): string | undefined {
  const room = roomOf(path)
  const rule = ROOMS[room]
  if (!rule) return `there is no room "${room}"`
  if (isTest(path) && (from.startsWith('node:') || TEST_PACKAGES.includes(packageName(from)))) return undefined
  if (from.startsWith('node:')) return rule.node ? undefined : `${room} is pure and uses nothing of Node`
  if (builtinModules.includes(from)) return 'builtins are imported as "node:…"'
  if (rule.packages.some((pattern) => matches(pattern, packageName(from)))) return undefined
  return `${room} may use ${list(rule.packages)}`
}

/** `backends` for src/core/backends/…, `host` for src/core/host.ts. */
function areaOf(path: string): string {
  return path.split('/')[2]?.replace(/\.ts$/, '') ?? ''
}

/** Files that lie directly in core, except the host: words and small pieces every area may use. */
function isLeaf(area: string): boolean {
  return area !== 'host' && area !== DATA_AREA && !CORE_ORDER.includes(area)
}

function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}

function packageName(from: string): string {
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
}

function list(names: string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ')
}
