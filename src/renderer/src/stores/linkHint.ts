import { create } from 'zustand'

/** Where the link under the pointer really leads. */
export const useLinkHint = create<{ address: string | undefined; x: number; y: number }>(() => ({
  address: undefined,
  x: 0,
  y: 0
}))

export function showLinkHint(address: string, { clientX, clientY }: MouseEvent): void {
  useLinkHint.setState({ address, x: clientX, y: clientY })
}

export function hideLinkHint(): void {
  useLinkHint.setState({ address: undefined })
}
