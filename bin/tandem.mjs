#!/usr/bin/env node
// Runs the built command line. In a clone it first makes sure that setup was run and that the build is not older than
// the sources; all of that goes to stderr, so stdout carries nothing but the command's own output.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const entry = join(root, 'out/main/tandem.js')
// An agent waits for its hook: it is not kept waiting by a build, and does not fail for want of one.
const isHook = process.argv[2] === 'hook'

if (!isHook && existsSync(join(root, 'src'))) await makeReady()
if (!isHook || existsSync(entry)) await import(pathToFileURL(entry).href)

async function makeReady() {
  const { isBuilt, isSetUp } = await import('../scripts/freshness.mjs')
  if (!isSetUp(root)) await runScript('setup.mjs')
  if (!isBuilt(root)) await runScript('build.mjs')
}

async function runScript(name) {
  const { spawnSync } = await import('node:child_process')
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', name)], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(1)
}
