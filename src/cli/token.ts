import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { findDataDir, openDataDir } from '../core/data/dataDir'
import { Tokens } from '../core/data/tokens'
import { SCOPES, type Scope } from '../shared/access'
import { plain } from './columns'
import { EXIT_CODES } from './exitCodes'
import { strings } from './strings'

interface AddOptions {
  json?: true
  scopes: Scope[]
  project?: string[]
}

/** `tandem token ls | add | revoke`: works on the data dir's files; a running host sees the change at once. */
export function addTokenCommand(program: Command): void {
  const command = program.command('token').description(strings.tokenDescription)
  command.option('--data-dir <dir>', strings.options.dataDir)
  const withTokens = (open: typeof openDataDir, act: (tokens: Tokens) => void) => {
    const tokens = new Tokens({ dataDir: open(process.env, command.opts<{ dataDir?: string }>().dataDir).path })
    try {
      act(tokens)
    } finally {
      tokens.close()
    }
  }
  command
    .command('ls')
    .description(strings.tokenListDescription)
    .option('--json', strings.options.jsonAnswer)
    .action(({ json }: { json?: true }) => withTokens(findDataDir, (tokens) => list(tokens, json === true)))
  command
    .command('add <name>')
    .description(strings.tokenAddDescription)
    .option('--scopes <list>', strings.options.scopes, parseScopes, [...SCOPES])
    .option('--project <dir>', strings.options.project, (dir: string, all: string[] = []) => [...all, resolve(dir)])
    .option('--json', strings.options.jsonAnswer)
    .action((name: string, options: AddOptions) => withTokens(openDataDir, (tokens) => add(tokens, name, options)))
  command
    .command('revoke <name>')
    .description(strings.tokenRevokeDescription)
    .option('--json', strings.options.jsonAnswer)
    .action((name: string, { json }: { json?: true }) =>
      withTokens(findDataDir, (tokens) => revoke(tokens, name, json === true))
    )
}

function list(tokens: Tokens, json: boolean): void {
  const known = tokens.list()
  if (json) process.stdout.write(`${JSON.stringify({ tokens: known })}\n`)
  else if (known.length === 0) process.stderr.write(`${strings.tokenNone}\n`)
  else
    for (const token of known)
      process.stdout.write(`${strings.tokenLine(token.name, token.scopes, token.projects?.map(plain) ?? null)}\n`)
}

function add(tokens: Tokens, name: string, { scopes, project, json }: AddOptions): void {
  const secret = tokens.add(name, { scopes, projects: project ?? null })
  if (json) {
    process.stdout.write(`${JSON.stringify({ name, token: secret })}\n`)
    return
  }
  process.stderr.write(`${strings.tokenAdded(name)}\n`)
  process.stdout.write(`${secret}\n`)
}

function revoke(tokens: Tokens, name: string, asJson: boolean): void {
  const revoked = tokens.list().some((token) => token.name === name) && tokens.revoke(name)
  if (asJson) process.stdout.write(`${JSON.stringify({ revoked })}\n`)
  else process.stderr.write(`${revoked ? strings.tokenRevoked(name) : strings.tokenUnknown(name)}\n`)
  if (!revoked) process.exitCode = EXIT_CODES.failed
}

function parseScopes(text: string): Scope[] {
  const asked = text.split(',').map((part) => part.trim())
  const unknown = asked.find((part) => !SCOPES.some((scope) => scope === part))
  if (unknown !== undefined) throw new InvalidArgumentError(strings.badScope(unknown, SCOPES))
  return SCOPES.filter((scope) => asked.includes(scope))
}
