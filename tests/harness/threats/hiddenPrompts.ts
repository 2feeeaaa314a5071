import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SSH_SERVER, sshLine } from '../sshServer'
import type { World } from '../tandem'

const AS_NOBODY = 'setpriv --reuid 65534 --regid 65534 --clear-groups'

/** One way to ask for a secret without echo. */
export interface HiddenPrompt {
  name: string
  /** What is on the screen while it asks. */
  asks: string
  /** The line that asks for this secret, and prints `got <length>` when it has it. */
  line(secret: string): string
  /** What this machine lacks for it. */
  missing?: string | undefined
}

/** Programs that ask a person for a secret: shells and libraries, and the real ones where they are installed. */
export function hiddenPrompts(world: () => World): HiddenPrompt[] {
  return [
    {
      name: 'read -s',
      asks: 'no-echo: ',
      line: () => 'read -s -p "no-""echo: " answer; echo "; got $(expr length "$answer")"; unset answer'
    },
    {
      name: 'a getpass prompt',
      asks: 'no-echo: ',
      line: () => `python3 -c 'import getpass; print("got", len(getpass.getpass("no-" + "echo: ")))'`
    },
    {
      name: 'a prompt like sudo',
      asks: 'no-echo: ',
      line: () =>
        'stty -echo; printf "no-""echo: "; read -r answer; stty echo; echo "; got $(expr length "$answer")"; unset answer'
    },
    {
      name: 'sudo',
      asks: 'password of nobody: ',
      line: (secret) => sudoLine(join(world().root, `sudoers-${secret.slice(-6)}`), secret),
      missing: sudoMissing()
    },
    {
      name: 'ssh',
      asks: 'Enter passphrase',
      line: (secret) => sshWithPassphrase(join(world().root, `ssh-${secret.slice(-6)}`), secret),
      missing: SSH_SERVER ? undefined : 'there is no server for ssh'
    },
    {
      name: 'gpg',
      asks: 'passphrase',
      line: (secret) => gpgLine(join(world().root, `gpg-${secret.slice(-6)}`), secret),
      missing: isInstalled('gpg') ? undefined : 'gpg is not installed'
    }
  ]
}

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)))
}

// Root is not asked, so nobody is; a wrong password is asked for once and refused. The rules of this machine stay as they
// are: others lie over them where this line alone sees them.
function sudoLine(rules: string, secret: string): string {
  writeFileSync(rules, 'Defaults passwd_tries=1\nnobody ALL=(ALL) ALL\n', { mode: 0o440 })
  writeFileSync(`${rules}.sh`, `mount --bind ${rules} /etc/sudoers && exec ${AS_NOBODY} sudo -k -p "$1" true\n`)
  return `unshare --mount sh ${rules}.sh "pass""word of nobody: "; echo "; got ${secret.length}"`
}

function sudoMissing(): string | undefined {
  if (!isInstalled('sudo')) return 'sudo is not installed'
  if (process.getuid?.() !== 0) return 'only root can be somebody else'
  const ownMounts = spawnSync('unshare', ['--mount', 'mount', '--bind', '/etc/hosts', '/etc/hosts'])
  return ownMounts.status === 0 ? undefined : 'there are no mounts of its own here'
}

/** A key that has the secret for its passphrase; the line leads to this machine again. */
function sshWithPassphrase(folder: string, secret: string): string {
  const go = sshLine(folder, `echo got ${secret.length}`)
  execFileSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', secret, '-f', join(dirname(go), 'user')], { stdio: 'ignore' })
  return go
}

function gpgLine(folder: string, secret: string): string {
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, 'plain'), 'a letter')
  const options = '--quiet --no-symkey-cache --pinentry-mode loopback --output'
  return `gpg --homedir ${folder} ${options} ${folder}/secret --symmetric ${folder}/plain && echo "; got ${secret.length}"`
}
