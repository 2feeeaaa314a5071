/** One `import`, `export … from`, dynamic import or `require` as it stands in a file. */
export interface Import {
  from: string
  /** Erased by the compiler: a word is borrowed, nothing is loaded. */
  typeOnly: boolean
}

const STATEMENT = /^[ \t]*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?['"]([^'"]+)['"]/gm
// Strings are matched too, and first where they start first: a call inside one is text.
const CALL = /\b(?:import|require)\(\s*['"]([^'"]+)['"]|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g
const SHELL = /^[ \t]*import\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/gm

/** Every import of a TypeScript file, comments left out. */
export function readImports(source: string): Import[] {
  const code = withoutComments(source).replace(/`(?:\\.|[^`\\])*`/g, '``')
  const inlineTypes = new Set(
    [...code.matchAll(SHELL)]
      .filter(([, names]) => (names ?? '').split(',').every((name) => /^\s*(type\s|$)/.test(name)))
      .map(([, , from]) => from ?? '')
  )
  const statements = [...code.matchAll(STATEMENT)].map(([, type, from = '']) => ({
    from,
    typeOnly: type !== undefined || inlineTypes.has(from)
  }))
  const calls = [...code.matchAll(CALL)].flatMap(([, from]) => (from === undefined ? [] : [{ from, typeOnly: false }]))
  return [...statements, ...calls]
}

/** The code alone: comments blanked, strings kept (a URL in a string is not a comment). */
export function withoutComments(source: string): string {
  return source.replace(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (_, text: string | undefined) => text ?? ''
  )
}

/** The code without strings either: what is left are keywords and names. */
export function withoutText(source: string): string {
  return withoutComments(source).replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g, "''")
}
