#!/bin/bash
# SPDX-License-Identifier: MIT
# Our processor time a ply with a UCI engine, in microseconds, referee included: tabia-engine at one node plays
# itself through pipes. Median of 5 runs; exit code 1 at 100 or more.
#   engine_cost.sh BUILD [ENGINE [GAMES [NODES]]]
set -uo pipefail
[ $# -ge 1 ] || { sed -n '3,5s/^# //p' "$0" && exit 2; }
build=$1 engine=${2:-$1/tabia-engine} games=${3:-100} nodes=${4:-1}

for _ in 1 2 3 4 5; do
    "$build/engine_cost" "$engine" "$games" "$nodes" || exit
done | sort -n | awk -v what="$(basename "$engine")" '
    NR == 3 {printf "%s: %.1f us a ply (%.1f user, %.1f system), %.1f on the clock\n", what, $1, $2, $3, $5; bad = $1 >= 100}
    END {exit bad || NR != 5}'
