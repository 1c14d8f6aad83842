#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia selfplay: the same games with 1 and 2 threads, killed and resumed, interrupted and resumed, and
# in two ranges merged.
#   test_selfplay.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
games=60 many=200 nodes=400
sanitized && nodes=100
common="--weights material --nodes $nodes --seed 5 --quiet --json"

# play NAME ARGS…: plays into NAME.db and prints the digest.
play() {
    local name=$1
    shift
    # shellcheck disable=SC2086
    "$tabia" selfplay --db "$tmp/$name.db" $common "$@" >"$tmp/$name.json" 2>"$tmp/$name.err" ||
        fail "$name: exit code $?: $(cat "$tmp/$name.err")"
    sed -n 's/.*"digest": "\([0-9a-f]*\)".*/\1/p' "$tmp/$name.json"
}

# same NAME DIGEST: checks that the digest equals the first run's.
same() {
    [ "$2" = "$whole" ] || fail "$1: digest $2, not $whole"
}

# stop SIGNAL NAME: starts a run of $many games and sends the signal in the middle; prints its exit code.
stop() {
    # shellcheck disable=SC2086
    "$tabia" selfplay --db "$tmp/$2.db" $common --games $many --threads 2 >/dev/null 2>"$tmp/$2.err" &
    local pid=$!
    begun() { [ "$(stored "$1")" -gt 0 ]; }
    wait_until $pid begun "$2"
    kill -"$1" $pid 2>/dev/null
    wait $pid 2>/dev/null
    echo $?
}

# stored NAME: prints the number of games in NAME.db, read by another process.
stored() {
    local n
    n=$("$tabia" db sql "$tmp/$1.db" 'SELECT count(*) FROM games' 2>/dev/null | tail -1)
    echo "${n:-0}"
}

whole=$(play whole --games $games --threads 1)
[ ${#whole} = 64 ] || fail "no digest"
same 'two threads' "$(play two --games $games --threads 2)"
same 'without positions' "$(play compact --games $games --compact)"
explored=$(play explored --games $games --threads 1 --random-move 0.1 --random-until 30 --vary-margin 40 --vary-until 16)
[ "$explored" != "$whole" ] || fail "exploration changes nothing"
[ "$(play explored2 --games $games --threads 2 --random-move 0.1 --random-until 30 --vary-margin 40 --vary-until 16)" = "$explored" ] ||
    fail "exploration depends on the threads"
count() { "$tabia" db sql "$tmp/explored.db" "SELECT count(*) > 0 FROM $1" | tail -1; }
[ "$(count 'positions WHERE score IS NULL')" = 1 ] || fail "no random moves"
[ "$(count 'positions WHERE flags & 16 AND score IS NOT NULL')" = 1 ] || fail "no varied moves"
[ "$(count 'positions WHERE flags & 16 AND ply >= 16')" = 0 ] || fail "varied moves from ply 16 on"
same 'repeated' "$(play whole --games $games)"
grep -q "\"resumed\": $games, \"positions\": 0," "$tmp/whole.json" || fail "the repetition played"

code=$(stop KILL killed)
[ "$code" = 137 ] || fail "the run ended before it was killed: $code"
code=$(stop INT interrupted)
[ "$code" = 130 ] && grep -q 'the same command continues' "$tmp/interrupted.err" || fail "interrupted: exit code $code"
killed=$(play killed --games $many)
[ "$killed" = "$(play long --games $many)" ] || fail "killed and resumed: digest $killed"
[ "$killed" = "$(play interrupted --games $many)" ] || fail "interrupted and resumed: another digest than $killed"
play part1 --games 25 >/dev/null
play part2 --first-game 25 --games $((games - 25)) >/dev/null
"$tabia" db merge "$tmp/part1.db" "$tmp/part2.db" >/dev/null || fail "merge: exit code $?"
same 'two ranges' "$(play part1 --games $games)"
for db in whole explored killed interrupted part1; do
    "$tabia" db check "$tmp/$db.db" >/dev/null || fail "check $db: exit code $?"
done

# Openings: Chess960 at any number of threads; our own book, without repetitions.
frc=$(play frc --games 40 --threads 1 --chess960 --random-plies 2)
[ "$(play frc2 --games 40 --threads 2 --chess960 --random-plies 2)" = "$frc" ] || fail "Chess960 depends on the threads"
"$tabia" db check "$tmp/frc.db" >/dev/null || fail "check frc: exit code $?"
for threads in 1 2; do
    "$tabia" openings --out "$tmp/book$threads.epd" --count 30 --random-plies 4 --seed 9 --threads $threads --quiet ||
        fail "openings: exit code $?"
done
cmp -s "$tmp/book1.epd" "$tmp/book2.epd" || fail "the book depends on the threads"
cat "$tmp/book1.epd" >>"$tmp/book2.epd" # each line twice
play booked --games 30 --openings "$tmp/book2.epd" >/dev/null
openings=$("$tabia" db sql "$tmp/booked.db" 'SELECT count(*), count(DISTINCT start_fen) FROM games' | tail -1)
[ "$openings" = '30|30' ] || fail "games and openings: $openings"

# A pool: the opponent is a function of the game; the weights themselves are player 0.
pool=$(play pool --games 40 --threads 1 --pool material,zero,builtin)
[ "$(play pool2 --games 40 --threads 2 --pool material,zero,builtin)" = "$pool" ] || fail "the pool depends on the threads"
play pool3 --games 20 --first-game 20 --pool material,zero,builtin >/dev/null
play pool4 --games 20 --pool material,zero,builtin >/dev/null
"$tabia" db merge "$tmp/pool4.db" "$tmp/pool3.db" >/dev/null || fail "merge: exit code $?"
[ "$(play pool4 --games 40 --pool material,zero,builtin)" = "$pool" ] || fail "the pool depends on the ranges"
ask() { "$tabia" db sql "$tmp/pool.db" "$1" | tail -1; }
[ "$(ask "SELECT group_concat(player_no || name) FROM players")" = '0material,2zero,3builtin' ] || fail "players: $(ask 'SELECT * FROM players')"
[ "$(ask "SELECT count(*) FROM games WHERE iif(game_no % 2, black, white) <> 0")" = 0 ] || fail "colours of the weights in question"
[ "$(ask "SELECT count(DISTINCT white + black) FROM games")" = 3 ] || fail "not all of the pool played"
[ "$(ask "SELECT points / games < 0.3 FROM standings WHERE name = 'zero'")" = 1 ] || fail "zero is too strong"
"$tabia" learn --from material --dir "$tmp/learn" --generations 2 --games 60 --nodes 100 --gauntlet-games 4 \
    --gauntlet-nodes 100 --final-games 2 --pool last:3 --seed 2 --quiet >/dev/null || fail "learn with a pool: exit code $?"
"$tabia" selfplay --db "$tmp/learn/learn.db" --games 10 --nodes 100 --pool last:9 --seed 77 --quiet >/dev/null ||
    fail "a pool from the database: exit code $?"

# The batch script as Slurm runs it: two ranges, one of them stopped and resubmitted.
slurm() {
    (
        cd "$tmp" || exit
        PATH=$(dirname "$tabia"):$PATH SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$1 SLURM_CPUS_PER_TASK=2 TMPDIR=$tmp \
            GAMES=30 SETTINGS="--weights material --nodes $nodes --seed 5" bash "$source/configs/slurm-selfplay.sh" >/dev/null
    )
}
slurm 0 || fail "batch job 0: exit code $?"
slurm 1 || fail "batch job 1: exit code $?"
slurm 1 || fail "batch job 1 again: exit code $?"
"$tabia" db merge "$tmp/part-0000.db" "$tmp/part-0001.db" >/dev/null || fail "merge: exit code $?"
same 'batch jobs' "$("$tabia" db digest "$tmp/part-0000.db" | grep -o '[0-9a-f]\{64\}')"

# A job that is killed loses no stored game: each try goes on from the last.
export TMPDIR=$tmp
endless() {
    cd "$tmp" || exit
    PATH=$(dirname "$tabia"):$PATH SLURM_ARRAY_JOB_ID=8 SLURM_ARRAY_TASK_ID=2 GAMES=1000000 \
        SETTINGS='--weights material --nodes 20' exec bash "$source/configs/slurm-selfplay.sh" >/dev/null 2>&1
}
run=$(printf '%s %s %s' "$tmp" 1000000 '--weights material --nodes 20' | cksum | cut -d ' ' -f 1)
scratch=$tmp/tabia-$run-2/part-0002.db part=$tmp/part-0002.db seen=0
stored() { "$tabia" db sql "$1" 'SELECT count(*) FROM games' 2>/dev/null || echo 0; }
# start: a job that plays until it has more games than were seen; sets script, player, seen.
start() {
    endless &
    script=$!
    for _ in $(seq 600); do [ "$(stored "$scratch")" -ge $((seen + 100)) ] && break || sleep 0.1; done
    [ "$(stored "$scratch")" -ge $((seen + 100)) ] || fail "only $(stored "$scratch") games of the batch job"
    player=$(pgrep -P $script -x tabia) || fail 'no program in the batch job'
    seen=$(stored "$scratch")
}
# kept WHEN: the part has what was seen.
kept() {
    { wait $script; } 2>/dev/null && fail "$1: the batch job ends well"
    [ "$(stored "$part")" -ge "$seen" ] || fail "$1: $(stored "$part") games are kept of $seen"
    "$tabia" db check "$part" --quiet >/dev/null || fail "$1: the part is damaged"
    [ ! -e "${scratch%/*}" ] || fail "$1: the folder is left"
}
start
kill -KILL $player
kept 'a killed program'
start
kill -KILL $script $player
{ wait $script; } 2>/dev/null
# The lock of the killed job is waited for, however long its program takes to end.
exec 9>"${scratch%/*}.lock"
flock 9
sleep 2 &
exec 9>&-
start
kill -TERM $script
kept 'a killed job that was queued again'
# Stopped while it saves
mkdir "$tmp/slow"
printf '#!/bin/sh\n[ "${2%%.new}" = "$2" ] || { : >"$TMPDIR/saves"; sleep 1; }\nexec /bin/cp "$@"\n' >"$tmp/slow/cp"
chmod +x "$tmp/slow/cp"
(cd "$tmp" && PATH=$tmp/slow:$(dirname "$tabia"):$PATH SLURM_ARRAY_JOB_ID=9 SLURM_ARRAY_TASK_ID=3 GAMES=4 \
    SETTINGS='--weights material --nodes 20' exec bash "$source/configs/slurm-selfplay.sh" >/dev/null 2>&1) &
for _ in $(seq 100); do [ -e "$tmp/saves" ] && break || sleep 0.1; done
kill -TERM $!
wait $!
[ "$(stored "$tmp/part-0003.db")" = 4 ] && [ ! -e "$tmp/part-0003.db.new" ] || fail 'a job that was stopped while it saved'

# refuses CODE PART ARGS…
refuses() {
    outcome "$1" "$2" "$tabia" selfplay "${@:3}"
    [ ! -s "$tmp/out" ] || fail "selfplay ${*:3}: prints something"
}

refuses 2 '--db is needed' --games 1
refuses 2 "nodes_soft 401 instead of $nodes" --db "$tmp/whole.db" --weights material --nodes 401 --seed 5
refuses 2 'weights' --db "$tmp/whole.db" --weights zero --nodes $nodes --seed 5
refuses 3 'no-such.h' --db "$tmp/new.db" --weights "$tmp/no-such.h"
refuses 2 '--adjudicate-win' --db "$tmp/new.db" --adjudicate-win often
refuses 2 '--random-until' --db "$tmp/new.db" --random-move 0.1
refuses 2 '--vary-until' --db "$tmp/new.db" --vary-margin 30
refuses 2 'K of last:K must be from 1 to 64' --db "$tmp/new.db" --pool last:65
refuses 2 'zero: named twice' --db "$tmp/new.db" --pool zero,material,zero
refuses 2 '--repeat-openings needs --random-plies 0' --db "$tmp/new.db" --repeat-openings
refuses 3 'no-such.h' --db "$tmp/new.db" --pool "zero,$tmp/no-such.h"
refuses 3 'no generations' --db "$tmp/whole.db" --pool last:5 --seed 6
refuses 2 'pool_1' --db "$tmp/pool.db" --weights material --nodes $nodes --seed 5
refuses 2 'only 30 openings' --db "$tmp/new.db" --games 31 --openings "$tmp/book2.epd"
cat "$tmp/book2.epd" "$tmp/book2.epd" >"$tmp/twice.epd"
refuses 3 'twice.epd has 30 openings' --db "$tmp/new.db" --openings "$tmp/twice.epd" --opening-start 31
refuses 2 'only 960 openings' --db "$tmp/new.db" --first-game 960 --games 1 --chess960 --random-plies 0
refuses 2 'does not go with' --db "$tmp/new.db" --chess960 --openings "$tmp/book2.epd"
refuses 2 'does not go with' --db "$tmp/new.db" --chess960 --double-chess960
refuses 2 '--games' --db "$tmp/new.db" --games many
refuses 4 'whole.json' --db "$tmp/whole.json" --games 1
refuses 4 'no-such-folder' --db "$tmp/no-such-folder/x.db" --games 1
[ -e "$tmp/new.db" ] && fail "a refused run left a database"
[ "$(play whole --games $games)" = "$whole" ] || fail "a refused run changed the database"

finish
