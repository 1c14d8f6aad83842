#!/bin/bash
# SPDX-License-Identifier: MIT
# Self-play, merge and materialize, killed at random moments and started again, end with the result of an undisturbed run;
# the file passes the check at any moment. So do all other commands that write, on small files.
#   test_kill.sh BUILD SOURCE [KILLS [EACH]]    EACH: kills of each of the others
. "$(dirname "$0")/prelude.sh"
kills=${3:-8} each=${4:-1}
cd "$tmp" || exit 1
. "$source/tests/commands/writers.sh"
RANDOM=20 # the same delays in each run
run="--seed 3 --games 240 --nodes 40 --quiet"

die() {
    echo "FAILED: $*"
    exit 1
}

# until_done FILE DIGEST COMMAND…: runs the command on FILE and kills it after a while, until it ends by itself or $limit
# kills are done; then the digest must be DIGEST. Adds to $killed.
until_done() {
    local file=$1 digest=$2 pid code
    shift 2
    while :; do
        "$tabia" "$@" >/dev/null 2>err &
        pid=$!
        [ "$killed" -lt "$limit" ] && {
            sleep "0.$(printf '%03d' $((RANDOM % longest)))"
            kill -9 $pid 2>/dev/null
        }
        wait $pid 2>/dev/null
        code=$?
        [ $code = 0 ] && break
        [ $code = 137 ] || die "$*: exit code $code: $(cat err)"
        killed=$((killed + 1))
        # A check takes longer than a kill: one in five.
        [ ! -e "$file" ] || [ $((killed % 5)) != 0 ] || "$tabia" db check "$file" --quiet >out 2>&1 ||
            grep -q 'an empty file' out || die "after kill $killed: $(cat out)"
    done
    [ "$("$tabia" db digest "$file")" = "$digest" ] || die "$*: another digest after kills"
    "$tabia" db check "$file" --quiet >out 2>&1 || die "$(cat out)"
}

# Duration of an undisturbed command in milliseconds, at most a second.
measure() {
    local started
    started=$(date +%s%N)
    "$tabia" "$@" >/dev/null 2>&1 || die "$*: exit code $?"
    longest=$((($(date +%s%N) - started) / 1000000 + 1))
    [ $longest -lt 999 ] || longest=999
}

# shellcheck disable=SC2086
measure selfplay --db whole.db $run
digest=$("$tabia" db digest whole.db) || die "no digest"
positions=$("$tabia" db sql whole.db 'SELECT count(*), sum(score) FROM positions')
killed=0 limit=$((kills * 7 / 10))
while [ $killed -lt $limit ]; do
    rm -f a.db*
    # shellcheck disable=SC2086
    until_done a.db "$digest" selfplay --db a.db $run
done
[ "$("$tabia" db sql a.db 'SELECT count(*), sum(score) FROM positions')" = "$positions" ] || die "other positions"

measure db merge b.db whole.db
limit=$((kills * 17 / 20))
while [ $killed -lt $limit ]; do
    rm -f b.db*
    until_done b.db "$digest" db merge b.db whole.db
done

"$tabia" selfplay --db compact.db $run --compact >/dev/null
cp compact.db c.db
measure db materialize c.db
limit=$kills
while [ $killed -lt $limit ]; do
    cp compact.db c.db
    until_done c.db "$digest" db materialize c.db
done
[ "$("$tabia" db sql c.db 'SELECT count(*), sum(score) FROM positions')" = "$positions" ] || die "other positions"

# ---- All commands that write

# One that was killed after its last change has nothing left to do, or refuses a file that is whole.
whole() {
    result >../got 2>&1
    cmp -s ../got "../$name.whole"
}

# What holds after a kill; then the command runs to its end. A match without a database plays all games again.
after_kill() {
    local file
    for file in *.db; do
        [ "$file" != v1.db ] || continue # its runs are made up
        "$tabia" db check "$file" --quiet >../out 2>&1 || grep -q 'an empty file' ../out ||
            die "$name: after kill $killed: $(cat ../out)"
    done
    case $name in
    pgn) [ "$(head -n 1 old.pgn)" = "; old" ] || die "$name: the old games are lost" ;;
    engines)
        for _ in $(seq 20); do pgrep -f "^$engine_path" >../out || return; sleep 0.1; done
        die "$name: engines are left"
        ;;
    *)
        # A part that has its name already is whole, and is refused by the repetition.
        [ "$name" != split ] || whole || rm -f a.db b.db
        # shellcheck disable=SC2086
        whole || "$tabia" ${args[$name]} --quiet >../out 2>&1 || die "$name: after kill $killed: $(cat ../out)"
        whole || die "$name: after kill $killed: another result: $(diff ../got "../$name.whole" | head -n 4)"
        ;;
    esac
}

for name in $commands; do
    fresh
    # shellcheck disable=SC2086
    measure ${args[$name]} --quiet
    result >"../$name.whole" 2>&1
    for _ in $(seq "$each"); do
        fresh
        # shellcheck disable=SC2086
        "$tabia" ${args[$name]} --quiet >../out 2>&1 &
        sleep "0.$(printf '%03d' $((RANDOM % longest)))"
        kill -9 $! 2>/dev/null
        wait $! 2>/dev/null
        [ $? != 137 ] || killed=$((killed + 1))
        after_kill
    done
done
[ $killed -ge $((kills + 26 * each / 4)) ] || die "only $killed kills"
echo "$killed kills, nothing lost"
finish
