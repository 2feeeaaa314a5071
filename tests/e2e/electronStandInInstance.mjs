import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

// The single instance as the system keeps it, between real processes: a file says who is first, and a socket carries to
// that one what the others were started with.

let telling = Promise.resolve()

/** True for the first process of a profile; that one hears of every later start. */
export function requestInstanceLock(profile, data, onLaterStart) {
  const file = join(profile, 'stand-in-lock')
  const socket = `\0tandem-stand-in-${profile}`
  mkdirSync(profile, { recursive: true })
  if (!takeFile(file)) {
    telling = toFirst(socket, [process.argv, process.cwd(), data ?? null])
    return false
  }
  process.on('exit', () => rmSync(file, { force: true }))
  const server = createServer((connection) => {
    let text = ''
    connection.on('data', (chunk) => (text += chunk)).on('end', () => onLaterStart(...JSON.parse(text)))
  })
  server.listen(socket)
  server.unref()
  return true
}

/** Once the first process knows of this start. */
export const whenTold = () => telling

function takeFile(file) {
  try {
    writeFileSync(openSync(file, 'wx'), String(process.pid))
    return true
  } catch (failure) {
    if (failure.code !== 'EEXIST') throw failure
    if (isAlive(Number(readFileSync(file, 'utf8')))) return false
    rmSync(file, { force: true })
    return takeFile(file)
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function toFirst(socket, words) {
  return new Promise((resolve) => {
    const connection = connect(socket, () => connection.end(JSON.stringify(words)))
    connection.once('close', resolve)
    connection.once('error', resolve)
  })
}
