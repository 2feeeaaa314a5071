// What a hostile page, name server or proxy can make a browser send. `undefined`: the header is absent.

export interface Candidate {
  value: string | undefined
  isOurs: boolean
}

const ours = (value: string | undefined): Candidate => ({ value, isOurs: true })
const foreign = (value: string | undefined): Candidate => ({ value, isOurs: false })

/** 40 values of `Host`, two of them right. */
export function hostsFor(port: number): Candidate[] {
  const names = [
    ...['evil.com', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]', '[::]', '127.1', '127.0.0.2', '2130706433'],
    ...['0x7f000001', '0177.0.0.1', 'localhost.', '127.0.0.1.', 'LOCALHOST', 'LocalHost', 'localhost.evil.com'],
    ...['127.0.0.1.nip.io', 'localtest.me', 'a.localhost', 'localhost.localdomain', 'user@127.0.0.1', 'xn--localhost']
  ]
  return [
    ours(`127.0.0.1:${port}`),
    ours(`localhost:${port}`),
    ...names.map((name) => foreign(`${name}:${port}`)),
    ...[undefined, '', 'null', '*', 'evil.com', '127.0.0.1', 'localhost', `:${port}`].map(foreign),
    ...[`127.0.0.1:${port + 1}`, `localhost:${port - 1}`, `127.0.0.1:0${port}`, `127.0.0.1:${port + 65_536}`].map(
      foreign
    ),
    ...[`127.0.0.1:${port}@evil.com`, `127.0.0.1:${port},evil.com`, `127.0.0.1:${port}/`].map(foreign),
    ...[`http://127.0.0.1:${port}`, `127.0.0.1:${port}.evil.com`].map(foreign)
  ]
}

/** 20 values of `Origin`, two of them right, and none at all. */
export function originsFor(port: number): Candidate[] {
  return [
    ours(`http://127.0.0.1:${port}`),
    ours(`http://localhost:${port}`),
    ours(undefined),
    ...['', 'null', 'file://', 'http://evil.com', 'chrome-extension://abcdef', 'http://127.0.0.1'].map(foreign),
    ...[`http://evil.com:${port}`, `https://127.0.0.1:${port}`, `ws://127.0.0.1:${port}`].map(foreign),
    ...[`http://127.0.0.1:${port + 1}`, `http://localhost:${port + 1}`, `http://[::1]:${port}`].map(foreign),
    ...[`http://127.0.0.1:${port}/`, `http://127.0.0.1:${port}.evil.com`, `HTTP://LOCALHOST:${port}`].map(foreign),
    ...[`http://127.0.0.1:${port}, http://evil.com`, `http://localhost.:${port}`].map(foreign)
  ]
}
