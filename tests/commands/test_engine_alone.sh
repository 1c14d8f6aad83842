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
make -s -n -C "$source" EXE="$tmp/net" EVALFILE=small.net >"$tmp/log" 2>&1 && fail 'EVALFILE is ignored'
grep -q 'EVALFILE: no weights' "$tmp/log" || fail "EVALFILE: $(cat "$tmp/log")"

finish
