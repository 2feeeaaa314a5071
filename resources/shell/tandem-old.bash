# Loaded by tandem.bash where bash has no sign of its own before a command: before version 4.4, or without promptvars.

# Where there is no PS0: the first simple command after a prompt is the beginning.
__tandem_debug() {
  local status=$?
  [[ ${FUNCNAME[1]-} != __tandem_* ]] || return 0
  if [[ -n $__tandem_is_waiting && -z ${COMP_LINE-} && -z ${READLINE_LINE-} && $BASH_COMMAND != __tandem_* ]]; then
    __tandem_is_waiting=
    __tandem_is_loaded=
    __tandem_put_back
    if ((__tandem_is_known)); then
      __tandem_is_known=0
      builtin printf '%s' "${__tandem_known[1]}" >/dev/tty
    else
      __tandem_begin >/dev/tty
    fi
  fi
  return 0
}

# A line that is nothing but a subshell never came by there; one that added no history was perhaps an empty one. One of
# ours was told by its subshell, or made no sense.
__tandem_begin_late() {
  local __tandem_entry __tandem_line __tandem_number isLoaded=$__tandem_is_loaded
  __tandem_is_waiting=
  __tandem_is_loaded=
  __tandem_put_back
  [[ -z $isLoaded ]] || return 0
  __tandem_read_history
  __tandem_is_old || __tandem_begin >/dev/tty
}

# Before bash 4 nothing of ours can write into the line editor: the line becomes the newest of the history, and our key
# goes there as the arrow does. It is then kept once, and only if the shell would have kept it.
__tandem_offer() {
  local __tandem_entry __tandem_line __tandem_number
  __tandem_read_history
  __tandem_offered=$1
  __tandem_before=$__tandem_line
  __tandem_control=${HISTCONTROL-}
  __tandem_size=${HISTSIZE-unset}
  [[ $__tandem_size != 0 ]] || HISTSIZE=1
  HISTCONTROL=
  local number=$__tandem_number
  builtin history -s "$1"
  __tandem_read_history
  # It takes the line before for the one that called it, and removes that, but never twice in a row.
  if [[ -n $number && $__tandem_number == "$number" ]]; then
    builtin history -d "$number"
    builtin history -s "$__tandem_before"
    builtin history -s "$1"
    __tandem_read_history
  fi
  __tandem_offer_number=$__tandem_number
  HISTCONTROL=ignoredups
  # The way there would ring the bell.
  __tandem_bell=$(builtin bind -v)
  __tandem_bell=${__tandem_bell#*set bell-style }
  __tandem_bell=${__tandem_bell%%[!a-z]*}
  builtin bind 'set bell-style none'
  # It has just gone to a line of its own to run us, and draws its prompt again afterwards.
  ((BASH_VERSINFO[0] >= 4)) || builtin printf '\e[A\r\e[J' >/dev/tty
}

# The line that was offered is taken: the history is again as the user wants it.
__tandem_put_back() {
  [[ -n $__tandem_offered ]] || return 0
  local __tandem_entry __tandem_line __tandem_number isKept=1
  HISTCONTROL=$__tandem_control
  builtin bind "set bell-style $__tandem_bell"
  __tandem_read_history
  # Of several lines it keeps each by itself, or adds them to what we offered.
  if [[ $__tandem_number != "$__tandem_offer_number" ]]; then
    isKept=
  elif [[ $__tandem_line != "$__tandem_offered" ]]; then
    builtin history -d "$__tandem_offer_number"
    builtin history -s "$__tandem_offered"
  fi
  case :$__tandem_control: in
    *:ignoreboth:* | *:ignorespace:*) [[ $__tandem_offered != ' '* ]] || isKept= ;;
  esac
  case :$__tandem_control: in
    *:ignoreboth:* | *:ignoredups:* | *:erasedups:*) [[ $__tandem_offered != "$__tandem_before" ]] || isKept= ;;
  esac
  [[ -n $isKept ]] || builtin history -d "$__tandem_offer_number"
  [[ $__tandem_size != 0 ]] || HISTSIZE=0
  __tandem_offered=
}
