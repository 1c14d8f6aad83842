#!/bin/bash
# SPDX-License-Identifier: MIT
# Bad input gives one error and the old position stays, or the new position can be searched:
# a collection of malformed FENs, random changes to good ones, malformed lines.
#   test_uci_hostile.sh BUILD SOURCE [MUTANTS]
export LC_ALL=C # bytes, not letters
build=$1 source=$2 mutants=${3:-2000}
. "$(dirname "$0")/uci_session.sh"

# Each FEN is tried from the same old position. The search that follows a position is over before the next search.
old='rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1'
try() {
    while IFS= read -r fen; do
        printf 'position startpos moves a2a3\nposition fen %s\nd\ngo nodes 200\n' "$fen"
    done
    printf 'ucinewgame\nisready\nquit\n'
}
# judge NAME FILE: one error and the old position, or none and another, for every line of FILE; a move each time.
judge() {
    name=$1
    try <"$2" | timeout 600 "$engine" >"$tmp/out" 2>"$tmp/err" || fail "$name: exit code $?"
    [ -s "$tmp/err" ] && fail "$name: standard error: $(head -3 "$tmp/err")"
    [ "$(tail -1 "$tmp/out")" = readyok ] || fail "$name: not ready"
    awk -v old="Fen: $old" -v tried="$(wc -l <"$2")" -v name="$name" '
        /^info string error: / {errors++}
        /^Fen: / {
            refused += errors == 1
            if (errors > 1 || (errors == 1) != ($0 == old)) {wrong++; print "wrong after line " NR ": " $0}
            errors = 0
            fens++
        }
        /^bestmove [a-h][1-8][a-h][1-8][nbrq]?( ponder [a-h][1-8][a-h][1-8][nbrq]?)?$|^bestmove 0000$/ {moves++}
        END {
            printf "%s: %d FENs, %d refused, %d played from\n", name, tried, refused, fens - refused
            exit wrong > 0 || fens != tried || moves != tried
        }' "$tmp/out" || fail "$name"
}

if has_data fen/cw-destructive.epd; then
    collection=$data/fen/cw-destructive.epd
    sed 's/\r$//; s/;.*//' "$collection" | grep . >"$tmp/collection"
    judge collection "$tmp/collection"
    tr -d '\r' <"$collection" | grep . >"$tmp/lines"
    judge 'whole lines of the collection' "$tmp/lines"
fi
"$build/walk" positions 2000 >"$tmp/positions" && "$build/walk" mutants "$mutants" <"$tmp/positions" >"$tmp/mutants" ||
    fail 'no mutants'
judge mutants "$tmp/mutants"

# ---- Lines

# ends NAME [PATTERN]: after the lines of standard input the engine still answers isready.
ends() {
    name=$1
    timeout 60 "$engine" >"$tmp/out" 2>"$tmp/err" || fail "$name: exit code $?"
    [ -s "$tmp/err" ] && fail "$name: standard error: $(head -3 "$tmp/err")"
    [ "$(grep -vE '^(info depth|bestmove)' "$tmp/out" | tail -1)" = readyok ] || fail "$name: not ready"
}
many() { head -c "$1" /dev/zero | tr '\0' "$2"; } # N CHARACTER

printf 'uci\r\nposition startpos moves e2e4\r\nd\r\nisready\r' | ends 'CR LF, no end of the last line'
prints '^Fen: .* b KQkq - 0 1$'
lacks error
printf 'position startpos moves e2e4\0 e7e5\nposi\0tion\n\0\n\0\0\0isready\nd\nisready\n' | ends 'NUL bytes'
counts 4 '^info string error'
prints '^Fen: .* w KQkq - 0 1$'
printf '\n \n\t\r\n\v\f\n\nisready\n' | ends 'blank lines'
lacks error
{ many 10000000 x; printf '\nisready\n'; } | ends 'a long word'
{ many 10000000 ' '; printf 'isready\n'; } | ends 'a long blank'
{ printf 'position fen '; many 10000000 8; printf '\nposition fen '; many 10000000 ' '; printf 'x\nisready\n'; } | ends 'long FENs'
{ printf 'setoption name '; many 10000000 n; printf ' value '; many 1000000 v; printf '\nisready\n'; } | ends 'a long option'
{ printf 'go '; yes searchmoves | head -n 500000 | tr '\n' ' '; printf '\nisready\n'; } | ends 'many searchmoves'
{ printf 'go nodes 10 searchmoves'; yes ' e2e4' | head -n 100000 | tr -d '\n'; printf '\nucinewgame\nisready\n'; } |
    ends 'many times the same root move'
prints '^bestmove e2e4'
# A game longer than any counter: the moves are played, the position is right.
{
    printf 'position startpos moves'
    yes ' g1f3 g8f6 f3g1 f6g8' | head -n 40000 | tr -d '\n'
    printf ' e2e4\nd\ngo nodes 100\nucinewgame\nisready\n'
} | ends 'a long game'
prints '^Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 '
prints '^bestmove [a-h]'

session options <<'END'
setoption
setoption name
setoption value
setoption value 3
setoption name value
setoption name Hash
setoption name Hash value
setoption name Hash value 1 2
setoption name Hash value -1
setoption name Hash value 99999999999999999999999
setoption name Hash value 0x10
setoption name Hash value 1e3
setoption name name Hash value 1
setoption Name Hash value 1
setoption name MultiPV value 257
setoption name Nonsense
setoption name UCI_Chess960
setoption name UCI_Chess960 value 1
setoption name Move Overhead value
isready
quit
END
counts 19 '^info string error: '

session good_options <<'END'
setoption name hash value 2
setoption  name   Hash   value   1
setoption name Hash value +4
setoption name Clear Hash
setoption name clear hash value
setoption name UCI_Chess960 value TRUE
setoption name UCI_Chess960 value false
setoption name MOVE OVERHEAD value 20
setoption name EvalFile value
setoption name EvalFile value <empty>
setoption name Ponder value true
setoption name Ponder
go nodes 100
ucinewgame
quit
END
lacks '^info string error: '
counts 1 '^bestmove'

session positions <<'END'
position startpos moves e2e4
position startpos moves e2e5
position startpos moves e2e4 e7e5 e4e5
position startpos moves e2e4 0000
position startpos moves e2e4q
position startpos moves O-O
position startpos moves ♙e4
position startpos e2e4
position startpos startpos
position fen startpos
position moves e2e4
position fen moves e2e4
position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e6 e4e6
position FEN rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
d
isready
quit
END
counts 13 '^info string error: '
prints '^Fen: .* b KQkq - 0 1$'

finish
