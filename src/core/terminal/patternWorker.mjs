import { parentPort } from 'node:worker_threads'
import { RE2JS } from 're2js'

// Matches patterns from clients on a thread of its own. Plain JavaScript, so that it runs from the sources and from the
// build alike. Time is linear in the text, but a large pattern on a large text can still take a second.

const MAX_KEPT = 32

/** @type {Map<string, RE2JS>} */
const compiled = new Map()

/** @param {string} pattern @param {boolean} ignoreCase */
function compile(pattern, ignoreCase) {
  const key = `${ignoreCase ? 'i' : 's'}${pattern}`
  const known = compiled.get(key)
  if (known) return known
  const made = RE2JS.compile(pattern, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  if (compiled.size >= MAX_KEPT) compiled.delete(compiled.keys().next().value ?? '')
  compiled.set(key, made)
  return made
}

/** The first match in each text, as start and end, or null. */
parentPort?.on('message', ({ id, pattern, ignoreCase, texts }) => {
  try {
    const expression = compile(pattern, ignoreCase)
    const found = texts.map((/** @type {string} */ text) => {
      const matcher = expression.matcher(text)
      return matcher.find() ? [matcher.start(), matcher.end()] : null
    })
    parentPort?.postMessage({ id, found })
  } catch (failure) {
    parentPort?.postMessage({ id, problem: failure instanceof Error ? failure.message : String(failure) })
  }
})
