type RawStore = Readonly<Record<string, unknown>>

/** How a file of an older version becomes one of the next, by the version it starts from. Nothing in it gets lost. */
const MIGRATIONS: readonly ((file: RawStore) => RawStore)[] = [addWhereAndWhat]

/** The version this Tandem writes. */
export const STORE_VERSION = MIGRATIONS.length

/** The file's content as the current version has it; what is newer, or no store at all, is left as it is. */
export function migrated(raw: unknown): unknown {
  if (!isRecord(raw)) return raw
  const from = versionOf(raw)
  if (from === undefined) return raw
  return MIGRATIONS.slice(from).reduce((file, migrate) => migrate(file), raw)
}

// The first format has no version field; a zero that somebody wrote is not it.
function versionOf({ version }: RawStore): number | undefined {
  if (version === undefined) return 0
  return Number.isInteger(version) && Number(version) > 0 ? Number(version) : undefined
}

/** The first format knew ids, names, tmux sessions, times and orders, all in tmux, and no ended terminals. */
function addWhereAndWhat(file: RawStore): RawStore {
  const sessions = Array.isArray(file.sessions) ? file.sessions.map(withWhereAndWhat) : file.sessions
  return { ended: [], ...file, version: 1, sessions }
}

function withWhereAndWhat(record: unknown): unknown {
  return isRecord(record) ? { backend: 'tmux', cwd: '', program: '', ...record } : record
}

function isRecord(value: unknown): value is RawStore {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
