/** Whether an address is a page of this origin; a blank, broken or foreign one is not. */
export function isOwnOrigin(address: string, origin: string): boolean {
  return URL.canParse(address) && new URL(address).origin === origin
}
