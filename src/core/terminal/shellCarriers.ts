/** Shells that the system's own file carries under another name; they are the shell, nothing waits behind them. */
const SHELLS_BY_ANOTHER_NAME = ['busybox', 'ash']
const CARRIERS = [
  ...['ssh', 'autossh', 'sshpass', 'mosh-client', 'telnet', 'adb', 'vagrant', 'limactl', 'multipass'],
  ...[
    'docker',
    'podman',
    'nerdctl',
    'kubectl',
    'oc',
    'crun',
    'runc',
    'ctr',
    'crictl',
    'lxc',
    'lxc-attach',
    'machinectl'
  ],
  ...['systemd-nspawn', 'toolbox', 'distrobox-enter', 'apptainer', 'singularity', 'flatpak-spawn'],
  ...['nsenter', 'unshare', 'chroot', 'bwrap', 'su', 'sudo', 'doas', 'runuser', 'login', 'script']
]
const carriers = new Set(CARRIERS)
const namesOfNoShell = new Set([...CARRIERS, ...SHELLS_BY_ANOTHER_NAME])

/** Programs in which another one may wait behind a connection or a wall: which one, this machine does not tell. */
export function isCarrier(name: string): boolean {
  return carriers.has(name)
}

/** Programs in which a shell may wait although their name is none of a shell. */
export function mayHoldShell(name: string): boolean {
  return namesOfNoShell.has(name)
}
