#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia bench threads, store: what they measure is complete and consistent; how fast is the machine's affair.
#   test_bench.sh BUILD SOURCE
set -u
tabia=$1/tabia
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

json=$("$tabia" bench threads --threads 2 --depth 13 --json) || fail "bench threads: exit code $?"
for key in threads depth positions speedup seconds_one seconds nps_one nps nodes_ratio nps_ratio; do
    grep -qE "\"$key\": [0-9.]*[1-9]" <<<"$json" || fail "no $key in $json"
done
grep -qF '"threads": 2, "depth": 13, ' <<<"$json" || fail "$json"
"$tabia" bench threads --threads 2 --depth 1 2>&1 | grep -q 'give more --depth' || fail "depth 1 measures nothing"
"$tabia" bench threads --threads 2000 2>&1 | grep -q 'from 0 to 1024' || fail "2000 threads are taken"

json=$("$tabia" bench store --positions 200k --json) || fail "bench store: exit code $?"
for step in insert read replay dataset sql_scores sql_fens materialize rows check; do
    grep -qE "\"${step}_per_second\": [0-9.]*[1-9].*\"${step}_per_cpu_second\": [0-9]" <<<"$json" || fail "no $step in $json"
done
grep -qE '"bytes_compact": [56]\.' <<<"$json" || fail "bytes a position: $json"

exit $((failures > 0))
