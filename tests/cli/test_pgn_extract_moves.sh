#!/bin/bash
# SPDX-License-Identifier: MIT
# Random games in our SAN, read by pgn-extract: every move is accepted and means what we meant.
#   test_pgn_extract_moves.sh BUILD SOURCE [GAMES]
set -u
build=$1 games=${3:-300}
extract=$(PATH=$PATH:/usr/games command -v pgn-extract) || { echo 'skipped: no pgn-extract'; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

"$build/walk" pgn "$games" >"$tmp/games.pgn" || exit 1
"$build/walk" moves "$games" >"$tmp/ours" || exit 1
# It exits 0 on illegal moves too: what counts is its standard error.
"$extract" -s -Wuci -w100000 --notags "$tmp/games.pgn" 2>"$tmp/err" | grep -v "^$" |
    sed 's/ *$//; s/\([a-h][18]\)\([NBRQ]\)/\1\L\2/g' >"$tmp/theirs"
grep -v -e '^Warning: Result of \* is inconsistent' -e '^ *$' -e '^File .*: Line number' "$tmp/err" && exit 1
[ "$(wc -l <"$tmp/theirs")" = "$games" ] || { echo 'pgn-extract left games out'; exit 1; }
cmp -s "$tmp/ours" "$tmp/theirs" && exit 0
diff "$tmp/ours" "$tmp/theirs" | head -20
exit 1
