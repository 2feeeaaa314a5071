// One of several processes that change the same store through the door, and look into the file after every change.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

const { url, token, project, session, id, count, path } = JSON.parse(process.argv[2])
const agent = new Agent({ keepAlive: true })
const query = new URLSearchParams({ project, session })

function rename(name) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/api/terminal/sessions/${id}?${query}`,
      { method: 'PATCH', agent, headers },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => (text += chunk))
        answer.on('end', () => resolve(JSON.parse(text)))
      }
    )
    sent.on('error', reject)
    sent.end(JSON.stringify({ name }))
  })
}

let kept = 0
for (let change = 1; change <= count; change += 1) {
  const name = `change ${change}`
  const answer = await rename(name)
  const { sessions } = JSON.parse(readFileSync(path, 'utf8'))
  if (answer.success && sessions.find((one) => one.id === id)?.name === name) kept += 1
  else process.stderr.write(`${JSON.stringify(answer)} ${JSON.stringify(sessions)}\n`)
}
process.stdout.write(`kept ${kept}\n`)
agent.destroy()
