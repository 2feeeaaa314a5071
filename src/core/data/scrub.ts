import { homedir } from 'node:os'

const HIDDEN = '[hidden]'
/** Shorter ones would also hide ordinary words. */
const SHORTEST_SECRET = 8
const SECRET_NAME = /TOKEN|SECRET|PASSW|KEY|CREDENTIAL|AUTH|COOKIE/i
/** What a token or a code looks like in a header, an address or a cookie, whoever's it is. */
const GIVEN_AWAY = /((?:bearer +)|(?:[?&](?:token|code)=)|(?:\btandem_\d+=))[^\s"'&;)]+/gi

/** Takes what must never be written out of a text: known secrets, and whatever stands where secrets are sent. */
export function withoutSecrets(text: string, secrets: Iterable<string> = []): string {
  let clean = text
  for (const shape of shapesOf(secrets)) clean = clean.replaceAll(shape, HIDDEN)
  return clean.replaceAll(GIVEN_AWAY, `$1${HIDDEN}`)
}

/** As they are, and as they look in JSON, and in JSON that is quoted in JSON. One that is a part of another comes later. */
function shapesOf(secrets: Iterable<string>): string[] {
  const known = [...secrets].filter((secret) => secret.length >= SHORTEST_SECRET)
  const shapes = known.flatMap((secret) => [secret, escaped(secret), escaped(escaped(secret))])
  return [...new Set(shapes)].sort((one, other) => other.length - one.length)
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Values of variables that are secrets by their name. */
export function secretValues(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(environment).flatMap(([name, value]) => (value && SECRET_NAME.test(name) ? [value] : []))
}

/** The person's home directory says who they are. */
export function withoutHome(text: string, environment: NodeJS.ProcessEnv): string {
  const homes = [environment.HOME, homedir()].filter((home) => home !== undefined && home.length > 1)
  return homes.reduce<string>((shown, home) => (home ? shown.replaceAll(home, '~') : shown), text)
}
