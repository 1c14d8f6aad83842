#!/bin/bash
# SPDX-License-Identifier: MIT
# Random positions of chess, Chess960 and double Chess960: our legal moves, perft 2, the position after a
# move and its checkers agree with Stockfish's.
#   test_stockfish_moves.sh BUILD SOURCE [POSITIONS]
set -u
build=$1 positions=${3:-3000}
stockfish=$(PATH=$PATH:/usr/games command -v stockfish) || { echo 'skipped: no stockfish'; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Stockfish names the en passant square also where the capture is not legal: FENs go through our own reader.
# It orders moves its own way, and answers `d` while it still counts: the answers are numbered and sorted.
canonical() {
    sed -n 's/^Fen: //p' "$1" | "$build/walk" fen >"$tmp/fens" || return 1
    awk -v fens="$tmp/fens" '
        /^[a-h][1-8][a-h][1-8][nbrq]?: / {printf "%06d perft %s\n", nodes + 1, $0}
        /^Nodes searched: / {printf "%06d perft %s\n", ++nodes, $0}
        /^Fen: / {getline fen <fens; printf "%06d position %s\n", ++after, fen}
        /^Checkers:/ {sub(/ *$/, ""); printf "%06d position %s\n", after, $0}' "$1" | LC_ALL=C sort
}

{
    echo 'setoption name UCI_Chess960 value true'
    "$build/walk" uci "$positions"
    echo quit
} | "$stockfish" >"$tmp/theirs.raw" || exit 1
"$build/walk" answers "$positions" >"$tmp/ours.raw" || exit 1
canonical "$tmp/theirs.raw" >"$tmp/theirs" || exit 1
canonical "$tmp/ours.raw" >"$tmp/ours" || exit 1
[ "$(grep -c 'Nodes searched' "$tmp/theirs")" = "$positions" ] || { echo 'Stockfish left positions out'; exit 1; }
cmp -s "$tmp/theirs" "$tmp/ours" && exit 0
diff "$tmp/theirs" "$tmp/ours" | head -40
exit 1
