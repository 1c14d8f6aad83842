#!/bin/bash
# SPDX-License-Identifier: MIT
# UCI sessions with tabia-engine: exact expectations, malformed lines, stop, ponder, the bench signature.
#   test_uci.sh BUILD SOURCE
. "$(dirname "$0")/uci_session.sh"

session handshake <<'END'
uci
isready
quit
END
prints '^id name Tabia '
prints '^id author '
for option in 'Hash type spin' 'Clear Hash type button' 'Threads type spin default 1 min 1 max 1024' 'Ponder type check' \
    'MultiPV type spin' 'Move Overhead type spin' 'UCI_Chess960 type check' 'EvalFile type string'; do
    prints "^option name $option"
done
prints '^uciok$'
[ "$(tail -1 "$tmp/out")" = readyok ] || fail "handshake: readyok is not last"

session depth <<'END'
position startpos moves e2e4 e7e5
go depth 6
await 1
quit
END
prints '^info depth 6 seldepth [0-9]+ multipv 1 score (cp|mate) -?[0-9]+ nodes [0-9]+ nps [0-9]+ hashfull [0-9]+ tbhits 0 time [0-9]+ pv( [a-h][1-8][a-h][1-8][qrbn]?)+$'
prints '^bestmove [a-h][1-8][a-h][1-8]'
counts 1 '^bestmove'

# Win, draw and loss beside each score, mates included; without the option there are none.
session wdl <<'END'
position startpos
go depth 3
await 1
setoption name UCI_ShowWDL value true
go depth 4
await 2
position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1
go depth 3
await 3
quit
END
prints '^info depth 3 seldepth [0-9]+ multipv 1 score cp -?[0-9]+ nodes'
prints '^info depth 4 seldepth [0-9]+ multipv 1 score cp -?[0-9]+ wdl [0-9]+ [0-9]+ [0-9]+ nodes'
prints '^info depth 3 seldepth [0-9]+ multipv 1 score mate 1 wdl 1000 0 0 nodes'
awk '/ wdl / { for (i = 1; i <= NF; i++) if ($i == "wdl" && $(i + 1) + $(i + 2) + $(i + 3) != 1000) exit 1 }' "$tmp/out" ||
    fail 'wdl: the sum is not 1000'

# The line of the last info before bestmove begins with that move, also when a limit ends an iteration, and with threads.
n=0
{
    for threads in 1 4; do
        echo "setoption name Threads value $threads"
        for nodes in 1 50 700 3000 20000; do
            for moves in e2e4 'd2d4 d7d5' 'e2e4 c7c5 g1f3 d7d6 d2d4'; do
                printf 'position startpos moves %s\ngo nodes %d\nawait %d\n' "$moves" "$nodes" $((++n))
            done
        done
    done
    echo quit
} >"$tmp/said"
session last-line <"$tmp/said"
counts 30 '^bestmove'
awk '/^info / { sub(/.* pv /, ""); first = $1 } /^bestmove/ && $2 != first { exit 1 }' "$tmp/out" ||
    fail 'the last info has another move than bestmove'

# Any blanks may stand between the words of a name.
printf 'setoption  name  Move \t Overhead  value  100\nsetoption name Clear   Hash\nsetoption name ClearHash\nquit\n' >"$tmp/said"
session blanks <"$tmp/said"
counts 1 '^info string error'
prints "^info string error: .*'ClearHash'"

# A limited strength ends a search by nodes, with any number of threads; analysis is not limited.
session strength <<'END'
setoption name Threads value 4
setoption name UCI_LimitStrength value true
setoption name UCI_Elo value 1390
position startpos
go movetime 60000
await 1
go depth 9
await 2
go infinite
sleep 0.3
stop
await 3
setoption name UCI_Elo value 99999
quit
END
prints "^info string error: .*UCI_Elo"
limited=$(awk '/^bestmove/ { n++ } n < 2 { for (i = 1; i < NF; i++) if ($i == "nodes" && $(i + 1) > m) m = $(i + 1) } END { print m }' "$tmp/out")
free=$(awk '/^bestmove/ { n++ } n == 2 { for (i = 1; i < NF; i++) if ($i == "nodes" && $(i + 1) > m) m = $(i + 1) } END { print m }' "$tmp/out")
[ "$limited" -le 640 ] && [ "$free" -gt 1000 ] || fail "UCI_Elo: $limited nodes when limited, $free without"

# The end of the input ends other searches at once, but not before depth 1, and waits for one on the clock.
printf '%s\n' 'position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1' 'go depth 40' | "$engine" >"$tmp/out"
grep -q '^bestmove e4d5' "$tmp/out" || fail "the end of the input: $(tail -n 2 "$tmp/out")"
printf '%s\n' 'go movetime 300' | "$engine" >"$tmp/out"
[ "$(grep -c '^info depth' "$tmp/out")" -gt 3 ] || fail "the end of the input cuts a timed search: $(cat "$tmp/out")"

# Lines are whole and nothing follows bestmove; isready is answered while the search runs.
session infinite <<'END'
go infinite
sleep 0.2
isready
sleep 0.1
stop
isready
quit
END
counts 1 '^bestmove'
counts 2 '^readyok$'
[ "$(tail -1 "$tmp/out")" = readyok ] || fail "infinite: stop was not obeyed at once"
[ "$(grep -nE '^(readyok|bestmove)' "$tmp/out" | head -1 | grep -c readyok)" = 1 ] || fail "infinite: no readyok while searching"

# A finished infinite search prints its move only after stop.
session finished_infinite <<'END'
position fen 7k/8/5KQ1/8/8/8/8/8 b - - 0 1
go infinite
sleep 0.3
isready
stop
quit
END
[ "$(grep -E '^(readyok|bestmove)' "$tmp/out" | head -1)" = readyok ] || fail "finished_infinite: bestmove before stop"
prints '^bestmove 0000$'

session stop_at_once <<'END'
go infinite
stop
go ponder wtime 1000 btime 1000
stop
go ponder movetime 50
ponderhit
await 3
quit
END
counts 3 '^bestmove'

session ponder <<'END'
position startpos moves e2e4
go ponder wtime 2000 btime 2000
sleep 0.3
isready
ponderhit
await 1
quit
END
[ "$(grep -E '^(readyok|bestmove)' "$tmp/out" | head -1)" = readyok ] || fail "ponder: bestmove before ponderhit"
counts 1 '^bestmove'

session searchmoves <<'END'
go depth 5 searchmoves a2a3 h2h4
await 1
go searchmoves b2b3 depth 4
await 2
quit
END
prints '^bestmove (a2a3|h2h4)'
prints '^bestmove b2b3'

session mate <<'END'
position fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1
go mate 3
await 1
position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
go depth 3
position fen k7/1Q6/K7/8/8/8/8/8 b - - 0 1
go depth 3
await 3
quit
END
prints '^info .* score mate 3 '
prints '^bestmove f6a6'
counts 2 '^bestmove 0000$'
prints '^info depth 0 score cp 0$'
prints '^info depth 0 score mate 0$'

session nodes <<'END'
go nodes 5000
await 1
quit
END
counts 1 '^bestmove'

session clock <<'END'
go wtime 50 btime 50
await 1
go wtime -100 btime 1000
await 2
go movetime 30
await 3
go wtime 1000 btime 1000 winc 10 binc 10 movestogo 1
await 4
quit
END
counts 4 '^bestmove'

session multipv <<'END'
setoption name MultiPV value 3
go depth 5
await 1
quit
END
prints '^info depth 5 .* multipv 3 '
lacks ' multipv 4 '

# Several threads: one answer each time, all kinds of search, more and fewer threads in between.
session threads <<'END'
setoption name Threads value 4
isready
go depth 8
go infinite
sleep 0.2
stop
setoption name MultiPV value 3
go depth 5
setoption name MultiPV value 1
setoption name Threads value 2
go ponder wtime 500 btime 500
sleep 0.1
ponderhit
ucinewgame
position fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1
go mate 3
setoption name Threads value 1025
setoption name Threads value 0
setoption name Hash value 2
go nodes 20000
setoption name Threads value 1
go depth 5
quit
END
counts 7 '^bestmove'
counts 2 "^info string error: Threads must be a number from 1 to 1024, not '(1025|0)'"
prints ' multipv 3 '
prints '^info .* score mate 3 '

session perft <<'END'
go perft 3
position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
perft 3
quit
END
prints '^e2e4: 600$'
prints '^Nodes searched: 8902$'
prints '^Nodes searched: 97862$'
prints '^e1g1: 2059$'

session display <<'END'
position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 3 9
d
eval
quit
END
prints '^Fen: 4k3/8/8/8/8/8/4r3/4K3 w - - 3 9$'
prints '^Key: [0-9A-F]{16}$'
prints '^Checkers: e2$'
prints '^Evaluation: -?[0-9]+ cp'

session chess960 <<'END'
setoption name UCI_Chess960 value true
position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9
go perft 1
go depth 4
sleep 0.2
quit
END
prints '^Nodes searched: 21$'
counts 1 '^bestmove'

# Letters of rooks that stand as in usual chess change nothing.
session shredder <<'END'
position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1
perft 1
position fen r3k2r/8/8/8/8/8/8/1R2K2R w HBha - 0 1
perft 1
quit
END
counts 1 '^e1g1: 1'
counts 1 '^e1h1: 1'
counts 1 '^e1b1: 1'

# Unknown words before a command and within `go` are reported and skipped.
session unknown_words <<'END'
joho debug on
joho isready
what about go depth 2
go depth 3 frobnicate
go joho infinitely depth 4 wtime btime 1000
go depth 2 movetime 1.5
go depth
go ponder wtime soon
ponderhit
joho quit
isready
END
counts 6 '^bestmove [a-h]'
counts 1 '^readyok$'
counts 3 "^info string error: unknown command 'joho'$"
counts 1 "^info string error: unknown command 'what'$"
prints '^info depth 3 '
prints '^info depth 4 '
prints "^info string error: go: ignored 'joho'$"
lacks "'infinitely'|'soon'|'1.5'" # one word of a line is enough
prints "^info string error: go: ignored 'wtime': needs a number$"
prints "^info string error: go: ignored 'movetime': needs a number$"

# Bad input gives one error, the old position stays for `d`, and the process goes on. `go` has no move after a position
# that was refused.
session hostile <<'END'
position startpos moves e2e4
frobnicate 1 2 3

position
position fen
position fen 8/8/8/8/8/8/8/8 w - - 0 1
position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e5
position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
position startpos moves e2e4 e7e5 e1e8
position nonsense
go depth 1
position startpos moves e2e4
go depth x
go searchmoves e9e4
go wtime
go frobnicate
setoption
setoption name
setoption name Nonsense value 3
setoption name Hash value 0
setoption name Hash value x
setoption name Hash
setoption name Threads value 1000000
setoption name UCI_Chess960 value perhaps
setoption name EvalFile value /no/such/file.h
perft
perft -1
genfens
bench x
ponderhit
stop
d
isready
quit
END
prints '^Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1$'
prints '^readyok$'
counts 4 '^bestmove [a-h]'
counts 1 '^bestmove 0000$'
counts 26 '^info string error: '

# A castling right without its rook and an impossible en passant square are dropped; a clock of either side is a limit.
session dropped <<'END'
position fen 4k3/8/8/8/8/8/8/4K2R w Kk e6 0 1
go binc 1
go btime 10
END
prints '^info string FEN: dropped a castling right that has no rook: "Kk"$'
counts 2 '^bestmove [eh]1'

# Control bytes and very long lines.
{
    head -c 200000 /dev/urandom
    printf '\nposition fen '
    head -c 100000 /dev/zero | tr '\0' 'q'
    printf '\nisready\nquit\n'
} | timeout 60 "$engine" >"$tmp/out" 2>&1 || fail "noise: exit code $?"
name=noise
prints '^readyok$'

# A pipe without a writer as EvalFile or BookFile.
mkfifo "$tmp/pipe"
printf 'setoption name %s value '"$tmp/pipe"'\n' EvalFile BookFile | { cat && printf 'isready\nquit\n'; } |
    timeout 20 "$engine" >"$tmp/out" 2>&1 || fail "a pipe: exit code $?"
name=pipe
prints '^readyok$'
counts 2 'is not a regular file'

# End of input ends a search and the program.
printf 'go infinite\n' | timeout 10 "$engine" >"$tmp/out" 2>&1 || fail "end of input: exit code $?"
name='end of input'
counts 1 '^bestmove'

# Options and weights take effect.
"$build/tabia-engine" "setoption name EvalFile value $source/engine/eval_weights.h" 'go depth 7' >"$tmp/a"
"$build/tabia-engine" 'go depth 7' >"$tmp/b"
[ "$(grep -o ' nodes [0-9]*' "$tmp/a")" = "$(grep -o ' nodes [0-9]*' "$tmp/b")" ] || fail "EvalFile of the built-in weights changes the search"

# genfens prints the requested number of openings; the seed determines them.
"$engine" 'genfens 5 seed 42 book None' quit >"$tmp/a" || fail "genfens: exit code $?"
"$engine" 'genfens 5 seed 42 book None' quit >"$tmp/b"
"$engine" 'genfens 5 seed 43 book None' quit >"$tmp/c"
[ "$(grep -cE '^info string genfens ([1-8pnbrqkPNBRQK]+/?){8} [wb] ' "$tmp/a")" = 5 ] || fail "genfens: not 5 lines"
cmp -s "$tmp/a" "$tmp/b" || fail "genfens: the same seed gives other openings"
cmp -s "$tmp/a" "$tmp/c" && fail "genfens: another seed gives the same openings"
printf 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\nr1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5;\n' >"$tmp/book.epd"
"$engine" "genfens 3 seed 1 book $tmp/book.epd" quit >"$tmp/a"
[ "$(grep -c '^info string genfens ' "$tmp/a")" = 3 ] || fail "genfens from a book: $(cat "$tmp/a")"
{ printf '\xef\xbb\xbf# a comment\n \t\n#another\n' && cat "$tmp/book.epd"; } >"$tmp/commented.epd"
"$engine" "genfens 3 seed 1 book $tmp/commented.epd" quit | cmp -s - "$tmp/a" || fail 'genfens: comments of a book count'
"$engine" "genfens 3 seed 1 book /no/such/book" quit >"$tmp/a"
grep -q '^info string error: cannot read /no/such/book' "$tmp/a" || fail "genfens without its book: $(cat "$tmp/a")"
printf '\nno position at all\n' >"$tmp/book.epd"
"$engine" "genfens 3 seed 1 book $tmp/book.epd" quit >"$tmp/a"
grep -q "^info string error: $tmp/book.epd:2: " "$tmp/a" || fail "genfens from a bad book: $(cat "$tmp/a")"

for option in --help -h --version; do
    "$engine" $option >"$tmp/a" || fail "$option: exit code $?"
    grep -q '^usage: tabia-engine\|^tabia-engine [0-9.]*$' "$tmp/a" || fail "$option: $(cat "$tmp/a")"
done
"$engine" --help >/dev/full 2>/dev/null && fail "--help: no word of a full disk"

# The signature: the last two lines of bench, the same on every machine.
"$engine" bench >"$tmp/out" || fail "bench: exit code $?"
tail -2 "$tmp/out" | head -1 | grep -qE '^[0-9]+ nodes$' || fail "bench: $(tail -2 "$tmp/out")"
tail -1 "$tmp/out" | grep -qE '^[0-9]+ nps$' || fail "bench: $(tail -1 "$tmp/out")"
signature=$(tail -2 "$tmp/out" | head -1 | grep -oE '^[0-9]+')
[ "$signature" = "$(cat "$source/tests/bench.signature")" ] || fail "bench: $signature nodes, but tests/bench.signature has $(cat "$source/tests/bench.signature")"

# Depth, threads and hash may be given; such node counts are not the signature.
"$engine" 'bench 4 2 1' >"$tmp/out" || fail "bench 4 2 1: exit code $?"
tail -1 "$tmp/out" | grep -qE '^[0-9]+ nps$' || fail "bench 4 2 1: $(tail -2 "$tmp/out")"
nodes() { "$engine" "$@" | grep -oE '^[0-9]+ nodes$'; }
plain=$(nodes 'bench 4')
[ "$(nodes "setoption name EvalFile value $source/configs/weights/network.net" 'bench 4')" = "$plain" ] && fail "bench without EvalFile"
[ "$(nodes 'setoption name rfp_margin value 20' 'bench 4')" = "$plain" ] && fail "bench without a constant that was set"
[ "$(nodes 'setoption name Hash value 1' 'setoption name Threads value 2' 'bench 4')" = "$plain" ] || fail "bench: Hash or Threads counts"
[ ! -w /dev/full ] || ! "$engine" 'genfens 2 seed 1 book None' >/dev/full || fail "a full device is not noticed"
[ ! -w /dev/full ] || ! printf 'uci\nquit\n' | "$engine" >/dev/full || fail "a full device is not noticed in a session"
"$engine" 'go depth 1 searchmoves' >"$tmp/out" && fail "an error of go leaves exit code 0: $(cat "$tmp/out")"
(ulimit -s 128 && "$engine" 'genfens 2 seed 1 book None' >"$tmp/out")
[ $? = 1 ] && grep -q 'stack of 128 KiB is too small' "$tmp/out" || fail "genfens with a small stack: $(cat "$tmp/out")"
sed '/MATERIAL/,/S(/s/S(.*/S(100, 100) S(300, 300) S(300, 300) S(500, 500) S(10000, 10000)/' "$source/engine/eval_weights.h" >"$tmp/big.h"
"$engine" "setoption name EvalFile value $tmp/big.h" 'position fen 4k3/QQQQ4/8/8/8/8/8/4K3 b - - 0 1' 'go nodes 1' >"$tmp/out"
grep -q 'score mate' "$tmp/out" && fail "an evaluation is shown as a mate: $(cat "$tmp/out")"
timeout 10 "$engine" 'go movetime 60000' quit | grep -q '^bestmove ' || fail "quit as an argument does not end the search"
"$engine" 'bench 4 0' | grep -q '^info string error: bench threads must be a number from 1 to 1024' || fail "bench 4 0 is taken"

finish
