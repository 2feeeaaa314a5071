# Tandem's part of an interactive fish, run after the user's own configuration: lets it say where its prompts and
# commands begin and end.

# Programs never see what the marks are signed with.
set -g __tandem_nonce $TANDEM_SHELL_NONCE
set -e TANDEM_SHELL_NONCE
# Where the line lies that our key puts into the line editor.
set -g __tandem_input $TANDEM_SHELL_INPUT
set -e TANDEM_SHELL_INPUT
set -g __tandem_undo

if test -n "$__tandem_nonce"; and status is-interactive
    function __tandem_begin --on-event fish_preexec
        # fish forgets lines that begin with a space, and everything in a private session.
        if string match -q -- ' *' $argv[1]; or set -q fish_private_mode
            printf '\e]133;C;tandem=%s\a' $__tandem_nonce
        else
            set -l line (string sub -l 16384 -- $argv[1] | string collect)
            printf '\e]133;C;tandem=%s;%s;\a' $__tandem_nonce (string escape --style=url -- $line | string join '%0A')
        end
    end

    function __tandem_finish --on-event fish_postexec
        set -g __tandem_status $status
        __tandem_tell
    end

    # With which code the last command ended; also when it is asked for again.
    function __tandem_tell
        printf '\e]133;D;tandem=%s;%s\a' $__tandem_nonce $__tandem_status
    end

    # Our key: takes the line that lies ready, as if it had been typed.
    function __tandem_load
        test -r "$__tandem_input"; and source $__tandem_input
    end

    # One that is not complete is not left there: fish would wait for the rest. One that makes no sense it complains
    # about, and leaves it to be mended.
    function __tandem_put
        commandline -r -- $argv[1]
        # Behind a backslash Enter begins a new line, whatever stands before it.
        if string match -qr '(?<!\\\\)(?:\\\\\\\\)*\\\\$' -- "$argv[1]"
            __tandem_clear
            return
        end
        commandline --is-valid
        switch $status
            case 2
                __tandem_clear
            case 1
                printf '\e]133;P;tandem=%s;invalid\a' $__tandem_nonce
        end
    end

    # Throws away what stands in the line editor, and says so.
    function __tandem_clear
        commandline -r ''
        printf '\e]133;P;tandem=%s\a' $__tandem_nonce
    end

    # Remembers how the variable $argv[1] was.
    function __tandem_saved
        set -l name $argv[1]
        if set -q $name
            set -l scope -g
            set -qx $name; and set scope -gx
            set -a __tandem_undo "set $scope $name "(string join ' ' -- (string escape -- $$name))
        else
            set -a __tandem_undo "set -e $name"
        end
    end

    # Everything is again as it was before the line.
    function __tandem_undone
        set -l code $__tandem_undo
        set -g __tandem_undo
        for line in $code
            eval $line
        end
    end

    for mode in default insert visual
        bind -M $mode \x1e __tandem_load
        bind -M $mode \cx\x1e __tandem_load
    end

    function __tandem_prompt --on-event fish_prompt
        __tandem_undone
        set -l place (string escape --style=url -- $PWD | string join '%0A')
        printf '\e]7;file://%s@%s%s\a\e]133;A;tandem=%s\a' $__tandem_nonce $hostname $place $__tandem_nonce
    end

    # The user's prompt, and after it the sign that it is drawn.
    functions -c fish_prompt __tandem_user_prompt
    function fish_prompt
        __tandem_user_prompt
        printf '\e]133;B;tandem=%s\a' $__tandem_nonce
    end
end
