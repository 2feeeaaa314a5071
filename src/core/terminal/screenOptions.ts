import type { Size } from '../../shared/terminal'
import type { RememberedModes } from '../backends/backend'
import type { Logger } from '../log'
import type { Emulation } from './emulation'

export interface ScreenOptions {
  size: Size
  /** Lines of history. */
  scrollback: number
  /** Offset of the first byte that will be pushed. */
  offset: number
  emulation: Emulation
  log: Logger
  /** Takes the emulator's answers to the program's queries; without it the emulator never answers. */
  answer?: ((data: string) => void) | undefined
  onTitle(title: string): void
  /** The modes that a restored screen does not show have changed. */
  onModes(modes: RememberedModes): void
  /** Too far behind, or unable to go on: has the screen restored, or throws. Bytes keep being parsed meanwhile. */
  onBehind(): Promise<void>
  /** `onBehind` failed. It is called again later. */
  onNotRestored(thrown: unknown): void
  /** What `onBehind` does leaves out output that was under way. */
  isResyncLossy: boolean
}
