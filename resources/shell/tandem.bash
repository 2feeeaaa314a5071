# Tandem's part of an interactive bash. It is given with --rcfile, so it loads the user's own files itself, as they are,
# and then lets the shell say where its prompts and commands begin and end. Nothing of the user's is written.

# Programs never see what the marks are signed with: it leaves the environment before anything else runs.
__tandem_nonce=${TANDEM_SHELL_NONCE-}
unset TANDEM_SHELL_NONCE
# Where the line lies that our key puts into the line editor.
__tandem_input=${TANDEM_SHELL_INPUT-}
unset TANDEM_SHELL_INPUT
__tandem_undo=
__tandem_is_later=
# What this bash can do goes by its version; tests have a newer one take the ways of an older.
__tandem_version=${TANDEM_SHELL_VERSION-$((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1]))}
unset TANDEM_SHELL_VERSION

__tandem_prompt_start=$'\e]133;A;tandem='$__tandem_nonce$'\a'
__tandem_prompt_end=$'\e]133;B;tandem='$__tandem_nonce';'
__tandem_command_start=$'\e]133;C;tandem='$__tandem_nonce
__tandem_command_end=$'\e]133;D;tandem='$__tandem_nonce';'
__tandem_more=$'\e]133;P;tandem='$__tandem_nonce$'\a'
__tandem_place=$'\e]7;file://'$__tandem_nonce'@'
__tandem_close=$'\a'
unset __tandem_nonce

# At the end of the prompt. It names variables instead of holding their values: an exported PS1 tells nothing, and in
# another shell it is empty.
__tandem_suffix='\[${__tandem_prompt_end:+$__tandem_prompt_end$?$__tandem_close}\]'
# At its beginning: where somebody takes our hooks away, it is the prompt that says how the last command ended.
__tandem_prefix='\[${__tandem_prompt_end:+$__tandem_command_end$?;prompt$__tandem_close}\]'
__tandem_waiter='\[${__tandem_more-}\]'
# Before a command. What is known of it needs no process to say so, and holds once: the subscript sees to that.
__tandem_starter='${__tandem_prompt_end:+${__tandem_known[__tandem_is_known]-$({ __tandem_begin; } 2>/dev/null)}'\
'${__tandem_known[__tandem_is_known=0]-}}'
__tandem_known=()
__tandem_is_known=0
__tandem_last_entry=
__tandem_last_number=
__tandem_is_waiting=
__tandem_is_loaded=
__tandem_offered=
# Longer lines are cut, so that no mark grows over what a terminal takes.
__tandem_longest=16384

# Percent-encodes $1 into __tandem_encoded: whatever could end a mark, or would be taken for a part of it.
__tandem_encode() {
  __tandem_encoded=$1
  # Most lines have nothing of that, and a change of the locale takes longer than the rest.
  [[ $1 == *[%\;[:cntrl:]]* || $1 == *[![:ascii:]]* ]] || return 0
  local LC_ALL=C text=$1 hex index byte code
  text=${text//%/%25}
  text=${text//;/%3B}
  text=${text//$'\n'/%0A}
  text=${text//$'\t'/%09}
  if [[ $text == *[[:cntrl:]]* || $text == *$'\xc2'[$'\x80'-$'\x9f']* ]]; then
    __tandem_encoded=
    for ((index = 0; index < ${#text}; index++)); do
      byte=${text:index:1}
      if [[ $byte == [[:cntrl:]] || $byte == [$'\x80'-$'\xff'] ]]; then
        builtin printf -v code '%d' "'$byte"
        builtin printf -v hex '%02X' "$((code & 255))"
        byte=%$hex
      fi
      __tandem_encoded+=$byte
    done
  else
    __tandem_encoded=$text
  fi
}

# The newest line of the history into __tandem_entry (with its number), __tandem_number and __tandem_line.
__tandem_read_history() {
  __tandem_entry=
  __tandem_line=
  __tandem_number=
  [[ -o history ]] || return 0
  __tandem_entry=$(HISTTIMEFORMAT= builtin history 1)
  __tandem_line=${__tandem_entry#"${__tandem_entry%%[![:space:]]*}"}
  __tandem_number=${__tandem_line%%[!0-9]*}
  __tandem_line=${__tandem_line#"$__tandem_number"}
  __tandem_line=${__tandem_line:2}
}

# Where the history stands at a prompt. Its number says so without a process; where an entry may take the number of one
# that is erased, and in a bash that counts differently here and there, the newest entry does.
__tandem_note_history() {
  local __tandem_entry __tandem_line __tandem_number
  __tandem_last_entry=
  __tandem_last_number=
  if [[ -n $__tandem_uses_numbers && -o history && :${HISTCONTROL-}: != *:erasedups:* ]]; then
    __tandem_last_number=${HISTCMD-}
  fi
  if [[ -z $__tandem_last_number ]]; then
    __tandem_read_history
    __tandem_last_entry=$__tandem_entry
  fi
}

# Whether __tandem_entry was there at the prompt already.
__tandem_is_old() {
  if [[ -n $__tandem_last_number ]]; then
    [[ ${HISTCMD-} == "$__tandem_last_number" ]]
  else
    [[ $__tandem_entry == "$__tandem_last_entry" ]]
  fi
}

# A command begins: says so, with its line if the shell keeps it in its history.
__tandem_begin() {
  local kind=';' __tandem_entry __tandem_line __tandem_number __tandem_encoded=
  __tandem_read_history
  if __tandem_is_old; then
    # Nothing was added: the same line once more, or one that is meant to be forgotten.
    case :${HISTCONTROL-}: in
      *:ignoreboth:* | *:ignorespace:*:ignoredups:* | *:ignoredups:*:ignorespace:*) kind=';repeat' ;;
      *:ignoredups:* | *:erasedups:*) ;;
      *) __tandem_entry= ;;
    esac
    [[ -z ${HISTIGNORE-} ]] || __tandem_entry=
  fi
  if [[ -n $__tandem_entry ]]; then
    __tandem_encode "${__tandem_line:0:__tandem_longest}"
    builtin printf '%s' "$__tandem_command_start;$__tandem_encoded$kind$__tandem_close"
  else
    builtin printf '%s' "$__tandem_command_start$__tandem_close"
  fi
}

# Before every prompt, first: the last command is over. Leaves $? as it was, except where that would end the shell.
__tandem_finish() {
  local status=$?
  __tandem_over "$status"
  __tandem_tell
  [[ $- != *e* ]] || return 0
  return "$status"
}

# The last command is over, with the code $1.
__tandem_over() {
  __tandem_status=$1
  if [[ -n $__tandem_is_waiting ]]; then __tandem_begin_late; fi
  __tandem_is_loaded=
  __tandem_is_known=0
  [[ -n $__tandem_is_later ]] || __tandem_undone
}

# Before every prompt, where nobody else has anything to do there: both in one word.
__tandem_finish_and_prompt() {
  local status=$?
  __tandem_over "$status"
  __tandem_prompt "$__tandem_command_end$status$__tandem_close" || :
}

# With which code the last command ended; also when it is asked for again.
__tandem_tell() {
  builtin printf '%s' "$__tandem_command_end$__tandem_status$__tandem_close" >/dev/tty
}

# Before every prompt, last: where we are, and what other hooks may have taken away is put back. $1 is said before.
__tandem_prompt() {
  if [[ $PWD != "${__tandem_directory-}" ]]; then
    __tandem_encode "$PWD"
    __tandem_directory=$PWD
    __tandem_directory_mark=$__tandem_place${HOSTNAME-}$__tandem_encoded$__tandem_close
  fi
  if builtin shopt -q promptvars; then
    case $PS1 in
      "$__tandem_prefix"*"$__tandem_suffix") ;;
      *)
        PS1=${PS1//"$__tandem_prefix"/}
        PS1=$__tandem_prefix${PS1//"$__tandem_suffix"/}$__tandem_suffix
        ;;
    esac
    case ${PS2-} in
      "$__tandem_waiter"*) ;;
      *) PS2=$__tandem_waiter${PS2-} ;;
    esac
  else
    PS1=${PS1//"$__tandem_prefix"/}
    PS1=${PS1//"$__tandem_suffix"/}
    PS2=${PS2//"$__tandem_waiter"/}
  fi
  __tandem_note_history
  builtin printf '%s' "${1-}$__tandem_directory_mark$__tandem_prompt_start" >/dev/tty
  __tandem_arm
}

# The next command will say that it begins.
__tandem_arm() {
  if [[ -n $__tandem_uses_prompt_string ]]; then
    case ${PS0-} in
      *"$__tandem_starter"*) ;;
      *) PS0=${PS0-}$__tandem_starter ;;
    esac
  else
    __tandem_is_waiting=1
  fi
}

# Our key: takes the line that lies ready, as if it had been typed.
__tandem_load() {
  [[ ! -r $__tandem_input ]] || . "$__tandem_input"
} 2>/dev/null

# Puts $1 into the line editor. What holds for it alone ends with it; with $2 only when we are told.
__tandem_put() {
  # Somebody may have set the hooks afresh.
  case ${PROMPT_COMMAND[*]-} in
    *__tandem_finish*__tandem_prompt* | *__tandem_finish_and_prompt*) ;;
    *)
      __tandem_hook
      __tandem_arm
      ;;
  esac
  if [[ -n $__tandem_uses_history ]]; then
    __tandem_offer "$1"
  else
    READLINE_LINE=$1
    READLINE_POINT=${#1}
  fi
  __tandem_is_later=${2-}
  __tandem_is_loaded=1
  __tandem_know "$1"
  # Then a subshell, too, says that it begins.
  if [[ -z $__tandem_uses_prompt_string && $1 == *'('* && $- != *T* ]]; then
    set -T
    __tandem_undo+='set +T;'
  fi
  if [[ $1 == *!* && $- == *H* ]]; then
    set +H
    __tandem_undo+='set -H;'
  fi
}

# The next command is $1. What the history is to forget is not said.
__tandem_know() {
  local __tandem_encoded
  if [[ $1 == ' '* || -n ${HISTIGNORE-} || ! -o history ]]; then
    __tandem_known[1]=$__tandem_command_start$__tandem_close
  else
    __tandem_encode "${1:0:__tandem_longest}"
    __tandem_known[1]="$__tandem_command_start;$__tandem_encoded;$__tandem_close"
  fi
  __tandem_is_known=1
}

# Remembers how the variable $1 was.
__tandem_saved() {
  local value attributes
  if [[ -n ${!1+set} ]]; then
    builtin printf -v value '%q' "${!1}"
    attributes=$(builtin declare -p "$1")
    attributes=${attributes#declare }
    __tandem_undo+="$1=$value;"
    [[ ${attributes%% *} == *x* ]] || __tandem_undo+="export -n $1;"
  else
    __tandem_undo+="unset $1;"
  fi
}

# Everything is again as it was before the line.
__tandem_undone() {
  local __tandem_code=$__tandem_undo
  __tandem_undo=
  __tandem_is_later=
  [[ -z $__tandem_code ]] || builtin eval "$__tandem_code"
}

__tandem_bind() {
  local map
  for map in emacs vi-insert vi-command; do
    # An old one runs commands for sequences of two keys at most.
    builtin bind -m "$map" -x '"\C-x\C-^": __tandem_load'
    if [[ -n $__tandem_uses_history ]]; then
      builtin bind -m "$map" '"\C-x\C-_1": kill-whole-line'
      builtin bind -m "$map" '"\C-x\C-_2": end-of-history'
      builtin bind -m "$map" '"\C-x\C-_3": previous-history'
      builtin bind -m "$map" '"\C-^": "\C-x\C-_1\C-x\C-^\C-x\C-_2\C-x\C-_3"'
    else
      builtin bind -m "$map" -x '"\C-^": __tandem_load'
    fi
  done
} 2>/dev/null

# Our hooks, first and last among those before every prompt; one for both where there are no others.
__tandem_hook() {
  local first='{ __tandem_finish; } 2>/dev/null' last='{ __tandem_prompt || :; } 2>/dev/null'
  local both='{ __tandem_finish_and_prompt; } 2>/dev/null' index
  for index in "${!PROMPT_COMMAND[@]}"; do
    case ${PROMPT_COMMAND[index]} in
      "$first" | "$last" | "$both") unset "PROMPT_COMMAND[$index]" ;;
    esac
  done
  if [[ ! ${PROMPT_COMMAND[*]-} =~ [^[:space:]\;] ]]; then
    unset PROMPT_COMMAND
    PROMPT_COMMAND=$both
  elif ((__tandem_version >= 501)) && [[ ${PROMPT_COMMAND[@]@a} == *a* ]]; then
    PROMPT_COMMAND=("$first" "${PROMPT_COMMAND[@]}" "$last")
  else
    PROMPT_COMMAND=$first$'\n'${PROMPT_COMMAND-}$'\n'$last
  fi
}

__tandem_setup() {
  # Whatever an agent runs here is added to the history file; what is in it stays.
  builtin shopt -s histappend
  [[ -n ${HISTFILESIZE+set} ]] || HISTFILESIZE=
  __tandem_uses_prompt_string=
  __tandem_uses_numbers=
  if builtin shopt -q promptvars && ((__tandem_version >= 404)); then
    __tandem_uses_prompt_string=1
    ((__tandem_version < 502)) || __tandem_uses_numbers=1
  fi
  [[ -n $__tandem_uses_prompt_string ]] || . "${BASH_SOURCE[0]%/*}/tandem-old.bash"
  __tandem_uses_history=
  if ((__tandem_version < 400)); then
    __tandem_uses_history=1
    # Once it has run us from a key, it asks for the rest of a line with its first prompt.
    __tandem_suffix='\[${__tandem_is_loaded:+${__tandem_more-}}\]'$__tandem_suffix
  fi
  __tandem_hook
}

# As a login shell: that is where people set their PATH. A PATH that was asked for stays in front of the system's.
__tandem_path=$PATH
if [[ -r /etc/profile ]]; then
  # Debian's asks who we are of a program, which takes longer than all the rest of it; bash knows.
  if builtin declare -F id >/dev/null; then
    . /etc/profile
  else
    function id {
      if [[ $# == 1 && $1 == -u ]]; then builtin echo "$EUID"; else builtin command id "$@"; fi
    }
    . /etc/profile
    unset -f id
  fi
fi
if [[ $OSTYPE == linux* && $PATH != "$__tandem_path" ]]; then
  while [[ -n $PATH ]]; do
    case :$__tandem_path: in
      *:"${PATH%%:*}":*) ;;
      *) __tandem_path+=:${PATH%%:*} ;;
    esac
    [[ $PATH == *:* ]] || break
    PATH=${PATH#*:}
  done
  PATH=$__tandem_path
fi
unset __tandem_path

__tandem_file=
if [[ -r ~/.bash_profile ]]; then
  __tandem_file=~/.bash_profile
elif [[ -r ~/.bash_login ]]; then
  __tandem_file=~/.bash_login
elif [[ -r ~/.profile ]]; then
  __tandem_file=~/.profile
fi
if [[ -n $__tandem_file ]]; then
  . "$__tandem_file"
fi
# Most login files load ~/.bashrc; one that does not speak of it leaves that to us.
__tandem_text=
if [[ -n $__tandem_file ]]; then
  IFS= builtin read -r -d '' __tandem_text <"$__tandem_file" || :
fi
if [[ -r ~/.bashrc && $__tandem_text != *bashrc* ]]; then
  unset __tandem_text
  . ~/.bashrc
fi
unset __tandem_text

if [[ -n $__tandem_prompt_end ]]; then
  unset __tandem_file
  __tandem_setup || :
  __tandem_bind || :
fi
# The user's own trap does not hear of our functions. `case` leaves it $? and $_ as they are.
__tandem_trap=$(builtin trap -p DEBUG)
__tandem_trap=${__tandem_trap#trap -- }
__tandem_trap=${__tandem_trap% DEBUG}
if [[ -n $__tandem_trap ]]; then
  builtin eval "__tandem_trap=$__tandem_trap"
  __tandem_trap='case $BASH_COMMAND in __tandem_*) ;; *) '$__tandem_trap$'\n;; esac'
fi
if [[ -z $__tandem_uses_prompt_string ]]; then
  __tandem_trap='{ __tandem_debug; } 2>/dev/null'$'\n'$__tandem_trap
fi
if [[ -n $__tandem_trap ]]; then
  builtin trap -- "$__tandem_trap" DEBUG
fi
unset __tandem_trap
