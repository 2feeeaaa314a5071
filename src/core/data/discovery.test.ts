import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { publishEndpoint, readEndpoint } from './discovery'
import { makeRuntimeDir } from './runtimeDir'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tandem-discovery-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const endpointOf = (pid: number) => ({ url: 'http://127.0.0.1:1', pid, version: '0', token: 'secret' })

describe('an endpoint whose host was killed', () => {
  test('is none, because somebody else may listen on its port by now', async () => {
    const child = spawn('sleep', ['60'])
    const gone = new Promise((resolve) => child.once('exit', resolve))
    const pid = child.pid ?? 0
    publishEndpoint(root, endpointOf(pid))
    expect(readEndpoint(root)).toEqual(endpointOf(pid))
    child.kill('SIGKILL')
    await gone
    expect(readEndpoint(root)).toBeUndefined()
  })

  test('is none either when another process has its pid', () => {
    publishEndpoint(root, endpointOf(process.pid))
    const path = join(root, 'endpoint.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"started": "\d+/, '"started": "1'))
    expect(readEndpoint(root)).toBeUndefined()
  })
})

test('a link that was put where a runtime directory was is left alone', () => {
  const left = makeRuntimeDir(root, {})
  rmSync(left.path, { recursive: true })
  symlinkSync(root, left.path)
  const next = makeRuntimeDir(root, {})
  expect(existsSync(left.path)).toBe(true)
  rmSync(left.path)
  next.remove()
})
