/** What the text says, or undefined when it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}
