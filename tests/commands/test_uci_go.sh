#!/bin/bash
# SPDX-License-Identifier: MIT
# Every form of `go`: limits of any size, mate in N for both sides, searchmoves, MultiPV, commands during a search,
# and Chess960 as GUIs use it. A command that changes the state waits for a search with a limit.
#   test_uci_go.sh BUILD SOURCE
. "$(dirname "$0")/uci_session.sh"

# last_info: the last line of progress.
last_info() { grep '^info depth' "$tmp/out" | tail -1; }

# ---- Limits

# The lines of a short search come in one write.
if strace -f -e trace=write -o "$tmp/calls" "$engine" 'go nodes 100' quit >"$tmp/out" 2>/dev/null; then
    [ "$(grep -c 'write(1,' "$tmp/calls")" = 1 ] || fail "several writes: $(grep 'write(1,' "$tmp/calls")"
    [ "$(wc -l <"$tmp/out")" -gt 2 ] || fail "a short search prints few lines: $(cat "$tmp/out")"
fi

# A limit of 0 or less becomes the least valid one; each `go` gets its move.
session no_limit_at_all <<'END'
go depth 0
go nodes 0
go movetime 0
go movetime -5
go depth -3
go nodes -1
go movestogo -1 wtime 100 btime 100
go wtime -99999999999999999999 btime 1
go wtime 0 btime 0 winc 0 binc 0
ucinewgame
END
counts 9 '^bestmove [a-h]'
lacks '^info string error'

session endless_limits <<'END'
go depth 99999999999999999999
stop
go nodes 99999999999999999999
stop
go wtime 99999999999999999999 btime 1
stop
go movetime 99999999999999999999
stop
go mate 99999999999999999999
stop
quit
END
counts 5 '^bestmove [a-h]'
lacks '^info string error'

# The last reported node count equals the limit.
for nodes in 1 2 17 1000 4321; do
    session "nodes $nodes" <<END
go nodes $nodes
isready
ucinewgame
quit
END
    [[ "$(last_info)" == *" nodes $nodes nps "* ]] || fail "nodes $nodes: $(last_info)"
done

# ---- Commands during a search

# The next command stops a search without a limit and waits for one with a limit.
session during_a_search <<'END'
go
position startpos moves e2e4
d
go infinite
go depth 3
go ponder
ucinewgame
ucinewgame
go infinite
setoption name Hash value 1
go depth 4
position startpos moves a2a4
go depth 5
quit
END
counts 7 '^bestmove [a-h]'
prints '^Fen: .* b KQkq - 0 1$'
prints '^info depth 4 '

session nothing_to_stop <<'END'
stop
ponderhit
stop
go depth 2
ucinewgame
stop
ponderhit
isready
quit
END
counts 1 '^bestmove'
counts 1 '^readyok$'

session ponder <<'END'
go ponder depth 3
sleep 0.1
isready
ponderhit
ucinewgame
go ponder wtime 60000 btime 60000
sleep 0.1
isready
stop
quit
END
[ "$(grep -oE '^(readyok|bestmove)' "$tmp/out" | tr '\n' ' ')" = 'readyok bestmove readyok bestmove ' ] ||
    fail "ponder: $(grep -E '^(readyok|bestmove)' "$tmp/out" | tr '\n' ' ')"

# The time for a move starts with the ponderhit.
session ponder_with_movetime <<'END'
go ponder movetime 1000
sleep 1.1
ponderhit
sleep 0.1
isready
ucinewgame
quit
END
[ "$(grep -oE '^(readyok|bestmove)' "$tmp/out" | tr '\n' ' ')" = 'readyok bestmove ' ] ||
    fail "$name: $(grep -E '^(readyok|bestmove)' "$tmp/out" | tr '\n' ' ')"

session quit_during_a_search <<'END'
go infinite
sleep 0.1
quit
END
counts 1 '^bestmove'

# ---- Mate

# mate N FEN: `go mate |N|` says so and stops; positive for the side to move.
mate() {
    session "mate $1" <<END
position fen $2
go mate ${1#-}
sleep 0.5
isready
stop
quit
END
    [[ "$(last_info)" == *" score mate $1 "* ]] || fail "$name: $(last_info)"
    [ "$(grep -oE '^(readyok|bestmove)' "$tmp/out" | head -1)" = bestmove ] || fail "$name: did not stop"
}
mate 1 '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1'
mate 2 'k7/8/2K5/8/8/8/8/7R w - - 0 1'
mate 3 'r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1'
mate 4 '5k2/1R6/3K4/8/8/8/8/8 w - - 0 1'
mate 5 '2q1nk1r/4Rp2/1ppp1P2/6Pp/3p1B2/3P3P/PPP1Q3/6K1 w - - 0 1'
mate -1 '4k3/8/3K4/8/8/8/8/5R2 b - - 0 1'
mate -3 '7k/8/5K2/8/8/8/8/6R1 b - - 0 1'

# A search for a mate that is not there ends when something else is to be done.
session no_mate <<'END'
go mate 64
sleep 0.1
ucinewgame
isready
go depth 1
quit
END
[ "$(grep -oE '^(readyok|bestmove)' "$tmp/out" | tr '\n' ' ')" = 'bestmove readyok bestmove ' ] ||
    fail "$name: $(grep -E '^(readyok|bestmove)' "$tmp/out" | tr '\n' ' ')"

session game_over <<'END'
position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
go depth 3
go mate 2
go nodes 100
position fen k7/1Q6/K7/8/8/8/8/8 b - - 0 1
go depth 3
go infinite
stop
go perft 2
quit
END
counts 5 '^bestmove 0000$'
counts 3 '^info depth 0 score cp 0$'
counts 2 '^info depth 0 score mate 0$'
prints '^Nodes searched: 0$'

# No output of the previous search follows.
session game_over_for_threads <<'END'
setoption name Threads value 2
go depth 8
position fen k7/1Q6/K7/8/8/8/8/8 b - - 0 1
go depth 3
quit
END
prints '^bestmove 0000$'
counts 1 '^info depth 0 '

# ---- Root moves and lines

# Illegal moves are ignored; if no move remains, all moves are searched.
session searchmoves <<'END'
go depth 3 searchmoves e2e5
go searchmoves a2a3 e2e5 depth 3
go searchmoves e9e4 h2h3 depth 3 searchmoves
go searchmoves
isready
END
counts 4 '^bestmove [a-h]'
counts 1 '^bestmove a2a3'
counts 1 '^bestmove h2h3'
counts 2 "^info string error: go: ignored 'e2e5': not a legal move$"
counts 1 "^info string error: go: ignored 'e9e4': not a legal move$"
counts 2 '^info string error: go: no legal move after searchmoves; all moves are searched$'

session searchmoves_and_lines <<'END'
setoption name MultiPV value 5
go depth 4 searchmoves a2a3 h2h3 a2a3
ucinewgame
END
prints '^info depth 4 .* multipv 2 '
lacks ' multipv 3 '
prints '^bestmove (a2a3|h2h3)'

session more_lines_than_moves <<'END'
setoption name MultiPV value 256
position fen 7k/8/8/8/8/8/1q6/K6r w - - 0 1
go depth 3
position fen 8/8/8/8/8/1k6/8/K6R w - - 0 1
go depth 3
ucinewgame
END
lacks ' multipv 15 '
counts 2 '^bestmove a1b2|^bestmove h1'

# Lines come best first, each with its own first move.
session lines <<'END'
setoption name MultiPV value 4
position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
go depth 6
ucinewgame
END
prints '^info depth 6 .* multipv 4 '
grep '^info depth 6 ' "$tmp/out" | grep -oE 'score cp -?[0-9]+' | cut -d' ' -f3 | sort -nrc || fail 'lines: not in order'
[ "$(grep '^info depth 6 ' "$tmp/out" | sed 's/.* pv \([a-h1-8]*\).*/\1/' | sort -u | wc -l)" = 4 ] ||
    fail 'lines: a move stands twice'

# ---- Chess960

# Castling is king takes rook once UCI_Chess960 is set, also in positions of chess; before, the king's two steps.
session castling_forms <<'END'
position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8
d
position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1
go perft 1
go nodes 50 searchmoves e1g1
setoption name UCI_Chess960 value true
position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1
go perft 1
go nodes 50 searchmoves e1h1
position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1 e8a8
d
setoption name UCI_Chess960 value false
position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1
go perft 1
ucinewgame
END
counts 2 '^e1g1: 1$'
counts 1 '^e1h1: 1$'
counts 1 '^bestmove e1g1'
counts 1 '^bestmove e1h1'
counts 2 '^Fen: 2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2$'
lacks '^info string error'

# The option applies to the current start position too.
session option_without_position <<'END'
setoption name UCI_Chess960 value true
d
isready
END
prints '^Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1$'

# It ends with the option, except for positions that need it.
session option_taken_back <<'END'
setoption name UCI_Chess960 value true
position startpos moves e2e4
setoption name UCI_Chess960 value false
d
position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9
setoption name UCI_Chess960 value true
setoption name UCI_Chess960 value false
d
isready
END
prints '^Fen: .* b KQkq - 0 1$'
prints '^Fen: .* w HFhf - 2 9$'

# Castling of every shape; X-FEN and Shredder-FEN letters name the same rooks.
session castling_shapes <<'END'
setoption name UCI_Chess960 value true
position fen 4k3/8/8/8/8/8/8/5KR1 w K - 0 1 moves f1g1
d
position fen 4k3/8/8/8/8/8/8/6KR w H - 0 1 moves g1h1
d
position fen 4k3/8/8/8/8/8/8/RK6 w A - 0 1 moves b1a1
d
position fen 1r2k3/8/8/8/8/8/8/6KR b b - 0 1 moves e8b8
d
position fen 4k3/8/8/8/8/8/8/1K4RR w G - 0 1 moves b1g1
d
isready
END
prints '^Fen: 4k3/8/8/8/8/8/8/5RK1 b - - 1 1$'
prints '^Fen: 4k3/8/8/8/8/8/8/2KR4 b - - 1 1$'
prints '^Fen: 2kr4/8/8/8/8/8/8/6KR w - - 1 2$'
prints '^Fen: 4k3/8/8/8/8/8/8/5RKR b - - 1 1$'
lacks '^info string error'

# Commands as arguments are a whole session: a search that they start may finish.
"$engine" 'position fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1' 'go mate 3' >"$tmp/out" || fail 'arguments: exit code'
name=arguments
prints '^bestmove f6a6'
for argument in foo 'genfens 5 seed 1 book /no.epd' 'setoption name Hash value x' 'go perft x'; do
    "$engine" "$argument" >"$tmp/out" && fail "$argument: exit code 0"
    prints '^info string error: '
done

# A search thread has enough stack, whatever the C library's default (musl: 128 KB).
if ! sanitized; then
    (ulimit -s 128 && exec "$engine" 'go depth 18' >"$tmp/out" 2>&1)
    code=$?
    name='little stack'
    [ $code = 0 ] || fail "$name: exit code $code"
    prints '^bestmove '
fi

# Without a search thread `stop` cannot be read: an infinite search ends by itself.
if ! sanitized && command -v prlimit >/dev/null; then
    name='no thread'
    coproc "$engine" 2>&1
    pid=$COPROC_PID
    exec 3<&"${COPROC[0]}" 4>&"${COPROC[1]}"
    echo isready >&4
    read -r -t 10 <&3
    pages=$(cut -d' ' -f1 "/proc/$pid/statm")
    prlimit --pid "$pid" --as=$((pages * $(getconf PAGESIZE) + (4 << 20))) || fail "$name: prlimit"
    printf '%s\n' 'go infinite' 'go ponder wtime 200 btime 200' 'go depth 4' 'go searchmoves' quit >&4
    timeout 20 cat <&3 >"$tmp/out" || {
        fail "$name: does not end"
        kill "$pid"
    }
    wait "$pid" || fail "$name: exit code $?"
    counts 4 '^bestmove [a-h]'
    counts 4 '^info string error: go: cannot create a search thread; stop has no effect$'
fi

finish
