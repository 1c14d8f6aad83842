#!/bin/bash
# SPDX-License-Identifier: MIT
# Counts games lost on time with more games at once than processors: tabia-engine against itself, as two UCI
# processes and as two engines in the match's process. Exit code 1 if a game was lost on time.
#   clock.sh BUILD [CLOCK [GAMES [AT_ONCE]]]      CLOCK: tc=1+0.01 (default), tc=40/1, st=0.02, …, also with ,timemargin=MS
set -u
[ $# -ge 1 ] || { sed -n '3,5s/^# //p' "$0" && exit 2; }
build=$1 clock=${2:-tc=1+0.01} games=${3:-1000} at_once=${4:-$((4 * $(nproc)))}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failures=0

# play NAME PLAYER: prints one line of result.
play() {
    "$build/tabia" gauntlet --quiet --engine "name=a,$2,$clock" --engine "name=b,$2,$clock" \
        --games "$games" --threads "$at_once" --pgn "$tmp/$1.pgn" >/dev/null
    local code=$? lost
    lost=$(grep -c '^\[Termination "time forfeit"' "$tmp/$1.pgn")
    # A program that loses a game ends with 5.
    [ $code = 0 ] || { [ $code = 5 ] && [ "$lost" -gt 0 ]; } || exit $code
    printf '%-10s %s: %d games, %d at once on %d processors, load average %s: %d lost on time\n' \
        "$1" "$clock" "$(grep -c '^\[Result' "$tmp/$1.pgn")" "$at_once" "$(nproc)" \
        "$(uptime | sed 's/.*: \([^,]*\).*/\1/')" "$lost"
    failures=$((failures + lost))
}

play processes "cmd=$build/tabia-engine"
play inside weights=builtin
exit $((failures > 0))
