/** A path as people write it: what lies in the home directory begins with `~`. */
export function shortPath(path: string, home: string | undefined): string {
  if (home === undefined || home === '/') return path
  if (path === home) return '~'
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
