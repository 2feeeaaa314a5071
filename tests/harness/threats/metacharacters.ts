import fc from 'fast-check'

const CHARACTERS = [
  ...';#$(){}[]<>|&:.=%@-+!~*?,^/\\\'"`éë🜁 \t',
  '\n',
  '\r',
  '\x1b',
  '\0',
  '\x07',
  '\u009b',
  '\u202e',
  '\ufeff'
]

/** Texts made of what means something to a shell, to tmux, to a path or to a terminal, some of which would touch a file. */
export function hostileTexts(canary: string): fc.Arbitrary<string> {
  const command = `touch ${canary}`
  const words = [
    ...[`$(${command})`, `\`${command}\``, `#(${command})`, `; ${command} ;`, `\n${command}\n`, `| ${command}`],
    ...[`' ; ${command} ; '`, `" ; ${command} ; "`, `; run-shell '${command}' ;`, `} ; run-shell "${command}"`],
    ...['=x:', '%1', '$1', '@1', '{last}', '{marked}', '-t', '--', '-X', '../', '/etc/passwd', '~root', '$HOME', '\\;'],
    ...['#{pane_pid}', '#{l:x}', '#[fg=red]', '%H:%M', '\x1b]0;x\x07', '\x1bP$q', '__proto__', 'null', '\ud800']
  ]
  const piece = fc.oneof(fc.constantFrom(...CHARACTERS), fc.constantFrom(...words), fc.string({ maxLength: 4 }))
  return fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''))
}

/** The same without what no file name can hold. */
export function hostileFileNames(canary: string): fc.Arbitrary<string> {
  return hostileTexts(canary.replaceAll('/', '')).map((text) =>
    `d${Buffer.from(text).toString().replaceAll(/[/\0]/g, '_')}`.slice(0, 60)
  )
}
