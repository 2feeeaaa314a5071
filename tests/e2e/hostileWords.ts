/** Schemes that no link may lead to. */
export const SCHEMES =
  'file javascript data vbscript blob about view-source ftp sftp smb nfs ssh telnet vscode vscode-insiders cursor ms-msdt ms-settings ms-word search-ms shell mailto tel sms facetime slack zoommtg steam itms-apps x-apple.systempreferences chrome chrome-extension resource jar magnet ldap gopher ws wss intent'.split(
    ' '
  )

export const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'

const FLAGS =
  '--inspect=0.0.0.0:9229 --inspect-brk --remote-debugging-port=9222 --remote-allow-origins=* --js-flags=--expose-gc --require=/tmp/x.cjs --import=data:text/javascript,1 -e --eval=1 -p --gpu-launcher=/bin/sh --renderer-cmd-prefix=/bin/sh --utility-cmd-prefix=/bin/sh --no-sandbox --disable-web-security --load-extension=/tmp --user-data-dir=/tmp --proxy-server=evil:1 --host-rules=MAP --enable-logging --open-devtools --run=id --command=id --execute'.split(
    ' '
  )
const WORDS = [
  ...['', ' ', '.', '..', './', '../../etc', '~', '~root', '*', '?', '$HOME', '$(touch CANARY)', '`touch CANARY`'],
  ...['; touch CANARY', '| touch CANARY', '&& touch CANARY', '\n touch CANARY', '#(touch CANARY)', '%n%s', '-', '--'],
  ...[
    '/no/such/folder',
    '/dev/null',
    '/etc/passwd',
    '/proc/self/environ',
    '//evil/share',
    '\\\\evil\\share',
    'C:\\Windows'
  ],
  ...[
    '/tmp\0',
    '/\0etc',
    '\0',
    '\x1b]2;x\x07',
    '\u202e/tmp',
    'x'.repeat(100_000),
    '/'.concat('x'.repeat(5_000)),
    MARKUP
  ],
  ...['mc-a-1', '=mc-a', '%1', '$1', '@1', ':', '{last}', 'default', '{"version":"99.0.0"}', '[]', 'null', 'undefined']
]

/** Words that a start of the app could be given by somebody who means no good: addresses, flags and other things. */
export const HOSTILE_WORDS = [
  ...SCHEMES.flatMap((scheme) => [`${scheme}:touch%20CANARY`]),
  ...['tandem', 'myapp'].flatMap((scheme) => [`${scheme}://run?command=touch%20CANARY`, `${scheme}:///tmp`]),
  ...FLAGS,
  ...WORDS
]
