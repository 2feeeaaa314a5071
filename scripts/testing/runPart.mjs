import { runGroup } from './runGroup.mjs'

/** More files than this do not fail by bad luck: they are not run again. */
const MAX_FILES_AGAIN = 8

/**
 * Runs one part in a process group of its own and answers with its counts. A part without counts of its own is one
 * test. A part that crashed, ran out of time or failed without saying which test counts as one more failure.
 *
 * Real programs on a machine that is busy with something else can miss a limit, so files in which a test failed are run
 * once more, alone. What passes then is counted as passed and named as `unsteady`, so that nobody overlooks it; what
 * does not is named in `failures`.
 */
export async function runPart(part, { cwd, env }) {
  process.stdout.write(`\n── ${part.name}\n`)
  const first = await runOnce(part, { cwd, env })
  const files = first.failedFiles ?? []
  if (!part.again || first.unexplained || files.length === 0 || files.length > MAX_FILES_AGAIN) return countsOf(first)
  process.stdout.write(`\n── ${part.name}: once more, alone: ${files.length} of its files\n`)
  const second = await runOnce({ ...part, ...part.again(files) }, { cwd, env: { ...env, ...part.env } })
  if (second.unexplained) return countsOf(first)
  return corrected(first, second)
}

async function runOnce(part, { cwd, env }) {
  const { code, late } = await runGroup(part, { cwd, env: { ...env, ...part.env } })
  const end = late ? `ended after ${part.limitMs / 60_000} minutes` : `ended with code ${code}`
  const said = part.report?.() ?? { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0, failures: [] }
  const unexplained = late || (code !== 0 && said.failed === 0)
  if (!unexplained) return { ...said, unexplained }
  return { ...said, failed: said.failed + 1, failures: [...said.failures, end], unexplained }
}

/** What failed the second time has failed; what failed the first time alone is named. */
function corrected(first, second) {
  const unsteady = first.failures.filter((name) => !second.failures.includes(name))
  const failed = second.failed
  const total = first.passed + first.failed
  return { passed: total - failed, failed, skipped: first.skipped, failures: second.failures, unsteady }
}

function countsOf({ passed, failed, skipped, failures }) {
  return { passed, failed, skipped, failures, unsteady: [] }
}
