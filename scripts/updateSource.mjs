/**
 * Where packages look for newer versions: `owner/name` of a GitHub repository, or the https address of a folder with the
 * files of the latest release. As words for electron-builder; none when no source is named, and packages then never look.
 */
export function updateSource(named = '') {
  if (named === '') return []
  const [, owner, repo] = /^([\w-]+)\/([\w.-]+)$/.exec(named) ?? []
  if (owner && repo) return published({ provider: 'github', owner, repo })
  if (named.startsWith('https://') && URL.canParse(named)) return published({ provider: 'generic', url: named })
  throw new Error(`TANDEM_UPDATES is "${named}": name a GitHub repository as owner/name, or an https address`)
}

function published(source) {
  return Object.entries(source).map(([name, value]) => `-c.publish.${name}=${value}`)
}
