/** Links one terminal may hold, history included. Each costs the emulator some 3 kB. */
const MAX_LINKS = 10_000

/** The part of the emulator's core that its typings do not show; the package is pinned to one version for this. */
interface Core {
  registerOscHandler(id: number, handler: (data: string) => boolean): unknown
  _inputHandler: { setHyperlink(data: string): boolean }
  _oscLinkService: { _dataByLinkId: ReadonlyMap<number, unknown> }
}

/** Beyond the limit printed links are plain text: a file full of them must not fill the memory. */
export function limitLinks(terminal: object): void {
  // Every terminal wraps the core that holds these members; addons reach it the same way.
  const { _core: core } = terminal as { _core: Core }
  core.registerOscHandler(8, () => {
    if (core._oscLinkService._dataByLinkId.size < MAX_LINKS) return false
    return core._inputHandler.setHyperlink(';')
  })
}
