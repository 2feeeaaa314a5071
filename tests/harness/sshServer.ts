import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/** Not everybody wants a server for ssh on their machine: without one, what needs it is left out. */
export const SSH_SERVER = ['/usr/sbin/sshd', '/usr/bin/sshd', '/usr/local/sbin/sshd'].find((path) => existsSync(path))

/** A line that leaves for another machine and is back on this one: a real ssh and sshd without a port or a daemon. */
export function sshLine(folder: string, program: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Where sshd runs as root it wants its empty directory.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const at = (name: string): string => join(folder, name)
  for (const name of ['host', 'user']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)])
  writeFileSync(
    at('sshd_config'),
    [
      `HostKey ${at('host')}`,
      `AuthorizedKeysFile ${at('user.pub')}`,
      ...['PidFile none', 'StrictModes no', 'UsePAM no', 'PermitRootLogin yes', 'PasswordAuthentication no', '']
    ].join('\n')
  )
  writeFileSync(
    at('go'),
    [
      '#!/bin/sh',
      `exec ssh -F /dev/null -t -q -i ${at('user')} -o IdentitiesOnly=yes -o StrictHostKeyChecking=no \\`,
      `  -o UserKnownHostsFile=/dev/null -o ProxyCommand='${SSH_SERVER} -i -f ${at('sshd_config')}' \\`,
      `  ${userInfo().username}@elsewhere "${program}"`,
      ''
    ].join('\n')
  )
  chmodSync(at('go'), 0o755)
  return at('go')
}
