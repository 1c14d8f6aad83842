#!/bin/bash
# SPDX-License-Identifier: MIT
# The engine plays from books that Debian's polyglot makes of games: keys, castling, en passant and
# promotions as that program writes them, weights, options, invalid books.
#   test_book.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
engine=$build/tabia-engine
polyglot=$(command -v polyglot || command -v /usr/games/polyglot) || { echo "polyglot is not installed"; exit 77; }

# make_book NAME: a book of the PGN games on standard input.
make_book() {
    cat >"$tmp/$1.pgn"
    (cd "$tmp" && "$polyglot" make-book -pgn "$1.pgn" -bin "$1.bin" -max-ply 200 -min-game 1) >"$tmp/log" 2>&1 ||
        fail "polyglot makes no $1.bin: $(tail -1 "$tmp/log")"
}

# best MOVES [COMMAND…]: what the engine answers after these moves, with what the commands set.
best() {
    local moves=$1
    shift
    "$engine" 'setoption name OwnBook value true' "$@" "position startpos moves $moves" 'go nodes 100' |
        grep -oE '^bestmove [a-h1-8qrbn]+' | cut -d' ' -f2
}

# follows NAME MOVES: the engine plays each of the moves from the book NAME. No position of the
# games has two moves in the book.
follows() {
    local name=$1 played='' move found
    shift
    for move in "$@"; do
        found=$(best "$played" "setoption name BookFile value $tmp/$name.bin")
        [ "$found" = "$move" ] || fail "$name: $found instead of $move after '$played'"
        played="$played $move"
    done
}

# Both castlings, on both sides; en passant by both; promotions to queen and knight. The weight of a
# move is 2 for a win, 1 for a draw: drawn games keep every move of both sides.
make_book short <<'END'
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O Be7 5. d3 O-O 1/2-1/2
END
follows short e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f8e7 d2d3 e8g8
make_book long <<'END'
[Result "1/2-1/2"]

1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O 1/2-1/2
END
follows long d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1 e8c8
make_book pawns <<'END'
[Result "1/2-1/2"]

1. e4 a5 2. e5 d5 3. exd6 a4 4. dxc7 Nc6 5. cxd8=Q+ Kxd8 6. b4 axb3 7. h4 bxa2 8. Bb2 axb1=N 9. Rxb1 1/2-1/2
END
follows pawns e2e4 a7a5 e4e5 d7d5 e5d6 a5a4 d6c7 b8c6 c7d8q e8d8 b2b4 a4b3 h2h4 b3a2 c1b2 a2b1n a1b1

# Moves in proportion to their weights: of three wins and a draw (6 to 1), over many games.
make_book weights <<'END'
[Result "1-0"]

1. e4 e5 1-0

[Result "1-0"]

1. e4 c5 1-0

[Result "1-0"]

1. e4 e6 1-0

[Result "1/2-1/2"]

1. d4 d5 1/2-1/2
END
for i in $(seq 140); do printf 'go nodes 100\nucinewgame\n'; done >"$tmp/games"
session() { # SEED
    { printf 'setoption name OwnBook value true\nsetoption name BookFile value %s\nsetoption name BookSeed value %s\n' \
        "$tmp/weights.bin" "$1"; cat "$tmp/games"; echo quit; } | "$engine" | grep '^bestmove'
}
session 0 >"$tmp/a"
session 0 >"$tmp/b"
session 1 >"$tmp/c"
n=$(grep -c '^bestmove d2d4$' "$tmp/a")
[ "$(grep -cE '^bestmove [ed]2[ed]4$' "$tmp/a")" = 140 ] || fail "weights: other moves than the book's"
[ "$n" -ge 8 ] && [ "$n" -le 34 ] || fail "weights: 1. d4 in $n of 140 games, not about 20"
cmp -s "$tmp/a" "$tmp/b" || fail "weights: the same session gives other moves"
cmp -s "$tmp/a" "$tmp/c" && fail "weights: another BookSeed gives the same moves"

# When the book is not used: its moves are h4, which no search plays.
make_book odd <<'END'
[Result "1/2-1/2"]

1. h4 h5 2. g4 g5 1/2-1/2
END
book="setoption name BookFile value $tmp/odd.bin"
answers() { # NAME EXPECTED COMMAND…
    local name=$1 expected=$2 found
    shift 2
    found=$("$engine" "$@" | grep -c '^bestmove h2h4$')
    [ "$found" = "$expected" ] || fail "$name: $found book moves, not $expected"
}
answers 'on' 1 'setoption name OwnBook value true' "$book" 'go depth 2'
answers 'clock' 1 'setoption name OwnBook value true' "$book" 'go wtime 1000 btime 1000'
answers 'off' 0 "$book" 'go depth 2'
answers 'no file' 0 'setoption name OwnBook value true' 'go depth 2'
answers 'file taken away' 0 'setoption name OwnBook value true' "$book" 'setoption name BookFile value <empty>' 'go depth 2'
answers 'infinite' 0 'setoption name OwnBook value true' "$book" 'go infinite' 'stop'
answers 'ponder' 0 'setoption name OwnBook value true' "$book" 'go ponder wtime 1000 btime 1000' 'stop'
answers 'mate' 0 'setoption name OwnBook value true' "$book" 'go mate 1 depth 2'
answers 'searchmoves' 0 'setoption name OwnBook value true' "$book" 'go depth 2 searchmoves e2e4'
answers 'MultiPV' 0 'setoption name OwnBook value true' "$book" 'setoption name MultiPV value 2' 'go depth 2'
answers 'BookDepth 0' 0 'setoption name OwnBook value true' "$book" 'setoption name BookDepth value 0' 'go depth 2'
found=$(best 'h2h4' "$book" 'setoption name BookDepth value 1')
[ "$found" != h7h5 ] || fail "BookDepth 1: the book answers on the second ply"
[ "$(best 'h2h4' "$book" 'setoption name BookDepth value 2')" = h7h5 ] || fail "BookDepth 2: no book move on the second ply"

# An invalid book: one error, and the old book stays.
printf 'no book' >"$tmp/bad.bin"
"$engine" 'setoption name OwnBook value true' "$book" "setoption name BookFile value $tmp/bad.bin" 'go depth 2' >"$tmp/out"
grep -q '^info string error: .*bad.bin is not a Polyglot book' "$tmp/out" || fail "bad book: $(head -1 "$tmp/out")"
grep -q '^bestmove h2h4$' "$tmp/out" || fail "bad book: the old book is gone"
mkfifo "$tmp/pipe.bin"
timeout 10 "$engine" "setoption name BookFile value $tmp/pipe.bin" >"$tmp/out"
[ $? = 1 ] || fail "a pipe as a book: exit code $?"
grep -q '^info string error: book .*/pipe.bin cannot be read: it is not a regular file$' "$tmp/out" || fail "a pipe as a book: $(cat "$tmp/out")"
"$engine" "setoption name BookFile value $tmp/none.bin" >"$tmp/out"
grep -q '^info string error: book .*none.bin cannot be read: No such file' "$tmp/out" || fail "missing book: $(head -1 "$tmp/out")"

# The recipe of docs/engine.md
cd "$tmp" || exit 1
"$tabia" selfplay --db book.db --games 40 --depth 1 --random-plies 0 --repeat-openings --vary-margin 30 --vary-until 16 \
    --quiet >/dev/null || fail "selfplay: $?"
"$tabia" db export book.db book.pgn --quiet >/dev/null || fail "export: $?"
make_book recipe <book.pgn
"$engine" "setoption name BookFile value $tmp/recipe.bin" 'setoption name OwnBook value true' 'go depth 1' >"$tmp/out"
grep -q '^info string book move, one of [2-9]' "$tmp/out" || fail "the recipe: $(cat "$tmp/out")"

finish
