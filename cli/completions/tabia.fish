# SPDX-License-Identifier: MIT
# Completion of tabia's command lines for fish: candidates come from the program itself.
function __tabia_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l lines ($words[1] --complete $words[2..-1] 2>/dev/null)
    test -n "$lines"; and printf '%s\n' $lines; or __fish_complete_path $words[-1]
end
complete -c tabia -f -a '(__tabia_complete)'
