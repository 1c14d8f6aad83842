# SPDX-License-Identifier: MIT
# Completion of tabia's command lines for bash: candidates come from the program itself.
_tabia() {
    local line=${COMP_LINE:0:COMP_POINT} words
    read -ra words <<<"$line" # COMP_WORDS is split at = and :
    [[ $line == *[[:space:]] ]] && words+=("")
    local word=${words[-1]} IFS=$'\n'
    COMPREPLY=($("$1" --complete "${words[@]:1}" 2>/dev/null | cut -f 1))
    COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*[=:]}"}"}") # Bash replaces what follows the last of them
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
}
complete -o bashdefault -o default -F _tabia tabia
