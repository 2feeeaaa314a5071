/** The lines that go and come, without those around them: other people's secrets stand in such files. */
export function lineDiff(before: string, after: string): string[] {
  const [old, next] = [before.split(/\r?\n/), after.split(/\r?\n/)]
  let start = 0
  while (start < old.length && start < next.length && old[start] === next[start]) start += 1
  let end = 0
  const most = Math.min(old.length, next.length) - start
  while (end < most && old[old.length - 1 - end] === next[next.length - 1 - end]) end += 1
  return [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...next.slice(start, next.length - end).map((line) => `+ ${line}`)
  ]
}
