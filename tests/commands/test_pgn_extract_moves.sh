#!/bin/bash
# SPDX-License-Identifier: MIT
# Random chess positions and positions of real games: given from and to squares of each legal move, pgn-extract
# writes the same SAN and FEN as we do.
#   test_pgn_extract_moves.sh BUILD SOURCE [POSITIONS]
. "$(dirname "$0")/prelude.sh"
positions=${3:-1000}
extract=$(PATH=$PATH:/usr/games command -v pgn-extract) || { echo 'skipped: no pgn-extract'; exit 77; }

"$build/walk" positions "$positions" >"$tmp/positions" || exit 1
if has_data labelled/real-games.epd.zst; then
    zstd -dcq "$data/labelled/real-games.epd.zst" | awk -v n="$positions" 'NR % int(600000 / n) == 0 {print $1, $2, $3, $4}' >>"$tmp/positions"
fi
"$build/walk" pgn <"$tmp/positions" >"$tmp/games.pgn" || exit 1
"$build/walk" san <"$tmp/positions" >"$tmp/ours.raw" || exit 1
# It exits 0 on illegal moves too, so standard error is checked.
"$extract" -s -Wsan --fencomments --notags -w1000 "$tmp/games.pgn" 2>"$tmp/err" | grep -v '^$' >"$tmp/theirs.raw"
sed 's/Games: [0-9]*\r*//g' "$tmp/err" |
    grep -v -e '^Warning: Result of \* is inconsistent' -e '^ *$' -e '^File .*: Line number' && exit 1
# "12... Nf6 { FEN } *" becomes "Nf6 FEN"; it names the en passant square after every double step, so that both
# sides' FENs go through our reader.
sed -i 's/^[0-9]*\.* *\([^ ]*\) { \(.*\) }.*/\1 \2/' "$tmp/theirs.raw"
for side in ours theirs; do
    cut -d' ' -f2- "$tmp/$side.raw" | "$build/walk" fen | paste -d' ' <(cut -d' ' -f1 "$tmp/$side.raw") - >"$tmp/$side"
done
[ "$(wc -l <"$tmp/theirs")" -gt $((10 * positions)) ] || { echo 'pgn-extract left games out'; exit 1; }
echo "$(wc -l <"$tmp/theirs") moves"
cmp -s "$tmp/ours" "$tmp/theirs" && exit 0
diff "$tmp/ours" "$tmp/theirs" | head -20
exit 1
