import { existsSync } from 'node:fs'
import { join } from 'node:path'

const PROGRAM = { darwin: 'Electron.app/Contents/MacOS/Electron', linux: 'electron' }

/** Path of Electron's binary when there is one. Never asks the package itself: that starts a download. */
export function electronBinary(root) {
  const folders = [process.env.ELECTRON_OVERRIDE_DIST_PATH, join(root, 'node_modules/electron/dist')]
  const paths = folders.filter(Boolean).map((folder) => join(folder, PROGRAM[process.platform] ?? 'electron'))
  return paths.find((path) => existsSync(path))
}

export function hasDisplay() {
  return process.platform === 'darwin' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}
