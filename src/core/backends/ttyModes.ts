import type { Logger } from '../log'
import type { TtyModes } from './backend'
import type { SmallPrograms } from './smallPrograms'

/** What `stty -a` says about a terminal; undefined when it cannot be asked, which is so once the terminal is gone. */
export async function readTtyModes(
  device: string,
  { programs, log }: { programs: SmallPrograms; log: Logger }
): Promise<TtyModes | undefined> {
  try {
    return parseTtyModes(await programs.run({ modes: device }))
  } catch (failure) {
    log.debug({ err: failure, device }, 'The modes of a terminal could not be read')
    return undefined
  }
}

export function parseTtyModes(text: string): TtyModes {
  const words = new Set(text.split(/[\s;]+/))
  return { isCanonical: words.has('icanon'), echoes: words.has('echo') }
}
