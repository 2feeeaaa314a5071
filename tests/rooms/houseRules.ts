import { isTest, type SourceFile } from './importRules'
import { withoutText } from './imports'
import { INDEX_FILES, MAX_FILE_LINES, STRINGS_FILES } from './rooms'

const VAGUE_NAMES = ['utils', 'util', 'helpers', 'helper', 'common', 'misc']
const CAMEL_CASE = /^[a-z][A-Za-z0-9]*$/
const PASCAL_CASE = /^[A-Z][A-Za-z0-9]*$/

/** What is wrong with one file's name, length or manner, one readable line each. */
export function checkFile(file: SourceFile): string[] {
  const problems = [...nameProblems(file.path), ...textProblems(file)]
  return problems.map((problem) => `${file.path}: ${problem}`)
}

/** Rooms that speak to people and have no file for what they say. */
export function checkStringsFiles(paths: string[]): string[] {
  return STRINGS_FILES.filter((path) => !paths.includes(path)).map(
    (path) => `${path} is missing: texts for people go there`
  )
}

function nameProblems(path: string): string[] {
  const folders = path.split('/').slice(0, -1)
  const file = path.split('/').at(-1) ?? ''
  const name = file.replace(/(\.test|\.testing|\.d)?\.[a-z]+$/, '')
  const wellNamed = CAMEL_CASE.test(name) || (file.endsWith('.tsx') && PASCAL_CASE.test(name))
  return [
    ...folders
      .filter((folder) => !/^[a-z]+$/.test(folder))
      .map((folder) => `folder "${folder}" is not one lower-case word`),
    ...(wellNamed ? [] : ['files are camelCase.ts, components PascalCase.tsx']),
    ...(VAGUE_NAMES.includes(name.toLowerCase()) ? ['name it after what it does'] : []),
    ...(/^index\.tsx?$/.test(file) && !INDEX_FILES.includes(path) ? ['no barrels: import the file itself'] : [])
  ]
}

function textProblems({ path, text }: SourceFile): string[] {
  const lines = text.trimEnd().split('\n').length
  const code = /\.tsx?$/.test(path) ? withoutText(text) : ''
  return [
    ...(lines > MAX_FILE_LINES ? [`${lines} lines; split it before ${MAX_FILE_LINES}`] : []),
    ...(/^\s*export\s+default\b/m.test(code) ? ['exports are named, never default'] : []),
    ...(/(?:[:<,|&(]|\bas|=>)\s*any\b(?!\s*[:=(])/.test(code) ? ['no any: say what it is, or unknown'] : []),
    ...(!isTest(path) && /@ts-(?:ignore|expect-error|nocheck)/.test(text)
      ? ['mend the type instead of silencing it']
      : [])
  ]
}
