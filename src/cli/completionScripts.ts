import { type CommandShape, childrenOf, type FlagShape } from './completionShape'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

type Shapes = readonly CommandShape[]

/** The script that teaches a shell to complete these commands. Terminals are asked of the running host. */
export function completionScript(shell: Shell, shapes: Shapes): string {
  if (shell === 'fish') return fishScript(shapes)
  return shell === 'bash' ? bashScript(shapes) : zshScript(shapes)
}

const nameOf = ({ path }: CommandShape) => path.join(' ')
const flagNames = (flags: readonly FlagShape[]) => flags.flatMap(({ names }) => names)
const lastWord = ({ path }: CommandShape) => path.at(-1) ?? ''

/** Quoted so that no shell reads anything into it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** `case` arms that follow the typed words down to a command. */
function walkArms(shapes: Shapes): string {
  return shapes
    .flatMap((shape) => childrenOf(shapes, shape).map((child) => [shape, child] as const))
    .map(([shape, child]) => `      ${quoted(`${nameOf(shape)} ${lastWord(child)}`)}) at=${quoted(nameOf(child))} ;;`)
    .join('\n')
}

/** `case` arms for the word after a flag that takes a value. */
function valueArms(shapes: Shapes, directories: string): string {
  const flags = shapes.flatMap((shape) => shape.flags.filter(({ value }) => value !== 'none'))
  const pattern = (kind: FlagShape['value']) => [...new Set(flagNames(flags.filter(({ value }) => value === kind)))]
  return `    ${pattern('directory').join('|')}) ${directories}; return ;;\n    ${pattern('other').join('|')}) return ;;`
}

function bashScript(shapes: Shapes): string {
  const arms = shapes.map((shape) => {
    const words = [...childrenOf(shapes, shape).map(lastWord), ...shape.choices, ...flagNames(shape.flags)]
    const more = [shape.takesTerminal ? 'terminals=1' : '', shape.takesFolder ? 'folders=1' : ''].filter(Boolean)
    return `    ${quoted(nameOf(shape))}) candidates=${quoted(words.join(' '))}${more.map((one) => `; ${one}`).join('')} ;;`
  })
  return `# bash completion for tandem
_tandem_folders() {
  local one
  while read -r one; do COMPREPLY+=("$(printf '%q' "$one")/"); done < <(compgen -d -- "\${COMP_WORDS[COMP_CWORD]}")
}
_tandem() {
  local word=\${COMP_WORDS[COMP_CWORD]} at='' candidates='' terminals='' folders='' handle name one i
  local -a dir=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
${walkArms(shapes)}
    esac
    if [[ \${COMP_WORDS[i]} == --data-dir && i+1 -lt COMP_CWORD ]]; then dir=(--data-dir "\${COMP_WORDS[i + 1]}"); fi
  done
  case "\${COMP_WORDS[COMP_CWORD - 1]}" in
${valueArms(shapes, '_tandem_folders')}
  esac
  case "$at" in
${arms.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "$word"))
  if [[ $folders && $word != -* ]]; then _tandem_folders; fi
  if [[ $terminals && $word != -* ]]; then
    while IFS=$'\\t' read -r handle name; do
      for one in "$handle" "$name"; do
        if [[ $one == "$word"* ]]; then COMPREPLY+=("$(printf '%q' "$one")"); fi
      done
    done < <("\${COMP_WORDS[0]}" ls --completion \${dir[@]+"\${dir[@]}"} 2>/dev/null)
  fi
}
complete -F _tandem tandem
`
}

function zshScript(shapes: Shapes): string {
  const described = (word: string, text: string) => quoted(`${word.replaceAll(':', '\\:')}:${text}`)
  const arms = shapes.map((shape) => {
    const children = childrenOf(shapes, shape).map((child) => described(lastWord(child), child.description))
    const flags = shape.flags.flatMap((flag) => flag.names.map((name) => described(name, flag.description)))
    const choices = shape.choices.map((choice) => described(choice, ''))
    const more = [shape.takesTerminal ? 'terminals=1' : '', shape.takesFolder ? '_files -/' : ''].filter(Boolean)
    const lists = `commands=(${[...children, ...choices].join(' ')}); flags=(${flags.join(' ')})`
    return `    ${quoted(nameOf(shape))}) ${[lists, ...more].join('; ')} ;;`
  })
  return `#compdef tandem
_tandem() {
  local at='' terminals='' handle name i
  local -a dir commands flags handles
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
${walkArms(shapes)}
    esac
    if [[ \${words[i]} == --data-dir && $((i + 1)) -lt $CURRENT ]]; then dir=(--data-dir "\${(Q)words[i + 1]}"); fi
  done
  case "\${words[CURRENT - 1]}" in
${valueArms(shapes, '_files -/')}
  esac
  case "$at" in
${arms.join('\n')}
  esac
  if [[ -n $terminals ]]; then
    while IFS=$'\\t' read -r handle name; do
      handles+=("$handle:\${name//:/\\\\:}" "\${name//:/\\\\:}:$handle")
    done < <("\${words[1]}" ls --completion "\${dir[@]}" 2>/dev/null)
    _describe -t terminals terminal handles
  fi
  _describe -t commands command commands
  _describe -o -t options option flags
}
if [[ $funcstack[1] == _tandem ]]; then _tandem "$@"; else compdef _tandem tandem; fi
`
}

function fishScript(shapes: Shapes): string {
  const lines = shapes.flatMap((shape) => {
    const when = `complete -c tandem -n ${quoted(`__tandem_at ${fishWord(nameOf(shape))}`)}`
    return [
      ...childrenOf(shapes, shape).map((child) => `${when} -a ${lastWord(child)} -d ${fishWord(child.description)}`),
      ...shape.choices.map((choice) => `${when} -a ${choice}`),
      ...shape.flags.map((flag) => `${when}${fishFlag(flag)} -d ${fishWord(flag.description)}`),
      ...(shape.takesTerminal ? [`${when} -a '(__tandem_terminals)'`] : []),
      ...(shape.takesFolder ? [`${when} -a '(__fish_complete_directories)'`] : [])
    ]
  })
  const arms = shapes.flatMap((shape) =>
    childrenOf(shapes, shape).map(
      (child) =>
        `      case ${fishWord(`${nameOf(shape)} ${lastWord(child)}`)}\n        set at ${fishWord(nameOf(child))}`
    )
  )
  return `# fish completion for tandem
function __tandem_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
${arms.join('\n')}
    end
  end
  test "$at" = "$argv[1]"
end
function __tandem_terminals
  set -l words (commandline -opc)
  set -l dir
  if set -l found (contains -i -- --data-dir $words)
    set dir --data-dir $words[(math $found + 1)]
  end
  for line in ($words[1] ls --completion $dir 2>/dev/null)
    set -l parts (string split -m 1 \\t -- $line)
    printf '%s\\t%s\\n' $parts[1] $parts[2] $parts[2] $parts[1]
  end
end
complete -c tandem -f
${lines.join('\n')}
`
}

function fishFlag({ names, value }: FlagShape): string {
  const words = names.map((name) => (name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`))
  const argument = value === 'none' ? '' : value === 'directory' ? " -x -a '(__fish_complete_directories)'" : ' -x'
  return words.join('') + argument
}

function fishWord(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
