import { readFileSync, writeFileSync } from 'node:fs'

export interface StoreOnDisk {
  sessions: { id: string; [field: string]: unknown }[]
  [field: string]: unknown
}

/** Changes a store as somebody does who is not the host: without its checksum, which would call that a damage. */
export function changeStore(path: string, change: (store: StoreOnDisk) => object): void {
  const { checksum: _, ...store } = JSON.parse(readFileSync(path, 'utf8')) as StoreOnDisk
  writeFileSync(path, JSON.stringify(change(store)))
}
