import { useMemo, useState } from 'react'

export interface FocusRequest {
  /** The keyboard should go to the visible terminal, now or as soon as there is one. */
  ask(): void
  /** Nobody waits for the keyboard any more: a terminal that appears later must not take it. */
  forget(): void
  /** True once per request, for the terminal that answers it. */
  take(): boolean
}

/** Focus moves to a terminal only when the person asked for it, never because one appeared or became visible. */
export function useFocusRequest(): FocusRequest {
  const [, render] = useState(0)
  return useMemo(() => {
    let asked = true
    return {
      ask() {
        asked = true
        render((count) => count + 1)
      },
      forget() {
        asked = false
      },
      take() {
        const taken = asked
        asked = false
        return taken
      }
    }
  }, [])
}
