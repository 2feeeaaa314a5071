// A client's own command line, as far as setup uses it: adds servers to its file and takes them out. Its first words say
// what it is; `mode` says what is wrong with it.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const [name, config, seen, mode, ...words] = process.argv.slice(2)
if (words[0] === '--version') say(`${name} 0.9.1`)
appendFileSync(seen, `${JSON.stringify(words)}\n`)
if (mode === 'refuses') fail('no room')
if (mode === 'old') fail(`error: unknown command '${words[0]}'`)
// Some print their help for words they do not know, and call that a success.
if (mode === 'silent') say('Usage: …')
if (mode === 'asks') readFileSync(0)
if (words[0] === '--add-mcp') add(JSON.parse(words[1] ?? ''))
else if (words[1] === 'add') add(named(words.slice(2)))
else if (words[1] === 'remove') remove(words.at(-1) ?? '')
say('done')

function named(given) {
  const rest = given[0] === '--scope' ? given.slice(2) : given
  const [server = '', ...command] = rest.filter((word, at) => word !== '--' || at > 2)
  const [program, ...args] = command.filter((word) => word !== '--')
  return { name: server, command: program, args }
}

function add({ name: server, command, args }) {
  mkdirSync(dirname(config), { recursive: true })
  if (config.endsWith('.toml')) {
    const table = `[mcp_servers.${server}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`
    appendFileSync(config, table)
  } else change((servers) => Object.assign(servers, { [server]: { command, args } }))
}

function remove(server) {
  if (config.endsWith('.toml')) writeFileSync(config, '')
  else change((servers) => Reflect.deleteProperty(servers, server))
}

function change(act) {
  const file = existsSync(config) ? JSON.parse(readFileSync(config, 'utf8')) : {}
  const key = name === 'code' ? 'servers' : 'mcpServers'
  file[key] ??= {}
  act(file[key])
  writeFileSync(config, JSON.stringify(file, undefined, 2))
}

function say(text) {
  process.stdout.write(`${text}\n`)
  process.exit(0)
}

function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
