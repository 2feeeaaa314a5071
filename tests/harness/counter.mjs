// Counts every 10 ms into a file, and writes down every signal it gets: shows whether anything disturbed it.
import { appendFileSync } from 'node:fs'

const [, , file] = process.argv
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGCONT', 'SIGPIPE', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']) {
  process.on(signal, () => appendFileSync(file, `signal ${signal}\n`))
}
let count = 0
setInterval(() => {
  count += 1
  appendFileSync(file, `${count}\n`)
  if (count % 10 === 0) process.stdout.write(`count ${count}\n`)
}, 10)
