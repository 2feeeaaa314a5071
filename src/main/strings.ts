/** What the desktop shell itself says; everything inside the window is the page's. */
export const strings = {
  appName: 'Tandem',
  cannotStart: 'Tandem cannot start',
  ownerSilent:
    'Another Tandem process owns your terminals but does not say where it listens. Close it, or wait until it has started, and open Tandem again.',
  ownerRefused: 'Another Tandem process owns your terminals and did not let this window in. Run “tandem open” instead.'
} as const
