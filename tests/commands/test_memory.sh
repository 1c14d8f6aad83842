#!/bin/bash
# SPDX-License-Identifier: MIT
# Memory runs out at one of many allocations, for one allocation or for good. A command that reports success has written
# the whole file; one that fails has left the old file as it was, with one line of error. Databases are sound, and the
# same command then succeeds with the undisturbed result.
#   test_memory.sh BUILD SOURCE [PLACES [EACH]]    EACH: of the places in each command that writes a database, 2
. "$(dirname "$0")/prelude.sh"
places=${3:-10} each=${4:-2}
preload=$build/tests/fail_malloc.so
sanitized && { echo "skipped: sanitizers replace malloc"; exit 77; }
[ -e "$preload" ] && LD_PRELOAD=$preload FAIL_MALLOC=0 "$tabia" --version 2>&1 | tail -n 1 | grep -q '^[1-9]' ||
    { echo "skipped: malloc cannot be replaced"; exit 77; }
cd "$tmp" || exit 1

failing() { LD_PRELOAD=$preload FAIL_MALLOC=$1 "$tabia" "${@:2}"; }

# survives OUTPUT COMMAND…: the places are spread over the command's allocations, and the last ones.
survives() {
    local output=$1 total code lines n mode
    shift
    rm -f "$output"
    failing 0 "$@" >/dev/null 2>err || fail "$*: $(cat err)"
    total=$(tail -n 1 err)
    cp "$output" whole
    for n in $(seq $((total - places / 3)) "$total") $(seq 1 $((total / places + 1)) "$total"); do
        for mode in '' +; do
            echo old >"$output"
            failing "$n$mode" "$@" >/dev/null 2>err
            code=$?
            lines=$(grep -vc '^libgomp: \|^$' err) # of ours
            if [ $code = 0 ]; then
                cmp -s "$output" whole || fail "allocation $n$mode of $total: $*: success, but the file is not whole"
            elif [ $code -ge 128 ] || [ "$lines" -gt 1 ]; then
                fail "allocation $n$mode of $total: $*: exit code $code: $(head -c 300 err)"
            elif [ "$(cat "$output")" != old ]; then
                fail "allocation $n$mode of $total: $*: exit code $code, but the file was replaced"
            fi
        done
    done
    ls | grep -F '.new-' && fail "$*: temporary files are left"
}

"$tabia" selfplay --db games.db --games 6 --nodes 40 --seed 9 --quiet >/dev/null || fail "selfplay"
survives out.pgn db export games.db out.pgn --quiet --threads 1
survives out.pgn.zst db export games.db out.pgn.zst --quiet --threads 1
survives out.epd db export games.db out.epd --quiet --threads 1
survives out.h tune --db games.db --out out.h --quiet --threads 1 --validation 0 --freeze '*_PST'
survives out.net train --db games.db --out out.net --hidden 16 --epochs 1 --quiet --threads 1
survives book.epd openings --out book.epd --count 4 --quiet --threads 1
survives arrays.h weights emit builtin --out arrays.h

command -v sqlite3 >/dev/null || { echo "skipped: no sqlite3 for the commands that write databases" && finish; }
. "$source/tests/commands/writers.sh"
RANDOM=5

# gives_up NAME PLACE: after an allocation that failed
gives_up() {
    local name=$1 what="$1: allocation $2" code file
    fresh
    # shellcheck disable=SC2086
    failing "$2" ${args[$name]} --quiet >../out 2>../err
    code=$?
    [ $code -lt 128 ] && [ "$(grep -vc '^libgomp: \|^$' ../err)" -le 1 ] || fail "$what: exit code $code: $(head -c 300 ../err)"
    for file in *.db; do
        untouched "$file" || "$tabia" db check "$file" --quiet >../out 2>&1 || grep -q 'an empty file' ../out ||
            fail "$what: $file: $(cat ../out)"
    done
    ! compgen -G '*.new-*' >../out || fail "$what: temporary files are left: $(cat ../out)"
    result >../got 2>&1
    if ! cmp -s ../got "../$name.whole"; then
        [ $code != 0 ] || fail "$what: success, with another result"
        # shellcheck disable=SC2086
        "$tabia" ${args[$name]} --quiet >../out 2>&1 || fail "$what: $(head -c 300 ../err); again: exit code $?: $(cat ../out)"
        result >../got 2>&1
        cmp -s ../got "../$name.whole" || fail "$what: $(head -c 300 ../err); again: another result: $(diff ../got "../$name.whole" | head -n 4)"
    fi
}

rm -f base/v1.db
for name in selfplay continue match learn spsa import add merge new split sample dedup rescore materialize vacuum report; do
    fresh
    # shellcheck disable=SC2086
    failing 0 ${args[$name]} --quiet >../out 2>../err || fail "$name: $(cat ../err)"
    total=$(tail -n 1 ../err)
    result >"../$name.whole" 2>&1
    for _ in $(seq "$each"); do
        place=$((1 + (RANDOM * 32768 + RANDOM) % total))
        gives_up $name $place
        gives_up $name $place+
    done
done
finish
