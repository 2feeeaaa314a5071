# Tandem's part of an interactive zsh. ZDOTDIR leads here first; from the next line on everything is where the user has
# it, so zsh finds their other files by itself. The marks are set up before the first prompt, after all of those.
if [[ -n ${TANDEM_USER_ZDOTDIR+set} ]]; then
  export ZDOTDIR=$TANDEM_USER_ZDOTDIR
  unset TANDEM_USER_ZDOTDIR
else
  unset ZDOTDIR
fi
# Programs never see what the marks are signed with.
typeset -g __tandem_nonce=${TANDEM_SHELL_NONCE-}
unset TANDEM_SHELL_NONCE
# Where the line lies that our key puts into the line editor.
typeset -g __tandem_input=${TANDEM_SHELL_INPUT-}
unset TANDEM_SHELL_INPUT
typeset -g __tandem_script=${${(%):-%x}:A:h:h}/tandem.zsh
{
  if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then
    source ${ZDOTDIR-$HOME}/.zshenv
  fi
} always {
  if [[ -o interactive && -n $__tandem_nonce && -r $__tandem_script ]]; then
    source $__tandem_script
  fi
}
