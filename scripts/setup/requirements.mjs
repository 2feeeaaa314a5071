import { existsSync, readdirSync } from 'node:fs'
import { findProgram, readOutput } from './programs.mjs'

const OLDEST_TMUX = [3, 3]
/** Not on everybody's PATH. */
const SSH_SERVERS = ['/usr/sbin/sshd', '/usr/local/sbin/sshd']
/** Signs of what starts services, now or with the machine. */
const SERVICE_STARTERS = ['/run/systemd/system', '/run/initctl', '/run/openrc', '/run/runit']

/**
 * What the machine must have. `needed` says when: `run` always, `compile` to build node-pty where it has no prebuilt
 * binary, `tests` for the whole test run, `moreTests` for tests that are reported as skipped without it. `packages` names
 * it for each package manager (absent: part of the system).
 */
export const REQUIREMENTS = [
  { name: 'tmux', needed: 'run', packages: everywhere('tmux'), present: () => findProgram('tmux') },
  {
    name: 'C++ compiler',
    needed: 'compile',
    packages: { apt: 'g++', dnf: 'gcc-c++', pacman: 'gcc' },
    present: () => findProgram('c++', 'g++', 'clang++')
  },
  { name: 'make', needed: 'compile', packages: everywhere('make'), present: () => findProgram('make', 'gmake') },
  {
    name: 'python3',
    needed: 'compile',
    packages: { ...everywhere('python3'), pacman: 'python' },
    present: () => findProgram('python3')
  },
  { name: 'git', needed: 'tests', packages: everywhere('git'), present: () => findProgram('git') },
  { name: 'bash', needed: 'tests', packages: everywhere('bash'), present: () => findProgram('bash') },
  { name: 'zsh', needed: 'tests', packages: everywhere('zsh'), present: () => findProgram('zsh') },
  { name: 'fish', needed: 'tests', packages: everywhere('fish'), present: () => findProgram('fish') },
  ...programsDriven(),
  {
    name: 'Chromium',
    needed: 'tests',
    packages: { ...everywhere('chromium'), brew: 'google-chrome' },
    present: () => findProgram('chromium', 'chromium-browser', 'google-chrome') ?? macChrome()
  },
  ...linuxOnly([
    { name: 'dash', packages: everywhere('dash'), present: () => findProgram('dash') },
    {
      name: 'ps',
      packages: { apt: 'procps', dnf: 'procps-ng', pacman: 'procps-ng' },
      present: () => findProgram('ps')
    },
    { name: 'sudo', needed: 'moreTests', packages: everywhere('sudo'), present: () => findProgram('sudo') },
    { name: 'setpriv', packages: everywhere('util-linux'), present: () => findProgram('setpriv') },
    { name: 'strace', packages: everywhere('strace'), present: () => findProgram('strace') },
    {
      name: 'faketime',
      packages: { apt: 'faketime', dnf: 'libfaketime', pacman: 'libfaketime' },
      present: () => findProgram('faketime')
    },
    {
      name: 'emoji font',
      packages: { apt: 'fonts-noto-color-emoji', dnf: 'google-noto-color-emoji-fonts', pacman: 'noto-fonts-emoji' },
      present: () => hasFont(/NotoColorEmoji/)
    },
    {
      name: 'CJK font',
      packages: { apt: 'fonts-noto-cjk', dnf: 'google-noto-sans-cjk-fonts', pacman: 'noto-fonts-cjk' },
      present: () => hasFont(/Noto(Sans|Serif).*CJK/)
    },
    {
      name: 'ssh server',
      needed: 'moreTests',
      packages: { apt: 'openssh-server', dnf: 'openssh-server', pacman: 'openssh' },
      // Where services are started, its package would start one that nobody asked for: it is not installed there.
      present: () => findProgram('sshd') ?? SSH_SERVERS.find((path) => existsSync(path)) ?? startsServices()
    },
    { name: 'tcsh', needed: 'moreTests', packages: everywhere('tcsh'), present: () => findProgram('tcsh') },
    { name: 'runc', needed: 'moreTests', packages: everywhere('runc'), present: () => findProgram('runc') },
    {
      name: 'bubblewrap',
      needed: 'moreTests',
      packages: everywhere('bubblewrap'),
      present: () => findProgram('bwrap')
    }
  ])
]

/** The version of tmux when it is older than what the tmux backend needs; undefined when it will do. */
export function tooOldTmux() {
  const version = readOutput('tmux', ['-V'])
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined) return undefined
  const old = Number(major) < OLDEST_TMUX[0] || (Number(major) === OLDEST_TMUX[0] && Number(minor) < OLDEST_TMUX[1])
  return old ? version : undefined
}

/** Programs that tests drive through a terminal, as a person would. */
function programsDriven() {
  const named = (name, packages = everywhere(name)) => ({
    name,
    needed: 'tests',
    packages,
    present: () => findProgram(name)
  })
  const plain = ['less', 'nano', 'vim', 'htop', 'fzf', 'dialog', 'busybox'].map((name) => named(name))
  return [...plain, named('python3', { ...everywhere('python3'), pacman: 'python' })]
}

function startsServices() {
  return SERVICE_STARTERS.find((path) => existsSync(path))
}

function everywhere(name) {
  return { apt: name, brew: name, dnf: name, pacman: name }
}

function linuxOnly(requirements) {
  if (process.platform !== 'linux') return []
  return requirements.map((requirement) => ({ needed: 'tests', ...requirement }))
}

function macChrome() {
  if (process.platform !== 'darwin') return undefined
  return ['/Applications/Google Chrome.app', '/Applications/Chromium.app'].find((path) => existsSync(path))
}

let fontFiles
function hasFont(pattern) {
  fontFiles ??= existsSync('/usr/share/fonts') ? readdirSync('/usr/share/fonts', { recursive: true }) : []
  return fontFiles.some((file) => pattern.test(file))
}

/** Fonts are looked up once; after an installation they must be looked up again. */
export function forgetFonts() {
  fontFiles = undefined
}
