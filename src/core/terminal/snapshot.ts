import type { Size } from '../../shared/terminal'

/** A terminal's state as bytes for an emulator of the same size, and where the stream goes on after it. */
export interface Snapshot {
  size: Size
  /** Starts with RIS; draws history, screen and modes. */
  bytes: Uint8Array
  /** Of the first byte of output after it. */
  offset: number
}
