#!/bin/bash
# SPDX-License-Identifier: MIT
# Books for `tabia gauntlet` and `tabia selfplay`: EPD, PGN, Polyglot; order, depth and start; a warning when
# openings repeat.
#   test_openings.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
cd "$tmp" || exit 1

# expect CODE PART ARGS…
expect() { outcome "$1" "$2" "$tabia" "${@:3}" --quiet; }

# starts FILE: prints the start boards in order of the games.
starts() { "$tabia" db sql "$1" "SELECT substr(start_fen, 1, instr(start_fen, ' ') - 1) FROM games ORDER BY game_no"; }

# lines FILE: the moves without a score of the games with an even number.
lines() {
    "$tabia" db sql "$1" "SELECT group_concat(line, ' | ') FROM (SELECT group_concat(move, ' ') AS line FROM tabia_positions
        JOIN games USING (game_id) WHERE game_no % 2 = 0 AND tabia_positions.score IS NULL GROUP BY game_no)"
}
cat >book.pgn <<'PGN'
[Event "one"]

1. e4 e5 2. Nf3 *

1. d4 d5 2. c4 {a comment} e6 (2... c6) 3. Nc3 1/2-1/2

1. c4 *
PGN
match() { expect "$1" "$2" gauntlet --a material --b zero --depth 1 --max-plies 20 "${@:3}"; }

# A line's moves are the first of its games, without scores, in the store, in PGN and for engines.
match 0 '' --openings book.pgn --order sequential --opening-plies 3 --games 6 --db lines.db --pgn lines.pgn
[ "$(lines lines.db)" = 'e2e4 e7e5 g1f3 | d2d4 d7d5 c2c4 | c2c4' ] || fail "lines of PGN: $(lines lines.db)"
[ "$(starts lines.db | uniq)" = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ] || fail "lines begin at $(starts lines.db)"
[ "$(grep -c '^1\. e4 e5 2\. Nf3 \|^1\. d4 d5 2\. c4 \|^1\. c4 ' lines.pgn)" = 6 ] && ! grep -q FEN lines.pgn || fail "lines.pgn: $(cat lines.pgn)"
"$tabia" db export lines.db again.pgn --quiet && "$tabia" db import again-lines.db again.pgn --quiet >out &&
    [ "$(lines again-lines.db)" = "$(lines lines.db)" ] || fail "lines after import: $(lines again-lines.db)"
expect 0 '' db check lines.db
"$tabia" db info lines.db --json | grep -q '"openings": 3,' || fail "openings: $("$tabia" db info lines.db --json)"
for threads in 1 3; do
    match 0 '' --openings book.pgn --order sequential --opening-plies 3 --games 6 --threads $threads --db lines$threads.db
    [ "$("$tabia" db digest lines$threads.db)" = "$("$tabia" db digest lines.db)" ] || fail "$threads threads play other games"
done
printf '#!/bin/sh\ntee -a heard.txt | exec "%s/tabia-engine"\n' "$build" >engine.sh && chmod +x engine.sh
expect 0 '' gauntlet --engine cmd=./engine.sh --engine weights=zero --each depth=1 --max-plies 4 --games 2 \
    --openings book.pgn --order sequential --opening-plies 3 --pgn heard.pgn
grep -qE '^position startpos moves e2e4 e7e5 g1f3 [a-h1-8]+$' heard.txt && grep -qx 'position startpos moves e2e4 e7e5 g1f3' heard.txt ||
    fail "an engine heard: $(cat heard.txt)"
grep -q 'PlyCount "7"' heard.pgn || fail "--max-plies counts the line: $(cat heard.pgn)"
# Random moves after a line: a position. A repetition within a line counts; the last moves of a long one are kept.
printf '1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *\n\n1. e4 *\n' >repeated.pgn
match 0 'openings left out: 1, the first: repeated.pgn:1: the game is over in this position (repetition); --opening-plies N' \
    --openings repeated.pgn --games 2
python3 - >long.pgn <<'END'
pawns = [f"{file}{rank} {file}{9 - rank}" for rank in (3, 4) for file in "abcdegh"]
print("".join("Nf3 Nf6 Ng1 Ng8 " * 10 + pawn + " " for pawn in pawns) + "*")
END
match 0 '' --openings long.pgn --games 2 --db long.db
[ "$("$tabia" db sql long.db 'SELECT min(ply_count) > 512 AND max(ply_count) <= 532 FROM games')" = 1 ] || fail "a long line"
# What is no opening is left out and named; a castling right without its rook is dropped and named; Ctrl-Z ends a file.
printf '7k/5Q2/6K1/8/8/8/8/8 b - -\nnonsense\n4k3/8/8/8/8/8/8/4K2R w Kk -\0\r\n\x1a' >odd.epd
"$tabia" gauntlet --a zero --b zero --nodes 1 --max-plies 2 --games 2 --openings odd.epd --db odd.db --quiet 2>err >out || fail "odd.epd: $(cat err)"
[ "$(cat err)" = 'note: odd.epd: openings left out: 2, the first: odd.epd:1: the game is over in this position (stalemate)
note: odd.epd: openings with a castling right or en passant square dropped: 1, the first: odd.epd:3: FEN: dropped a castling right that has no rook: "Kk"' ] ||
    fail "odd.epd: $(cat err)"
[ "$(starts odd.db | uniq)" = 4k3/8/8/8/8/8/8/4K2R ] || fail "odd.epd: $(starts odd.db)"
printf '[White "a"]\n\n1. e4 Ke3 *\n\n[White "b"]\n\n1. d4 *\n' >odd.pgn
match 0 'openings left out: 1, the first: odd.pgn:3: move "Ke3"' --openings odd.pgn --games 2 --db oddgame.db
match 0 '' --openings book.pgn --order sequential --opening-start 3 --games 2 --db start.db
[ "$(lines start.db)" = c2c4 ] || fail "start: $(lines start.db)"
echo 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -' >one.epd
# The same games again are no proof; those of programs, clocks or threads may differ.
match 2 'one.epd has 1 opening, the match needs 2: these players would play the same games again' --openings one.epd --games 4
match 2 'book.pgn has 3 openings, the match needs 4' --openings book.pgn --games 8
match 2 'chess without random plies has 1 opening, the match needs 2' --random-plies 0 --games 4
match 0 '' --random-plies 0 --games 2
match 0 '' --random-plies 0 --games 20 --chess960
program() { expect 0 "$1" gauntlet --engine "cmd=$build/tabia-engine" --engine weights=zero --each depth=1 --max-plies 8 "${@:2}"; }
program 'note: book.pgn has 3 openings, the match needs 4: they repeat; use a larger file or play fewer games' --openings book.pgn --games 8
program 'note: chess without random plies has 1 opening, the match needs 2: they repeat' --random-plies 0 --games 4
# Random moves may follow a book's line, as in self-play.
match 0 '' --openings book.pgn --games 12 --random-plies 3 --db random.db
[ "$(starts random.db | sort -u | wc -l)" = 6 ] || fail "random moves after a book: $(starts random.db)"
[ "$("$tabia" db sql random.db "SELECT config ->> 'random_plies' || ' ' || (config ->> 'book_start') FROM runs")" = '3 0' ] ||
    fail "random moves after a book are not in the configuration"
match 2 '--opening-max-score needs --random-plies above 0' --openings book.pgn --games 2 --opening-max-score 50
gzip -k book.pgn && match 0 '' --openings book.pgn.gz --games 2
match 3 'book.bin.zst: unpack it first' --openings book.bin.zst --games 2
match 3 'book.pgn has 3 openings' --openings book.pgn --opening-start 4 --games 2
match 2 '--opening-plies needs --openings' --opening-plies 3 --games 2
match 2 'sequential or random' --openings book.pgn --order alphabetical --games 2
printf '\n1. e4 e5 2. Ke3 *\n' >bad.pgn
match 3 'bad.pgn:2: move "Ke3": not legal' --openings bad.pgn --games 2

expect 2 'b.pgn: openings are written as EPD' openings --out b.pgn --count 2 --random-plies 2
expect 2 '--opening-max-score needs --random-plies above 0' openings --out b.epd --count 1 --random-plies 0 --opening-max-score 50
expect 2 '--verify-nodes needs --random-plies above 0' openings --out b.epd --count 1 --random-plies 0 --verify-nodes 50
expect 2 'b.bin: openings are written as EPD' openings --out b.bin --count 2 --random-plies 2

# A search of other nodes rejects other positions, and makes another run.
for nodes in 1 1000; do
    expect 0 '' openings --out "verified$nodes.epd" --count 100 --random-plies 30 --opening-max-score 100 --verify-nodes $nodes
done
! cmp -s verified1.epd verified1000.epd || fail "--verify-nodes changes no opening"
expect 0 '' selfplay --db nodes.db --games 1 --nodes 50
expect 0 '' selfplay --db nodes.db --games 2 --nodes 50 --verify-nodes 1000
expect 2 'verify_nodes 999 instead of 1000' selfplay --db nodes.db --games 3 --nodes 50 --verify-nodes 999

# A bound that no position meets: the search ends.
echo '4k3/8/8/8/8/8/8/QQQ1K3 w - -' >lopsided.epd
expect 3 'only 0 openings found: each of the next 3200 positions has a score beyond 50 centipawns' \
    openings --out none.epd --count 1000 --openings lopsided.epd --random-plies 1 --opening-max-score 50
[ ! -e none.epd ] || fail "a book without openings"
for command in 'selfplay --db' 'gauntlet --a zero --b zero --db'; do
    # shellcheck disable=SC2086
    expect 1 'opening 1: 200 random positions in a row have a score beyond 50 centipawns; use another --opening-max-score' \
        $command none.db --games 2 --nodes 50 --openings lopsided.epd --random-plies 1 --opening-max-score 50
done

# Self-play from a book, with and without random plies after it
expect 0 '' selfplay --db book.db --openings book.pgn --order sequential --games 3 --nodes 50
[ "$(lines book.db)" = 'e2e4 e7e5 g1f3 | c2c4' ] || fail "self-play from a book: $(lines book.db)"
expect 2 'or --repeat-openings' selfplay --db again.db --openings book.pgn --games 4 --nodes 50
expect 0 '' selfplay --db again.db --openings book.pgn --games 4 --nodes 50 --repeat-openings
expect 0 '' selfplay --db moved.db --openings book.pgn --games 6 --random-plies 4 --nodes 50
[ "$(starts moved.db | sort -u | wc -l)" = 6 ] || fail "random moves after a book: $(starts moved.db)"
expect 2 'book_start' selfplay --db book.db --openings book.pgn --order sequential --opening-start 2 --games 3 --nodes 50
expect 0 '' db check moved.db

# Chess960
if has_data openings/FRC_openings.epd; then
    match 0 '' --openings "$data/openings/FRC_openings.epd" --opening-start 7 --games 4 --db frc.db --pgn frc.pgn
    expect 0 '' db check frc.db
    [ "$(grep -c 'Variant "Chess960"' frc.pgn)" = 4 ] || fail "no Chess960"
fi

# A third-party book
polyglot=$(command -v polyglot || echo /usr/games/polyglot)
if [ -x "$polyglot" ]; then
    "$polyglot" make-book -pgn book.pgn -bin book.bin -min-game 1 >/dev/null 2>&1
    match 0 '' --openings book.bin --order sequential --opening-plies 1 --games 4 --db bin.db
    [[ "$(lines bin.db)" =~ ^[a-h][1-8][a-h][1-8]" | "[a-h][1-8][a-h][1-8]$ ]] || fail "Polyglot: $(lines bin.db)"
    match 0 '' --openings book.bin --games 2
    : >empty.bin
    match 3 'empty.bin' --openings empty.bin --games 2
fi

finish
