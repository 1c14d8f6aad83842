#!/bin/bash
# SPDX-License-Identifier: MIT
# Debian's UCI and xboard engines that are installed: games of each against ours (GAMES, 4) without a fault, and no
# process left.
#   test_real_engines.sh BUILD SOURCE [GAMES]
. "$(dirname "$0")/prelude.sh"
games=${3:-4}
PATH=$PATH:/usr/games
played=0

# false_claims PGN LOG: counts games lost by a threefold repetition claim that pgn-extract does not confirm. (Sjeng
# compares positions without castling rights.)
false_claims() {
    local claimed unfounded
    claimed=$(grep -c 'bestmove (claims 1/2-1/2 .*repetition' "$2")
    [ "$claimed" = 0 ] && echo 0 && return
    awk -v RS= '/^\[Event/ {tags = $0; next} tags ~ /"rules infraction"/ {print tags "\n\n" $0 "\n"}' "$1" >"$tmp/claimed.pgn"
    unfounded=$(pgn-extract -s -Wepd "$tmp/claimed.pgn" | awk -v RS= -F'\n' '{
        split("", seen)
        for (i = 1; i <= NF; i++) {
            split($i, field, " ")
            last = field[1] " " field[2] " " field[3] " " field[4]
            seen[last]++
        }
        unfounded += seen[last] < 3
    } END {print unfounded + 0}')
    echo $((unfounded < claimed ? unfounded : claimed))
}

# plays PROGRAM KEYS: KEYS limit it. Most engines do not support `go nodes`.
plays() {
    local program=$1 keys=$2 started=$SECONDS session ended claims
    command -v "$program" >/dev/null || { echo "note: no $program" && return; }
    played=$((played + 1))
    setsid --wait sh -c 'echo $$ >"$0"; exec "$@"' "$tmp/session" "$build/tabia" gauntlet --quiet --json \
        --engine weights=builtin,nodes=2000 --engine "cmd=$program,$keys" --games "$games" --max-plies 160 \
        --pgn "$tmp/$program.pgn" --log "$tmp" >"$tmp/out" 2>"$tmp/err"
    local rc=$?
    ended=$(grep -c '^\[Termination "\(normal\|adjudication\)"' "$tmp/$program.pgn")
    claims=$(false_claims "$tmp/$program.pgn" "$tmp/$program.log")
    [ $rc = $((claims ? 5 : 0)) ] || fail "$program: exit code $rc: $(cat "$tmp/err")"
    [ "$claims" = 0 ] || echo "note: $program: lost by claims that were none: $claims"
    [ $((ended + claims)) = "$games" ] ||
        fail "$program: $(grep Termination "$tmp/$program.pgn" | sort | uniq -c); $(grep ' [*!] \|bestmove (' "$tmp/$program.log" | tail -9)"
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
