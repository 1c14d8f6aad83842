#!/bin/bash
# SPDX-License-Identifier: MIT
# The front of the program: help texts against golden files, exit codes, error lines.
#   test_cli.sh BUILD SOURCE [--update]     --update rewrites tests/commands/golden/*.txt
. "$(dirname "$0")/prelude.sh"
update=${3:-}
golden=$source/tests/commands/golden

# expect CODE PART ARGS…
expect() { outcome "$1" "$2" "$tabia" "${@:3}"; }

# compare NAME ARGS…: standard output equals golden/NAME.txt.
compare() {
    local name=$1
    shift
    expect 0 '' "$@"
    if [ "$update" = --update ]; then
        cp "$tmp/out" "$golden/$name.txt"
    elif ! diff -u "$golden/$name.txt" "$tmp/out"; then
        fail "tabia $*: not golden/$name.txt (test_cli.sh BUILD SOURCE --update rewrites it)"
    fi
    awk 'length > 100' "$tmp/out" | grep . && fail "tabia $*: lines beyond 100 characters"
}

[ "$update" = --update ] && rm -f "$golden"/*.txt
compare tabia --help
commands=$(sed -n 's/^  \([a-z]\+\)  .*/\1/p' "$tmp/out")
expect 0 '' help
cmp -s "$golden/tabia.txt" "$tmp/out" || fail "tabia help differs from tabia --help"
for command in $commands; do
    compare "$command" "$command" --help
    cp "$tmp/out" "$tmp/help"
    expect 0 '' help "$command"
    cmp -s "$tmp/help" "$tmp/out" || fail "tabia help $command differs from tabia $command --help"
    expect 2 "tabia $command: unknown option --no-such-option" "$command" --no-such-option
done

expect 0 '' --version
grep -qE '^tabia [0-9]+\.[0-9]+\.[0-9]+$' "$tmp/out" || fail "--version prints $(cat "$tmp/out")"
expect 2 'tabia: unknown command "frobnicate"' frobnicate
expect 2 'tabia: unknown command "frobnicate"' help frobnicate
for command in $commands; do
    expect 2 "did you mean $command?" "${command}x"
done

# Output that cannot be written is a failure.
# A reader that has gone, as after head, is no error.
for words in help 'help gauntlet' 'elo --help' --manual '--manual elo' '--complete sel' 'elo --wdl 1 2 3'; do
    # shellcheck disable=SC2086
    { sleep 0.1; "$tabia" $words 2>"$tmp/err"; } | true
    [ -s "$tmp/err" ] && fail "tabia $words for a closed pipe: $(cat "$tmp/err")"
done
"$tabia" --help >/dev/full 2>"$tmp/err"
[ $? = 1 ] || fail "a full disk goes unnoticed"
grep -q 'cannot write to standard output' "$tmp/err" || fail "a full disk: $(cat "$tmp/err")"

finish
