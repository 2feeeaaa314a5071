import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { findProgram, runLoudly } from './programs.mjs'
import { forgetFonts, REQUIREMENTS, tooOldTmux } from './requirements.mjs'
import { say } from './say.mjs'

const START_POLICY = '/usr/sbin/policy-rc.d'
const MANAGERS = [
  { id: 'apt', program: 'apt-get', install: 'apt-get install -y' },
  { id: 'brew', program: 'brew', install: 'brew install', root: false },
  { id: 'dnf', program: 'dnf', install: 'dnf install -y' },
  { id: 'pacman', program: 'pacman', install: 'pacman -S --needed' }
]

/** What is worth having for these needs, and is done without where we may not install it ourselves. */
const EXTRAS = { tests: 'moreTests' }

/** Sees to it that the machine has what these needs ask for; false when the person has to act first. */
export function ensureTools(needs) {
  let missing = missingTools(needs)
  if (missing.length > 0 && mayInstall()) {
    installWithApt(missing)
    missing = missingTools(needs)
  }
  if (missing.length > 0) {
    sayWhatToRun(missing)
    return false
  }
  addExtras(needs)
  return tmuxIsUsable(needs)
}

function addExtras(needs) {
  const missing = missingTools(needs.flatMap((need) => EXTRAS[need] ?? []))
  if (missing.length === 0) return
  if (mayInstall()) withoutServices(() => installWithApt(missing))
  else say(`without ${missing.map(({ name }) => name).join(', ')} some tests are skipped`)
}

/** A package may bring a service; while this stands, Debian's packages start none. One that stands there already stays. */
function withoutServices(install) {
  const isOurs = !existsSync(START_POLICY)
  if (isOurs) writeFileSync(START_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    install()
  } finally {
    if (isOurs) rmSync(START_POLICY, { force: true })
  }
}

function missingTools(needs) {
  return REQUIREMENTS.filter(({ needed, present }) => needs.includes(needed) && !present())
}

function mayInstall() {
  return process.getuid?.() === 0 && findProgram('apt-get') !== undefined
}

function installWithApt(missing) {
  const packages = missing.map((requirement) => requirement.packages.apt)
  say(`installing ${packages.join(' ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  runLoudly('apt-get', ['update', '-qq'], { env })
  runLoudly('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env })
  forgetFonts()
}

function sayWhatToRun(missing) {
  say(`missing: ${missing.map(({ name }) => name).join(', ')}`)
  const manager = MANAGERS.find(({ program }) => findProgram(program))
  const packages = missing.map((requirement) => manager && requirement.packages[manager.id])
  if (!manager || packages.includes(undefined)) {
    const compiler = process.platform === 'darwin' ? ' (the compiler comes with: xcode-select --install)' : ''
    say(`install them${compiler}, then run this again`)
    return
  }
  const sudo = manager.root === false || process.getuid?.() === 0 ? '' : 'sudo '
  say(`run this, then try again:\n  ${sudo}${manager.install} ${packages.join(' ')}`)
}

// The app itself does without a new tmux (terminals then end with it), the tests do not.
function tmuxIsUsable(needs) {
  const old = tooOldTmux()
  if (!old) return true
  say(`${old} is older than 3.3, so terminals cannot outlive the app; install a newer tmux to change that`)
  return !needs.includes('tests')
}
