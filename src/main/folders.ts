import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { dialog } from 'electron'

/** The folder that a start named, if it is one: everything else that may stand there means nothing. */
export function folderIn(words: readonly string[], isPackaged: boolean): string | undefined {
  // First comes the program, and before packaging the app itself.
  const named = words.slice(isPackaged ? 1 : 2).filter((word) => !word.startsWith('-'))
  const last = named.at(-1)
  return last !== undefined && isFolder(last) ? last : undefined
}

/** The system's dialog for choosing a folder. */
export async function chooseFolder(): Promise<string | null> {
  const { filePaths } = await dialog.showOpenDialog({ properties: ['openDirectory', 'createDirectory'] })
  return filePaths[0] ?? null
}

function isFolder(word: string): boolean {
  if (!isAbsolute(word) || word.includes('\0')) return false
  return statSync(word, { throwIfNoEntry: false })?.isDirectory() === true
}
