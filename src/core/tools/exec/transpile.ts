import { AppError } from '../../../shared/errors'

// Old code calls require, and a module has none; the line count of the script stays the same.
const PREFIX = "import { createRequire } from 'node:module'; globalThis.require ??= createRequire(import.meta.url); "

/** TypeScript as a module that any Node from 20 on runs: types are taken away, lines stay where they were. */
export async function transpile(code: string): Promise<string> {
  // Loaded when it is first needed: most hosts never run any.
  const { transform } = await import('sucrase')
  try {
    const { code: plain } = transform(code, {
      transforms: ['typescript'],
      disableESTransforms: true,
      keepUnusedImports: false
    })
    return PREFIX + plain
  } catch (failure) {
    const message = failure instanceof Error ? failure.message : String(failure)
    throw new AppError('INVALID_ARGUMENTS', `code is not TypeScript: ${message}`, 'Mend the code.', { cause: failure })
  }
}
