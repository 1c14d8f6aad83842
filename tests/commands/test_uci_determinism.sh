#!/bin/bash
# SPDX-License-Identifier: MIT
# Under node limits the search is deterministic: the positions of two games, each with one of twenty limits from 1
# to MOST nodes, give the same lines after ucinewgame and in a fresh process, for each size of the hash table.
#   test_uci_determinism.sh BUILD SOURCE [MOST]
build=$1 source=$2 most=${3:-20000}
. "$(dirname "$0")/uci_session.sh"

games=(
    'e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5
     c4b5 b8d7 e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7'
    'd2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 f2f3 e8g8 c1e3 b8c6 d1d2 a7a6 g1e2 a8b8 h2h4 h7h5 e2c1 e7e5
     d4d5 c6d4 c1b3 d4b3 a2b3 c7c5 d5c6 b7c6 e1c1 d8e7 d2d6 e7d6 d1d6 c6c5 e3c5 b8b7 c5e3'
)

# Both games from beginning to end, as a player would search them; "go" number k has limit number k mod 20.
for game in "${games[@]}"; do
    echo ucinewgame
    moves=
    for move in $game; do
        moves="$moves $move"
        echo "position startpos moves$moves"
        echo go
    done
done | awk -v most="$most" '/^go/ {$0 = "go nodes " int(exp(log(most) * (k++ % 20) / 19) + 0.5)} {print}' >"$tmp/both"
searches=$(grep -c '^go' "$tmp/both")

# play HASH…: both games once for each of the sizes, in one process; each size's lines go to $tmp/HASH.N.
play() {
    local size set=none n=0
    {
        for size in "$@"; do
            [ "$size" = "$set" ] || printf 'setoption name Hash value %d\n' "$size"
            set=$size
            cat "$tmp/both"
            printf 'ucinewgame\nisready\n'
        done
        echo quit
    } | "$engine" | sed 's/ nps [0-9]*//; s/ time [0-9]*//' >"$tmp/all"
    for size in "$@"; do
        run=$((run + 1))
        awk -v n=$n '/^readyok/ {part++; next} part == n' "$tmp/all" >"$tmp/$size.$run"
        n=$((n + 1))
        name="hash $size"
        [ "$(grep -c '^bestmove [a-h]' "$tmp/$size.$run")" = "$searches" ] || fail "$name: not $searches moves"
    done
}

run=0
play 16 16 1 16 # runs 1 to 4
play 16 1       # runs 5 and 6
for other in 2 4 5; do
    cmp -s "$tmp/16.1" "$tmp/16.$other" || fail "run $other: $(diff "$tmp/16.1" "$tmp/16.$other" | head -3)"
done
cmp -s "$tmp/1.3" "$tmp/1.6" || fail "hash 1: $(diff "$tmp/1.3" "$tmp/1.6" | head -3)"
# The Hash option takes effect: it changes large searches.
[ "$most" -lt 500000 ] || ! cmp -s "$tmp/16.1" "$tmp/1.3" || fail 'hash 1 plays as hash 16'
# The node count equals the limit exactly.
grep '^bestmove' -B1 "$tmp/16.1" | grep -o ' nodes [0-9]*' >"$tmp/counts"
grep -o ' nodes [0-9]*' "$tmp/both" | cmp -s - "$tmp/counts" ||
    fail "counts: $(grep -o ' nodes [0-9]*' "$tmp/both" | diff - "$tmp/counts" | head -5)"
echo "$searches searches of 1 to $most nodes, $run times"

finish
