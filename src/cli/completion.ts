import { Argument, type Command } from 'commander'
import { completionScript, SHELLS, type Shell } from './completionScripts'
import { commandShapes } from './completionShape'
import { strings } from './strings'

/** `tandem completion bash|zsh|fish`: a script made from the declared commands. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description(strings.completionDescription)
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => {
      process.stdout.write(completionScript(shell, commandShapes(program)))
    })
}
