#!/bin/bash
# SPDX-License-Identifier: MIT
# Debian's engines, of UCI and of the xboard protocol, whichever are installed: games of each against ours (GAMES, 4)
# without an incident, and nobody left afterwards.
#   test_real_engines.sh BUILD SOURCE [GAMES]
. "$(dirname "$0")/prelude.sh"
games=${3:-4}
PATH=$PATH:/usr/games
failures=0 played=0

# plays PROGRAM KEYS: how it is to be limited. Most of them do not know `go nodes`.
plays() {
    local program=$1 keys=$2 started=$SECONDS session
    command -v "$program" >/dev/null || { echo "note: no $program" && return; }
    played=$((played + 1))
    setsid --wait sh -c 'echo $$ >"$0"; exec "$@"' "$tmp/session" "$build/tabia" gauntlet --quiet --json \
        --engine weights=builtin,nodes=2000 --engine "cmd=$program,$keys" --games "$games" --max-plies 160 \
        --pgn "$tmp/$program.pgn" --log "$tmp" >"$tmp/out" 2>"$tmp/err" ||
        fail "$program: exit code $?: $(cat "$tmp/err")"
    [ "$(grep -c '^\[Termination "\(normal\|adjudication\)"' "$tmp/$program.pgn")" = "$games" ] ||
        fail "$program: $(grep Termination "$tmp/$program.pgn" | sort | uniq -c); $(grep ' [*!] ' "$tmp/$program.log" | tail -5)"
    session=$(cat "$tmp/session")
    ps -s "$session" -o ppid=,stat=,args= | grep -v '^ *1 Z' >"$tmp/left" && fail "$program: left: $(cat "$tmp/left")"
    echo "$program: $games games in $((SECONDS - started)) s"
}

plays stockfish nodes=1000,option.Hash=16,option.Threads=1
plays glaurung depth=4,option.Threads=1
plays toga2 depth=5
plays gnuchess args=--uci,depth=3
plays ethereal-chess depth=6,option.Threads=1
plays phalanx proto=xboard,depth=4
plays sjeng proto=xboard,depth=4
plays hoichess proto=xboard,st=0.1,timemargin=2000

[ $played = 0 ] && echo "none of the engines is installed" && exit 77
finish
