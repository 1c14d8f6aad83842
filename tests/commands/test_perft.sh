#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia perft: known counts in every file layout, mismatches, malformed input, JSON.
#   test_perft.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"

# expect CODE PATTERN ARGS…: exit code, and PATTERN (a fixed string) in standard output or error.
expect() {
    local code=$1 pattern=$2
    shift 2
    "$tabia" perft "$@" >"$tmp/out" 2>"$tmp/err"
    local got=$?
    [ $got = "$code" ] || fail "perft $*: exit code $got, not $code: $(cat "$tmp/err")"
    cat "$tmp/out" "$tmp/err" | grep -qF -- "$pattern" || fail "perft $*: no \"$pattern\" in: $(cat "$tmp/out" "$tmp/err")"
}

kiwipete='r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'

expect 0 '197281 nodes at depth 4' --depth 4
expect 0 '97862 nodes at depth 3' --depth 3 --fen "$kiwipete" --full
expect 0 'e1g1: 2059' --depth 3 --fen "$kiwipete" --divide
expect 0 'e1h1: 2059' --depth 3 --fen "$kiwipete" --divide --chess960
expect 0 '"nodes": 8902' --depth 3 --json
[ "$(wc -l <"$tmp/out")" = 1 ] || fail "--json prints more than one line"
expect 0 '0 nodes at depth 1' --depth 1 --fen '7k/5KQ1/8/8/8/8/8/8 b - - 0 1'

# Ctrl-C ends a count of hours, and searches within one iteration.
for slow in 'perft --depth 12' 'perft --depth 9 --full' 'search --depth 90' 'search --depth 12 --compare --nodes 1000000000000'; do
    # shellcheck disable=SC2086 # words
    ctrl_c_after --preserve-status -k 20 0.5 "$tabia" $slow >"$tmp/out" 2>"$tmp/err"
    [ $? = 130 ] || fail "$slow: exit code $? on Ctrl-C: $(cat "$tmp/err")"
done

# The steps from minimax to the engine: equal values, and a row that is stopped.
"$tabia" search --compare --depth 3 --nodes 9500 >"$tmp/out" || fail "search --compare: exit code $?"
[ "$(grep -c '^  [^ ]' "$tmp/out")" = 9 ] || fail "search --compare: $(cat "$tmp/out")"
sed -n 's/^  \(alpha-beta\|+ [^q]\).* \([-+][0-9.]*\) .*/\2/p' "$tmp/out" | uniq -c | grep -q '^ *5 ' ||
    fail "search --compare: values differ: $(cat "$tmp/out")"
"$tabia" search --compare --depth 3 --nodes 9000 >"$tmp/out"
sed -n '2,4p' "$tmp/out" | grep -q '^    Stopped after 9000 nodes' || fail "search --compare --nodes: $(cat "$tmp/out")"

expect 2 '--depth' --fen "$kiwipete"
expect 2 '--max-nodes' --depth 3 --max-nodes 5
expect 2 '--fen' --epd x --fen "$kiwipete"
expect 2 '--depth' --depth 0
expect 3 'FEN' --depth 1 --fen 'no position at all'
expect 3 "$tmp/missing" --epd "$tmp/missing"

# A file in both layouts, with one wrong count; another with Windows line ends.
cat >"$tmp/suite.epd" <<EOF
# counts
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902 ;D5 4865609

id castling
epd r3k2r/8/8/8/8/8/8/R3K2R w KQkq -
perft 1 26
perft 2 567
EOF
expect 1 "$tmp/suite.epd:7: r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1: depth 2: expected 567, found 568" \
    --epd "$tmp/suite.epd" --max-nodes 10000
expect 1 '4 of 5 counts right, 1 skipped' --epd "$tmp/suite.epd" --max-nodes 10000 --threads 2
expect 1 '"expected": 567, "found": 568' --epd "$tmp/suite.epd" --max-nodes 10000 --json
sed -i 's/567/568/; s/$/\r/' "$tmp/suite.epd"
expect 0 '6 of 6 counts right, 0 skipped' --epd "$tmp/suite.epd" --full
expect 0 '2 of 2 counts right, 4 skipped' --epd "$tmp/suite.epd" --depth 1 --threads 1

malformed() {
    printf '%s\n' "$2" >"$tmp/bad.epd"
    expect 3 "$tmp/bad.epd:$1" --epd "$tmp/bad.epd"
}
echo 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1 ;D1 20' >"$tmp/dropped.epd"
expect 0 'dropped: 1, the first: line 1: FEN: dropped a castling right that has no rook' --epd "$tmp/dropped.epd"
malformed 1 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
malformed 1 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 x'
malformed 1 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20x'
malformed 1 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D99 20'
malformed 1 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 99999999999999999999'
malformed 2 $'\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1 ;D1 20'
malformed 1 'perft 1 20'
sed '1i epd 8/8/8/8/8/8/8/8 w - -\nperft 1 5\n' "$tmp/suite.epd" >"$tmp/bad.epd" # the lost position's counts go with it
expect 3 "$tmp/bad.epd:1: FEN: White does not have one king" --epd "$tmp/bad.epd"
expect 0 'lines left out: 1, the first: line 1: FEN: White does not have one king' --epd "$tmp/bad.epd" --keep-going
expect 0 '6 of 6 counts right' --epd "$tmp/bad.epd" --keep-going
expect 3 'no count within' --epd "$tmp/suite.epd" --max-nodes 1
: >"$tmp/empty.epd"
expect 3 'no position' --epd "$tmp/empty.epd"

# The suites that other programs use.
if has_data perft; then
    # Not reachable by legal moves, say its authors: White is in check from a pawn that did not move last.
    impossible='rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6'
    sed "\#^epd $impossible\$#,/^\$/d" "$data/perft/pychess-tricky.perft" >"$tmp/pychess-tricky.perft"
    grep -qF "$impossible" "$tmp/pychess-tricky.perft" && fail 'the impossible position is still there'
    expect 0 '64 of 64 counts right' --epd "$tmp/pychess-tricky.perft"
    expect 0 'counts right' --epd "$data/perft/cw-ferdy_perft_double_checks.epd" --max-nodes 200000
    expect 0 'counts right' --epd "$data/perft/ethereal-standard.epd" --max-nodes 500000
    expect 0 'counts right' --epd "$data/perft/ethereal-fischer.epd" --max-nodes 20000
    expect 0 'counts right' --epd "$data/perft/ethereal-fischer.epd" --max-nodes 1000 --full
fi
finish
