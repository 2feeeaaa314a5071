import { isAbsolute, relative } from 'node:path'

/** What the script that starts an AppImage puts before all other words, where Node refuses it, unless it is among them. */
const NO_SANDBOX = '--no-sandbox'

/**
 * How a script inside the AppImage that runs now is run again later, as Node. The files of an AppImage lie under a name
 * that is new each time, so the script is looked for where the image says that it is this time. Undefined when the script
 * is not in one: a program that an AppImage started has the image's variables too.
 */
export function appImageWords(environment: NodeJS.ProcessEnv, script: string, words: readonly string[]) {
  const { APPIMAGE, APPDIR = '' } = environment
  if (!APPIMAGE || !isInAppImage(environment, script)) return undefined
  return [APPIMAGE, '-e', starterOf(relative(APPDIR, script)), ...words, NO_SANDBOX]
}

/** Whether a file lies in the AppImage that runs now. */
export function isInAppImage({ APPIMAGE, APPDIR }: NodeJS.ProcessEnv, path: string): boolean {
  return Boolean(APPIMAGE && APPDIR) && isAbsolute(path) && !relative(APPDIR ?? '', path).startsWith('..')
}

/** The words as the script expects them, then the script. */
function starterOf(inside: string): string {
  return [
    `const script = require("path").join(process.env.APPDIR, ${JSON.stringify(inside)})`,
    `process.argv = [process.argv[0], script, ...process.argv.slice(1).filter((word) => word !== "${NO_SANDBOX}")]`,
    'import(require("url").pathToFileURL(script).href)'
  ].join('; ')
}
