# SPDX-License-Identifier: MIT
# Completion of tabia's command lines for bash: candidates come from the program itself.
_tabia() {
    local IFS=$'\n'
    COMPREPLY=($("$1" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o bashdefault -o default -F _tabia tabia
