#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia selfplay, gauntlet and learn under mpirun: the same database as with one process, also after a kill and with
# another number of processes; refusals; the warning about processes bound to one processor.
#   test_mpi.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
ldd "$tabia" | grep -q libmpi || {
    for size in OMPI_COMM_WORLD_SIZE PMI_SIZE; do
        env $size=1 "$tabia" selfplay --db "$tmp/a.db" --games 2 --nodes 20 --quiet >/dev/null || fail "$size=1: exit code $?"
        outcome 2 'a job of 4 processes, but this program was built without MPI' \
            env $size=4 "$tabia" selfplay --db "$tmp/a.db" --games 2 --nodes 20 --quiet
    done
    [ ! -s "$tmp.failed" ] || finish
    echo "skipped: built without MPI, or with sanitizers"
    exit 77
}
command -v mpirun >/dev/null || { echo "skipped: no mpirun"; exit 77; }
# Tests may run as root, and with fewer processors than processes.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
job() {
    local n=$1
    shift
    mpirun --oversubscribe --bind-to none -np "$n" "$tabia" "$@"
}
stored() {
    local n
    n=$("$tabia" db sql "$tmp/$1" 'SELECT count(*) FROM games' 2>/dev/null | tail -1)
    echo "${n:-0}"
}
begun() { [ "$(stored "$1")" -gt 0 ]; }
# lose_process first|last FILE GAMES COMMAND…: kills a process of a job, rank 0 or the last, when its database has games;
# the job must fail. A job that has played all of its GAMES by then is begun again.
lose_process() {
    local which=$1 file=$2 games=$3 pid code pick=(tail -1)
    [ "$which" = last ] || pick=(head -1)
    shift 3
    for _ in 1 2 3 4 5 6 7 8; do
        rm -rf "$tmp/${file%%[./]*}"*
        job 3 "$@" >"$tmp/out" 2>"$tmp/err" &
        pid=$!
        wait_until $pid begun "$file"
        kill -KILL "$(pgrep -P "$(pgrep -P $pid mpirun || echo $pid)" tabia | "${pick[@]}")" 2>/dev/null
        wait $pid
        code=$?
        [ "$(stored "$file")" -lt "$games" ] || continue
        [ $code != 0 ] || fail "$file: a lost process is not noticed"
        return
    done
    fail "$file: no job could be killed before its end"
}

# ---- Self-play: the database of one process, which rank 0 alone writes.
# same NAME: checks the digest of the whole run.
same() {
    [ "$(tail -1 "$tmp/out")" = "$whole" ] || fail "$1: $(tail -1 "$tmp/out" "$tmp/err"), not $whole"
    "$tabia" db check "$tmp/$1.db" >/dev/null || fail "check $1: exit code $?"
    [ "$("$tabia" db sql "$tmp/$1.db" 'SELECT finished IS NOT NULL FROM runs')" = 1 ] || fail "$1: not finished"
}
play=(selfplay --weights material --nodes 400 --seed 5 --pool material,zero --threads 1 --quiet)
whole=$("$tabia" "${play[@]}" --db "$tmp/whole.db" --games 80 | tail -1)
for n in 1 2 3; do
    job $n "${play[@]}" --db "$tmp/np$n.db" --games 80 >"$tmp/out" 2>"$tmp/err" || fail "np $n: exit code $?"
    grep -q '^80 played' "$tmp/out" || fail "np $n: $(cat "$tmp/out")"
    same np$n
done
job 2 "${play[@]}" --db "$tmp/np2.db" --games 80 >"$tmp/out" 2>"$tmp/err"
grep -q '80 games of this range in .*, 80 of them from before' "$tmp/out" || fail "the repetition played: $(cat "$tmp/out" "$tmp/err")"

# A killed process, rank 0 too, ends the job; with any number of processes the rest is played, and no stored game again.
whole=$("$tabia" "${play[@]}" --db "$tmp/whole200.db" --games 200 | tail -1)
for rank in first last; do
    [ $rank = first ] && processes='1 4' || processes=2
    lose_process $rank killed.db 200 "${play[@]}" --db "$tmp/killed.db" --games 200
    [ "$("$tabia" db sql "$tmp/killed.db" 'SELECT finished IS NULL FROM runs')" = 1 ] || fail "finished without its games"
    kept=$(stored killed.db)
    for n in $processes; do
        rm -f "$tmp/resumed.db"* && cp "$tmp/killed.db" "$tmp/resumed.db"
        [ ! -e "$tmp/killed.db-wal" ] || cp "$tmp/killed.db-wal" "$tmp/resumed.db-wal"
        job $n "${play[@]}" --db "$tmp/resumed.db" --games 200 >"$tmp/out" 2>"$tmp/err" || fail "$rank killed, np $n: exit code $?"
        same resumed
        grep -q ", $kept of them from before" "$tmp/out" && grep -q "^$((200 - kept)) played" "$tmp/out" || fail "$rank killed at $kept, np $n: $(cat "$tmp/out")"
    done
done

# Refused once, by rank 0; no file is left.
job 2 "${play[@]}" --db "$tmp/np2.db" --games 80 --nodes 401 >"$tmp/out" 2>"$tmp/err" && fail "other settings are taken"
[ "$(grep -c 'nodes_soft 401 instead of 400' "$tmp/err")" = 1 ] || fail "other settings: $(cat "$tmp/err")"
job 2 selfplay --help >"$tmp/out" 2>&1 || fail "help: exit code $?"
[ "$(grep -c Usage "$tmp/out")" = 1 ] || fail "help: $(head -3 "$tmp/out")"

# One processor of several.
if [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ]; then
    mpirun --bind-to core -np 1 "$tabia" selfplay --nodes 400 --db "$tmp/bound.db" --games 2 >"$tmp/out" 2>"$tmp/err"
    grep -q 'warning: .*--bind-to none' "$tmp/err" || fail "no word on the binding: $(cat "$tmp/err")"
fi

# ---- Matches: games, figures and the end of a sequential test are those of one process.
match=(gauntlet --engine name=a,weights=builtin,nodes=300 --engine name=b,weights=material,nodes=300 --seed 3 --quiet)
for test in "--games 100" "--games 400 --sprt elo0=0,elo1=40"; do
    rm -f "$tmp"/match*.db*
    # shellcheck disable=SC2086
    {
        "$tabia" "${match[@]}" $test --db "$tmp/match1.db" --threads 1 >"$tmp/one" || fail "match: exit code $?"
        job 3 "${match[@]}" $test --db "$tmp/match3.db" --threads 2 >"$tmp/out" 2>"$tmp/err" || fail "match, np 3: exit code $?"
    }
    cmp -s "$tmp/one" "$tmp/out" || fail "match, np 3: $(diff "$tmp/one" "$tmp/out")"
    [ "$("$tabia" db digest "$tmp/match1.db")" = "$("$tabia" db digest "$tmp/match3.db")" ] || fail "match: other games"
done

# A process with fewer threads than --threads plays with those.
for limit in OMP_THREAD_LIMIT=1 OMP_DYNAMIC=true; do
    timeout -k 5 600 mpirun --oversubscribe --bind-to none -np 1 "$tabia" "${match[@]}" --games 100 --threads 9 : \
        -np 1 env $limit "$tabia" "${match[@]}" --games 100 --threads 9 >"$tmp/out" 2>"$tmp/err" ||
        fail "$limit: exit code $?: $(cat "$tmp/err")"
done

# A lost process ends the job; the next one plays what is missing.
match+=(--games 240 --threads 1)
"$tabia" "${match[@]}" --db "$tmp/whole-match.db" >"$tmp/one"
lose_process last lost.db 240 "${match[@]}" --db "$tmp/lost.db"
job 2 "${match[@]}" --db "$tmp/lost.db" >"$tmp/out" 2>"$tmp/err" || fail "match, resumed: exit code $?"
cmp -s "$tmp/one" "$tmp/out" || fail "match, resumed: $(diff "$tmp/one" "$tmp/out")"
[ "$("$tabia" db digest "$tmp/lost.db")" = "$("$tabia" db digest "$tmp/whole-match.db")" ] || fail "resumed: other games"

# ---- Learning: games and weights are those of one process, after a lost process too.
loop=(learn --from zero --generations 3 --games 100 --nodes 100 --gauntlet-games 20 --gauntlet-nodes 100 --final-games 10
    --seed 7 --pool last:2 --threads 1 --quiet)
learned() { "$tabia" db digest "$1/learn.db" && (cd "$1" && sha256sum best.h weights/*.h); }
"$tabia" "${loop[@]}" --dir "$tmp/loop1" >"$tmp/out" || fail "learn: exit code $?"
job 3 "${loop[@]}" --dir "$tmp/loop3" >"$tmp/out" 2>"$tmp/err" || fail "learn, np 3: exit code $?: $(cat "$tmp/err")"
cmp -s <(learned "$tmp/loop1") <(learned "$tmp/loop3") || fail "learn, np 3: other games or weights"
lose_process first loop2/learn.db 300 "${loop[@]}" --dir "$tmp/loop2"
job 2 "${loop[@]}" --dir "$tmp/loop2" >"$tmp/out" 2>"$tmp/err" || fail "learn, resumed: exit code $?: $(cat "$tmp/err")"
cmp -s <(learned "$tmp/loop1") <(learned "$tmp/loop2") || fail "learn, resumed: other games or weights"
loop+=(--network 16 --network-from 2 --network-epochs 1 --network-games 100 --network-nodes 0)
"$tabia" "${loop[@]}" --dir "$tmp/net1" >"$tmp/out" || fail "learn --network: exit code $?"
job 3 "${loop[@]}" --dir "$tmp/net3" >"$tmp/out" 2>"$tmp/err" || fail "learn --network, np 3: $(cat "$tmp/err")"
nets() { learned "$1" && (cd "$1" && sha256sum weights/*.net); }
cmp -s <(nets "$tmp/net1") <(nets "$tmp/net3") || fail "learn --network, np 3: other games or networks"
job 2 "${loop[@]}" --dir "$tmp/net1" --games 101 >"$tmp/out" 2>"$tmp/err" && fail "learn: other settings are taken"
grep -q 'holds a run with other settings (games 101 instead of 100)' "$tmp/err" || fail "learn: $(cat "$tmp/err")"
job 2 "${loop[@]}" --dir "$tmp/plan" --dry-run >"$tmp/out" 2>"$tmp/err" || fail "learn --dry-run: exit code $?"

job 2 gauntlet --engine name=a,weights=builtin,tc=1+0.01 --engine weights=material,nodes=300 >"$tmp/out" 2>"$tmp/err" &&
    fail "a clock is taken"
grep -q 'a: under mpirun, players are weights with one thread and a limit of nodes or depth' "$tmp/err" ||
    fail "a clock: $(cat "$tmp/err")"

# Processes that would play different games are refused before the first one.
mkdir "$tmp/d1" "$tmp/d2"
cp "$source/engine/eval_weights.h" "$tmp/d1/w.h"
cp "$source/configs/weights/classical.h" "$tmp/d2/w.h"
# two_jobs COMMAND1 -- COMMAND2: one process of each, in folders of their own.
two_jobs() {
    local first=()
    while [ "$1" != -- ]; do first+=("$1") && shift; done
    shift
    timeout 600 mpirun --oversubscribe --bind-to none -np 1 -wdir "$tmp/d1" "$tabia" "${first[@]}" : \
        -np 1 -wdir "$tmp/d2" "$tabia" "$@" >"$tmp/out" 2>"$tmp/err"
    [ $? = 2 ] && grep -q "process 1 of the job has .* than process 0" "$tmp/out" "$tmp/err" || fail "unlike processes: $(cat "$tmp/out" "$tmp/err")"
}
match=(gauntlet --a w.h --b material --games 4 --nodes 20 --threads 1)
learn=(learn --from zero --dir l --generations 1 --games 4 --gauntlet-games 0 --final-games 0 --threads 1)
play=(selfplay --db x.db --games 4 --nodes 20 --threads 1)
two_jobs "${match[@]}" -- "${match[@]}"
two_jobs "${match[@]}" -- "${play[@]}"
two_jobs "${learn[@]}" --nodes 20 -- "${learn[@]}" --nodes 30
two_jobs "${play[@]}" --weights zero -- "${play[@]}" --weights w.h
[ -z "$(cd "$tmp/d2" && ls | grep -v w.h)" ] || fail "left: $(ls "$tmp/d2")"

finish
