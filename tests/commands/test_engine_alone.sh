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
! command -v x86_64-w64-mingw32-gcc >/dev/null || builds engine.exe x86_64-w64-mingw32-gcc
finish
