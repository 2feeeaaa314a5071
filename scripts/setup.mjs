// Makes a fresh clone ready: tools of the machine, packages, the native module. Needs Node and npm, nothing else.
// This file only decides whether the rest can run at all, in syntax that old versions of Node still read.

import process from 'node:process'

const OLDEST_NODE = [20, 19]

const problem = machineProblem()
if (problem) {
  process.stderr.write(`setup: ${problem}\n`)
  process.exitCode = 1
} else {
  import('./setup/run.mjs')
    .then((module) => module.run({ tests: process.argv.includes('--tests') }))
    .then(
      (ready) => {
        if (!ready) process.exitCode = 1
      },
      (error) => {
        process.stderr.write(`setup: ${error.stack}\n`)
        process.exitCode = 1
      }
    )
}

function machineProblem() {
  if (process.platform === 'win32') return 'Windows is not supported; run Tandem on macOS, Linux, or inside WSL.'
  const version = process.versions.node.split('.').map(Number)
  const old = version[0] < OLDEST_NODE[0] || (version[0] === OLDEST_NODE[0] && version[1] < OLDEST_NODE[1])
  if (!old) return ''
  return `Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}. Get it from https://nodejs.org.`
}
