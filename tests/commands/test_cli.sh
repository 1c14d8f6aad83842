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

# The pages of verbs; golden files of some.
for command in db bench weights; do
    verbs=$("$tabia" --complete help "$command" '' | cut -f 1)
    [ -n "$verbs" ] || fail "tabia help $command: no completion of verbs"
    for verb in $verbs; do
        expect 0 '' "$command" "$verb" --help
        grep -q "^Usage: tabia $command $verb " "$tmp/out" || fail "no page of tabia $command $verb"
        cp "$tmp/out" "$tmp/help"
        expect 0 '' help "$command" "$verb"
        cmp -s "$tmp/help" "$tmp/out" || fail "tabia help $command $verb differs from $command $verb --help"
        expect 0 '' --manual "$command" "$verb"
        grep -q "^.Dt TABIA-${command^^}-${verb^^} 1" "$tmp/out" || fail "no manual page of $command $verb"
    done
    expect 2 "tabia $command: unknown verb \"${verb}x\"; did you mean $verb?" help "$command" "${verb}x"
done
compare db-export db export --help
compare bench-suite bench suite --help
compare weights-emit weights emit --help

# What limits the threads, and how many they are.
[ "$(OMP_NUM_THREADS=3,1 "$tabia" --version | tail -1)" = 'threads by default: 3 (OMP_NUM_THREADS)' ] || fail "OMP_NUM_THREADS"
[ "$(OMP_NUM_THREADS=3 OMP_THREAD_LIMIT=2 "$tabia" --version | tail -1)" = 'threads by default: 2 (OMP_THREAD_LIMIT)' ] ||
    fail "OMP_THREAD_LIMIT"
expect 0 '' --version
grep -qE '^tabia [0-9]+\.[0-9]+\.[0-9]+(, commit [0-9a-f]{12})?$' "$tmp/out" &&
    { [ ! -e "$source/.git" ] || grep -q ', commit' "$tmp/out"; } && grep -q '^reads zstd, gzip, ' "$tmp/out" || fail "--version prints $(cat "$tmp/out")"
grep -qE '^compiled by .+ for .+' "$tmp/out" || fail "--version prints $(cat "$tmp/out")"
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

# Waiting threads do not spin. GCC's library, if it is shared, is initialised before the program.
env -u OMP_WAIT_POLICY OMP_DISPLAY_ENV=verbose "$tabia" perft --depth 1 >/dev/null 2>"$tmp/err"
if grep -q GOMP_SPINCOUNT "$tmp/err" && ! ldd "$tabia" | grep -q libgomp; then
    grep -q "GOMP_SPINCOUNT = '0'" "$tmp/err" || fail "threads spin: $(grep SPIN "$tmp/err")"
fi

finish
