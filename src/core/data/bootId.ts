import { readPrivateFile } from './privateFile'

/** Changes with every start of the machine; empty where the system does not say. */
export function readBootId(): string {
  return process.platform === 'linux' ? (readPrivateFile('/proc/sys/kernel/random/boot_id') ?? '').trim() : ''
}
