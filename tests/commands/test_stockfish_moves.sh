#!/bin/bash
# SPDX-License-Identifier: MIT
# Random positions of chess, Chess960 and double Chess960, and positions of real games: our divide, the position
# after every move and its checkers agree with Stockfish's.
#   test_stockfish_moves.sh BUILD SOURCE [POSITIONS [DEPTH]]
. "$(dirname "$0")/prelude.sh"
positions=${3:-400} depth=${4:-2}
stockfish=$(PATH=$PATH:/usr/games command -v stockfish) || { echo 'skipped: no stockfish'; exit 77; }

# Stockfish prints the en passant square also when the capture is illegal, so FENs go through our reader. Its move
# order differs, and it answers `d` while still counting: answers are numbered and sorted. Its total is ignored, since
# a `position` read meanwhile can change it.
canonical() {
    sed -n 's/^Fen: //p' "$1" | "$build/walk" fen >"$tmp/fens" || return 1
    awk -v fens="$tmp/fens" '
        /^[a-h][1-8][a-h][1-8][nbrq]?: / {printf "%06d perft %s\n", nodes + 1, $0}
        /^Nodes searched: / {printf "%06d perft end\n", ++nodes}
        /^Fen: / {getline fen <fens; printf "%07d position %s\n", ++after, fen}
        /^Checkers:/ {sub(/ *$/, ""); printf "%07d position %s\n", after, $0}' "$1" | LC_ALL=C sort
}

"$build/walk" positions "$positions" >"$tmp/positions" || exit 1
if has_data labelled/real-games.epd.zst; then
    zstd -dcq "$data/labelled/real-games.epd.zst" | awk -v n="$positions" 'NR % int(600000 / n) == 0 {print $1, $2, $3, $4}' |
        "$build/walk" fen >>"$tmp/positions" || exit 1
fi
{
    echo 'setoption name UCI_Chess960 value true'
    "$build/walk" commands "$depth" <"$tmp/positions"
    echo quit
} | "$stockfish" | grep -E '^([a-h][1-8][a-h][1-8][nbrq]?|Nodes searched|Fen|Checkers):' >"$tmp/theirs.raw"
"$build/walk" answers "$depth" <"$tmp/positions" >"$tmp/ours.raw" || exit 1
canonical "$tmp/theirs.raw" >"$tmp/theirs" || exit 1
canonical "$tmp/ours.raw" >"$tmp/ours" || exit 1
[ "$(grep -c 'perft end' "$tmp/theirs")" = "$(wc -l <"$tmp/positions")" ] ||
    { echo 'Stockfish left positions out'; exit 1; }
awk '/perft end/ {n++; next} /perft/ {nodes += $4} /position Checkers/ {after++}
    END {printf "%d positions, %d moves, %d nodes\n", n, after, nodes}' "$tmp/theirs"
cmp -s "$tmp/theirs" "$tmp/ours" && exit 0
diff "$tmp/theirs" "$tmp/ours" | head -40
exit 1
