#!/bin/bash
# SPDX-License-Identifier: MIT
# What OpenBench's client does with an engine: bench read by its patterns, the same for every copy at once, openings
# by genfens of several processes, turned into EPD by its rules. Stockfish says whether the openings are balanced.
#   test_openbench.sh BUILD SOURCE
. "$(dirname "$0")/uci_session.sh"

# ---- bench

# From the last line up, the first that has a number of nodes, or of nodes a second, in any of its formats.
client_bench() {
    tac "$1" | sed 's/[^a-zA-Z0-9 ]\{1,\}/ /g' | awk '
        nps == "" && match(tolower($0), /[0-9]+ +nps|nps +[0-9]+|nodes second +[0-9]+/) {nps = substr($0, RSTART, RLENGTH)}
        nodes == "" && match(tolower($0), /[0-9]+ +nodes|nodes +[0-9]+|nodes searched +[0-9]+/) {nodes = substr($0, RSTART, RLENGTH)}
        END {gsub(/[^0-9]/, "", nps); gsub(/[^0-9]/, "", nodes); print nodes, (nps > 0)}'
}
"$engine" bench >"$tmp/bench.1" 2>&1 &
"$engine" 'setoption name EvalFile value <empty>' bench quit >"$tmp/bench.2" 2>&1 &
wait
for copy in 1 2; do
    [ "$(client_bench "$tmp/bench.$copy")" = "$(cat "$source/tests/bench.signature") 1" ] ||
        fail "bench: $(client_bench "$tmp/bench.$copy")"
done

# ---- genfens

# openings NAME N BOOK EXTRA: N openings from each of two processes as the client starts and reads them; all differ.
openings() {
    local seed
    name=$1
    for seed in 1518347210 18446744073; do
        timeout 15 "$engine" "genfens $2 seed $seed book $3 $4" quit >"$tmp/genfens" 2>&1 ||
            fail "$name: exit code $?"
        sed -n 's/^info string genfens //p' "$tmp/genfens" >"$tmp/fens.$seed"
        [ "$(wc -l <"$tmp/fens.$seed")" = "$2" ] || fail "$name: $(tail -1 "$tmp/genfens")"
        [ "$(wc -l <"$tmp/genfens")" = "$2" ] || fail "$name: more than openings: $(grep -v genfens "$tmp/genfens" | head -1)"
    done
    cat "$tmp"/fens.* >"$tmp/$name.fens"
    awk 'NF != 6 || $5 !~ /^[0-9]+$/ || $6 !~ /^[0-9]+$/ {exit 1}' "$tmp/$name.fens" || fail "$name: not FENs of six fields"
    [ "$(sort -u "$tmp/$name.fens" | wc -l)" = $((2 * $2)) ] || fail "$name: the same opening twice"
}
# balanced NAME MOST: no opening is worth more than MOST cp for either side, says Stockfish.
balanced() {
    local most
    PATH=$PATH:/usr/games command -v stockfish >/dev/null || return
    {
        echo 'setoption name UCI_Chess960 value true'
        while read -r fen; do
            printf 'position fen %s\ngo depth 8\n' "$fen"
        done <"$tmp/$1.fens"
        sleep 1 # Stockfish leaves its last search at quit
        echo quit
    } | PATH=$PATH:/usr/games stockfish | awk '
        / score cp / {for (i = 1; i < NF; i++) if ($i == "cp") cp = $(i + 1)}
        / score mate / {cp = 30000}
        /^bestmove/ {cp = cp < 0 ? -cp : cp; sum += cp; n++; if (cp > most) most = cp}
        END {print most; printf "%d openings, mean %d cp, most %d cp\n", n, sum / n, most >"/dev/stderr"}' >"$tmp/most"
    most=$(cat "$tmp/most")
    [ "$most" -le "$2" ] || fail "$1: an opening worth $most cp"
}

openings none 40 None ''
# genfens accepts up to 300 cp by a small search; more than 1000 cp by Stockfish is an error.
balanced none 1000
openings frc 20 None frc
openings dfrc 20 NONE dfrc
balanced dfrc 1000
if has_data openings/noob_3moves_20k.epd.zst; then
    zstd -dcq "$data/openings/noob_3moves_20k.epd.zst" | tr '\n' '\r' | sed 's/\r/\r\n/g' >"$tmp/book.epd" # with line ends of any kind
    openings book 40 "$tmp/book.epd" 'own words 3'
    balanced book 1000
fi

finish
