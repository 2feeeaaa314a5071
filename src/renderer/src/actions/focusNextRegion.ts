const REGIONS = [
  '.titleBar',
  '.sidebar',
  '.tabStrip',
  '.terminalPane:not([hidden]), .emptyWorkspace',
  '.activityPanel',
  '.statusLine'
]
// In order of preference: what the region is about comes before its other controls.
const FOCUSABLE = ['[aria-current=true]', '[role=tab][tabindex="0"]', 'textarea', 'button:not([tabindex="-1"])']

/** The keyboard's way out of the terminal, where Tab belongs to the program. */
export function focusNextRegion(): void {
  const present = REGIONS.flatMap((selector) => document.querySelector(selector) ?? []).filter((region) =>
    region.checkVisibility()
  )
  const current = present.findIndex((region) => region.contains(document.activeElement))
  const next = present[(current + 1) % present.length]
  const targets = FOCUSABLE.map((selector) => next?.querySelector<HTMLElement>(selector))
  targets.find((target) => target)?.focus()
}
