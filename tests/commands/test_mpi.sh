#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia selfplay under mpirun: the same database as with one process, also after a kill and with another number of
# processes; refusals; the warning about processes bound to one processor.
#   test_mpi.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
command -v mpirun >/dev/null || { echo "skipped: no mpirun"; exit 77; }
ldd "$tabia" | grep -q libmpi || { echo "skipped: built without MPI, or with sanitizers"; exit 77; }
common="--weights material --nodes 400 --seed 5 --pool material,zero --quiet"
# Tests may run as root, and with fewer processors than processes.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpi() {
    local n=$1
    shift
    mpirun --oversubscribe --bind-to none -np "$n" "$tabia" selfplay "$@"
}

# same NAME: checks the digest of the whole run, and that no file is left beside the database.
same() {
    [ "$(tail -1 "$tmp/out")" = "$whole" ] || fail "$1: $(tail -1 "$tmp/out" "$tmp/err"), not $whole"
    ls "$tmp/shards" | grep . && fail "$1: left in the folder of shards"
    "$tabia" db check "$tmp/$1.db" >/dev/null || fail "check $1: exit code $?"
}

mkdir "$tmp/shards"
# shellcheck disable=SC2086
{
    whole=$("$tabia" selfplay --db "$tmp/whole.db" $common --games 80 --threads 1 | tail -1)
    common="$common --shards $tmp/shards"
    for n in 1 2 3; do
        mpi $n --db "$tmp/np$n.db" $common --games 80 --threads 1 >"$tmp/out" 2>"$tmp/err" || fail "np $n: exit code $?"
        same np$n
    done
    mpi 2 --db "$tmp/np2.db" $common --games 80 >"$tmp/out" 2>"$tmp/err"
    grep -q '80 games in .*, 80 of them from before' "$tmp/out" || fail "the repetition played: $(cat "$tmp/out" "$tmp/err")"

    # A killed process ends the job; finished games are not played again.
    mpi 3 --db "$tmp/killed.db" $common --games 80 --threads 1 >"$tmp/out" 2>"$tmp/err" &
    job=$!
    for _ in $(seq 200); do # until rank 2 has committed something
        stored=$("$tabia" db sql "$tmp/shards/killed.db.rank2" 'SELECT count(*) FROM games' 2>/dev/null | tail -1)
        [ "${stored:-0}" -gt 0 ] 2>/dev/null && break
        sleep 0.05
    done
    victim=$(pgrep -P "$(pgrep -P $job mpirun || echo $job)" tabia | tail -1)
    kill -KILL "${victim:-$job}" 2>/dev/null
    wait $job
    [ $? != 0 ] || echo "note: the job ended before a process was killed"
    mpi 2 --db "$tmp/killed.db" $common --games 80 --threads 1 >"$tmp/out" 2>"$tmp/err" || fail "resumed: exit code $?"
    same killed
    grep -q 'of them from before' "$tmp/out" || fail "everything was played again: $(cat "$tmp/out")"

    # Refused once, by rank 0; no file is left.
    mpi 2 --db "$tmp/np2.db" $common --games 80 --nodes 401 >"$tmp/out" 2>"$tmp/err" && fail "other settings are taken"
    [ "$(grep -c 'nodes_soft 401 instead of 400' "$tmp/err")" = 1 ] || fail "other settings: $(cat "$tmp/err")"
    mpi 2 --help >"$tmp/out" 2>&1 || fail "help: exit code $?"
    [ "$(grep -c Usage "$tmp/out")" = 1 ] || fail "help: $(head -3 "$tmp/out")"

    # One processor of several.
    if [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ]; then
        mpirun --bind-to core -np 1 "$tabia" selfplay --db "$tmp/bound.db" $common --games 2 >"$tmp/out" 2>"$tmp/err"
        grep -q 'warning: .*--bind-to none' "$tmp/err" || fail "no word on the binding: $(cat "$tmp/err")"
    fi
}

finish
