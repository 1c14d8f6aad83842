#!/bin/bash
# SPDX-License-Identifier: MIT
# Every file in configs/ is read without an error, with its keys after semicolons too, and between them they name every
# option of the command; with the two that play, games are played as they stand.
#   test_configs.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"

# The INI file is read before the command line is applied: a bad option there ends it without running anything.
understood() {
    "$tabia" "$1" --config "$2" --threads no 2>"$tmp/err"
    grep -qF -- '--threads needs a whole number' "$tmp/err" || fail "$3: $(cat "$tmp/err")"
}

for file in "$source"/configs/*.ini; do
    command=$(sed -n 's/^\[\(.*\)\]$/\1/p' "$file")
    understood "$command" "$file" "$file"
    sed 's/^;//' "$file" >"$tmp/all.ini"
    understood "$command" "$tmp/all.ini" "$file without its semicolons"
    "$tabia" "$command" --help=all | sed -n 's/^      --\([a-z0-9-]*\).*/\1/p' |
        grep -vxE 'config|help|version' >"$tmp/options"
    while read -r option; do
        grep -qE "^;?$option = " "$file" || fail "$file does not name $option"
    done <"$tmp/options"
    [ "$(wc -l <"$tmp/options")" -gt 10 ] || fail "$command: help not understood"
done

# plays COMMAND ARGS…
plays() {
    "$tabia" "$1" --config "$source/configs/$1.ini" --quiet --games 2 --nodes 20 --threads 1 "${@:2}" \
        >/dev/null 2>"$tmp/err" || fail "$1.ini: exit code $?: $(cat "$tmp/err")"
}

plays gauntlet --a zero --b zero
plays selfplay --db "$tmp/games.db"

finish
