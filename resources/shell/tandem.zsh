# Loaded by our .zshenv: lets zsh say where its prompts and commands begin and end.

typeset -g __tandem_prompt_start=$'\e]133;A;tandem='$__tandem_nonce$'\a'
typeset -g __tandem_prompt_end=$'%{\e]133;B;tandem='$__tandem_nonce$'\a%}'
typeset -g __tandem_command_start=$'\e]133;C;tandem='$__tandem_nonce
typeset -g __tandem_command_end=$'\e]133;D;tandem='$__tandem_nonce
typeset -g __tandem_place=$'\e]7;file://'$__tandem_nonce'@'
# zsh prints this before any hook, and with it the sign for a missing newline, which is no part of a command's output.
typeset -g __tandem_end_sign=$'%{\e]133;D;tandem='$__tandem_nonce$';%?;sign\a%}'
typeset -g __tandem_more=$'%{\e]133;P;tandem='$__tandem_nonce$'\a%}'
typeset -g __tandem_undo=
unset __tandem_nonce __tandem_script

# Percent-encodes $1 into REPLY, byte by byte.
__tandem_encode() {
  emulate -L zsh -o extendedglob -o nomultibyte
  local LC_ALL=C MATCH MBEGIN MEND
  REPLY=${1//(#m)[^ !-\$&-:<-~]/%${(l:2::0:)$(([##16] #MATCH))}}
}

# Before every prompt, first: the last command is over.
__tandem_finish() {
  local code=$?
  emulate -L zsh +o xtrace
  typeset -g __tandem_status=$code
  __tandem_tell
  __tandem_undone
  return $code
}

# With which code the last command ended; also when it is asked for again.
__tandem_tell() {
  print -rn -- "$__tandem_command_end;$__tandem_status"$'\a' >/dev/tty
}

# Before every prompt, last: where we are, and the end of the prompt, which others may have written afresh.
__tandem_prompt() {
  local isPercent=
  [[ -o promptpercent ]] && isPercent=1
  emulate -L zsh +o xtrace
  local REPLY
  if [[ $PWD != ${__tandem_directory-} ]]; then
    __tandem_encode $PWD
    typeset -g __tandem_directory=$PWD __tandem_directory_mark=$__tandem_place${HOST-}$REPLY$'\a'
  fi
  print -rn -- $__tandem_directory_mark$__tandem_prompt_start >/dev/tty
  __tandem_dress $isPercent
  if [[ ${PROMPT_EOL_MARK-} != $__tandem_end_sign* ]]; then
    typeset -g PROMPT_EOL_MARK=$__tandem_end_sign${PROMPT_EOL_MARK-%B%S%#%s%b}
  fi
  __tandem_arrange
}

# Prompts tell where they end and when a line is not complete; $1 says that their percent signs mean something.
__tandem_dress() {
  local isPercent=${1-}
  if [[ -n $isPercent && $PS1 != *$__tandem_prompt_end ]]; then
    PS1=${PS1//$__tandem_prompt_end/}$__tandem_prompt_end
  fi
  if [[ -n $isPercent && ${PS2-} != $__tandem_more* ]]; then
    PS2=$__tandem_more${PS2-}
  fi
}

# A command begins. While it runs the prompt is the user's own again: an exported one tells nothing.
__tandem_begin() {
  local isHidden=
  [[ -o histignorespace && $1 == ' '* ]] && isHidden=1
  emulate -L zsh +o xtrace
  PS1=${PS1//$__tandem_prompt_end/}
  PS2=${PS2//$__tandem_more/}
  local REPLY=
  if [[ -z $isHidden && -n $1 ]]; then
    __tandem_encode ${1[1,16384]}
    print -rn -- "$__tandem_command_start;$REPLY;"$'\a' >/dev/tty
  else
    print -rn -- $__tandem_command_start$'\a' >/dev/tty
  fi
}

# Our key: takes the line that lies ready, as if it had been typed.
__tandem_load() {
  # Somebody may have set the hooks afresh.
  if [[ ${precmd_functions-} != *__tandem_prompt || ${preexec_functions-} != *__tandem_begin ]]; then
    __tandem_dress ${${options[promptpercent]}:#off}
    __tandem_arrange
  fi
  [[ ! -r $__tandem_input ]] || source $__tandem_input
}

# Puts $1 into the line editor; what holds for it alone ends with it.
__tandem_put() {
  BUFFER=$1
  CURSOR=$#BUFFER
  if [[ $1 == *!* && -o banghist ]]; then
    __tandem_undo+="histchars=${(qq)histchars};"
    # The option itself is looked at before the line is read.
    histchars=$'\x01'${histchars[2,3]}
  fi
}

# Remembers how the variable $1 was.
__tandem_saved() {
  local flag=+x
  [[ ${(tP)1} != *export* ]] || flag=-x
  if [[ -n ${(P)1+set} ]]; then
    __tandem_undo+="typeset -g $flag $1=${(qq)${(P)1}};"
  else
    __tandem_undo+="unset $1;"
  fi
}

# Everything is again as it was before the line.
__tandem_undone() {
  local __tandem_code=$__tandem_undo
  typeset -g __tandem_undo=
  [[ -z $__tandem_code ]] || eval $__tandem_code
}

zle -N __tandem_load
() {
  local map
  for map in emacs viins vicmd; do bindkey -M $map '^^' __tandem_load '^X^^' __tandem_load; done
}

# Other hooks come and go; ours stay first and last.
__tandem_arrange() {
  emulate -L zsh +o xtrace
  typeset -ga precmd_functions preexec_functions
  local -a others=(${precmd_functions:#__tandem_*})
  precmd_functions=(__tandem_finish $others __tandem_prompt)
  preexec_functions=(${preexec_functions:#__tandem_*} __tandem_begin)
}

__tandem_arrange
