// Runs as another user: knocks on every door with rights it does not have and tries to open every path it is told of.

import { constants, openSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'

const asked = JSON.parse(process.argv[2])
const origin = `http://127.0.0.1:${asked.port}`
const bearer = (token) => ({ authorization: `Bearer ${token}` })
const cookie = { cookie: `tandem_${asked.port}=guess` }
const RIGHTS = [
  {},
  bearer(''),
  bearer('guess'),
  cookie,
  { ...cookie, origin },
  { ...bearer('guess'), ...cookie, origin }
]
const tries = asked.doors.flatMap((door) => [
  ...RIGHTS.map((right) => knock(door, right)),
  ...['token', 'code'].map((name) => knock({ ...door, path: withQuery(door.path, `${name}=guess`) }, { origin }))
])
const answers = await Promise.all(tries)
const opened = []
for (const path of asked.paths) if (await opens(path)) opened.push(path)
await connects({ path: `\0tandem-${asked.lock}` })
process.stdout.write(JSON.stringify({ answers, opened }))

function withQuery(path, query) {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

function knock({ method, path, isUpgrade }, right) {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
  const headers = {
    host: `127.0.0.1:${asked.port}`,
    ...right,
    ...(isUpgrade ? { ...upgrade, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' } : {})
  }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: asked.port, method, path, headers })
    sent.on('response', (response) => {
      response.resume()
      response.on('close', () => resolve(`${response.statusCode} ${method} ${path} ${Object.keys(right)}`))
    })
    sent.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(`${response.statusCode} ${method} ${path} ${Object.keys(right)}`)
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function opens(path) {
  const ways = [
    () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
    () => openSync(path, constants.O_WRONLY | constants.O_NONBLOCK),
    () => readdirSync(path)
  ]
  return ways.some((way) => succeeds(way)) || (await connects({ path }))
}

function succeeds(way) {
  try {
    way()
    return true
  } catch (failure) {
    if (['EACCES', 'EISDIR'].includes(failure.code)) return false
    throw failure
  }
}

function connects(target) {
  return new Promise((resolve) => {
    const socket = connect(target)
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
