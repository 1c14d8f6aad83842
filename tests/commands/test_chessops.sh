#!/bin/bash
# SPDX-License-Identifier: MIT
# chessops, a third-party reader, gets the same positions and scores from our PGN, of chess and Chess960. Install it with
# `npm i chessops` in any folder, and set TABIA_JUDGES to that folder.
#   test_chessops.sh BUILD SOURCE [GAMES]
. "$(dirname "$0")/prelude.sh"
games=${3:-60}
command -v node >/dev/null || { echo "skipped: no node"; exit 77; }
[ -d "${TABIA_JUDGES:-}/node_modules/chessops" ] || { echo "skipped: no chessops below TABIA_JUDGES"; exit 77; }
ln -s "$(cd "$TABIA_JUDGES" && pwd)/node_modules" "$tmp/" && cp "$source/tests/tools/chessops_games.mjs" "$tmp/" || exit 1

# Castling rights are written by side or by the rook's file, so only their colours are compared.
normal() { awk -F'[ |]' '{gsub(/[A-Z]/, "X", $3); gsub(/[a-z]/, "x", $3); if ($7 == "-0") $7 = 0; print}'; }

for variant in '' --chess960; do
    "$tabia" selfplay --db "$tmp/g.db" --games "$games" --depth 3 --seed 8 --compact --quiet $variant >/dev/null &&
        "$tabia" db export "$tmp/g.db" "$tmp/g.pgn" --force --quiet >/dev/null || fail "no games $variant"
    "$tabia" db sql "$tmp/g.db" "SELECT fen, CASE score WHEN 32767 THEN 'none' ELSE score END
        FROM tabia_positions ORDER BY game_id, ply" | normal >"$tmp/ours"
    node "$tmp/chessops_games.mjs" "$tmp/g.pgn" | normal >"$tmp/theirs"
    [ "$(wc -l <"$tmp/ours")" -gt $((20 * games)) ] || fail "too few positions $variant"
    cmp -s "$tmp/ours" "$tmp/theirs" || fail "chess $variant: $(diff "$tmp/ours" "$tmp/theirs" | head -4)"
    echo "$(wc -l <"$tmp/theirs") positions $variant"
    rm "$tmp/g.db"
done
finish
