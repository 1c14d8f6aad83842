#!/bin/bash
# SPDX-License-Identifier: MIT
# make EXE= builds the engine with a C compiler alone, also where nothing of Linux is to be seen, and for Windows where
# that compiler is.
#   test_engine_alone.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"

# builds NAME COMPILER FLAGS…: makes an engine that plays.
builds() {
    make -s -C "$source" EXE="$tmp/$1" CC="$2" CFLAGS="-O0 -fno-lto ${*:3}" >"$tmp/log" 2>&1 || fail "$*: $(tail -n 5 "$tmp/log")"
}
for flags in "" -U__linux__; do
    builds engine cc $flags
    "$tmp/engine" 'go depth 3' | grep -q ^bestmove || fail "cc $flags: no move"
done
# A build for tuning lists the constants of the search, and keeps to what is set.
builds tune cc -DTABIA_TUNE
"$tmp/tune" spsa | awk -F', ' '{ print "option name " $1 " type spin default " $3 " min " $4 " max " $5 }' >"$tmp/spins"
"$tmp/tune" uci | grep -xF -f "$tmp/spins" | cmp -s - "$tmp/spins" && [ -s "$tmp/spins" ] || fail "constants that uci does not list"
"$build/tabia" gauntlet --engine "cmd=$tmp/tune,name=t,option.rfp_margin=118" --engine "cmd=$tmp/tune,name=b" --each depth=2 --games 2 \
    --quiet >"$tmp/log" 2>&1 || fail "option.rfp_margin: $(cat "$tmp/log")"
! command -v x86_64-w64-mingw32-gcc >/dev/null || builds engine.exe x86_64-w64-mingw32-gcc
# A header or a network built in evaluates as EvalFile does; a file that is neither says so at the start.
evaluates() { printf 'position fen 2kr3r/pp1q1ppp/2n1pn2/8/3P4/2N2N2/PP3PPP/R2Q1RK1 w - - 0 12\n%s\neval\n' "$2" | "$1" | grep '^Evaluation'; }
for file in configs/weights/classical.h configs/weights/network.net; do
    make -s -C "$source" EXE="$tmp/own" CC=cc CFLAGS="-O0 -fno-lto" EVALFILE=$file >"$tmp/log" 2>&1 || fail "$file: $(tail -n 5 "$tmp/log")"
    [ "$(evaluates "$tmp/own" '')" = "$(evaluates "$tmp/engine" "setoption name EvalFile value $source/$file")" ] || fail "EVALFILE=$file: $(evaluates "$tmp/own" '')"
    [ "$(evaluates "$tmp/own" '')" != "$(evaluates "$tmp/engine" '')" ] || fail "EVALFILE=$file changes nothing"
done
make -s -C "$source" EXE="$tmp/own" CC=cc CFLAGS="-O0 -fno-lto" EVALFILE=README.md >"$tmp/log" 2>&1 || fail "README.md: $(tail -n 5 "$tmp/log")"
"$tmp/own" quit >"$tmp/log" 2>&1 && fail "README.md is taken for weights"
grep -q '^tabia-engine: EVALFILE:1: ' "$tmp/log" || fail "no weights: $(cat "$tmp/log")"
make -s -C "$source" EXE="$tmp/own" EVALFILE=none.net >"$tmp/log" 2>&1 && fail 'an EVALFILE that is missing is ignored'
grep -q 'EVALFILE=none.net: no such file' "$tmp/log" || fail "EVALFILE: $(cat "$tmp/log")"
make -n -C "$source" EVALFILE=configs/weights/network.net >"$tmp/log" 2>&1 && fail 'EVALFILE without EXE is ignored'
touch "$tmp/a network"
make -n -C "$source" EXE="$tmp/own" EVALFILE="$tmp/a network" >"$tmp/log" 2>&1 || fail "a blank in EVALFILE: $(cat "$tmp/log")"
[ "$(cd "$tmp" && echo own*)" = own ] || fail "left: $(ls "$tmp")"

finish
