#!/bin/bash
# SPDX-License-Identifier: MIT
# Several processes on one database, and databases on full disks: they wait or report the error, and lose nothing.
#   test_rivals.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
cd "$tmp" || exit 1
run="--seed 4 --nodes 60 --quiet"

# all_end WHAT PID…: all of them end with exit code 0.
all_end() {
    local what=$1 pid
    shift
    for pid in "$@"; do
        wait "$pid" || fail "$what: exit code $?: $(cat err.*)"
    done
}
same() { [ "$("$tabia" db digest "$1")" = "${3:-$digest}" ] || fail "$2: another digest"; }
sound() { "$tabia" db check "$1" --quiet >out 2>&1 || fail "$1: $(cat out)"; }

# shellcheck disable=SC2086
"$tabia" selfplay --db whole.db $run --games 60 >/dev/null || fail "selfplay"
digest=$("$tabia" db digest whole.db)

# Two processes of the same run, started before the file exists: both play the same games, which are compared.
for i in 1 2; do
    # shellcheck disable=SC2086
    "$tabia" selfplay --db both.db $run --games 60 --threads 1 >/dev/null 2>err.$i &
    pids[$i]=$!
done
all_end 'the same run twice' "${pids[@]}"
same both.db 'the same run twice'
sound both.db

# Two halves of a run that is stored in several steps, and readers at the same time.
# shellcheck disable=SC2086
"$tabia" selfplay --db long.db $run --games 400 >/dev/null || fail "selfplay"
# shellcheck disable=SC2086
"$tabia" selfplay --db halves.db $run --games 200 --threads 1 >/dev/null 2>err.1 &
one=$!
# shellcheck disable=SC2086
"$tabia" selfplay --db halves.db $run --first-game 200 --games 200 --threads 1 >/dev/null 2>err.2 &
two=$!
while kill -0 $one 2>/dev/null || kill -0 $two 2>/dev/null; do
    if [ -s halves.db ]; then
        "$tabia" db check halves.db --quiet >out 2>&1 || grep -q 'an empty file' out || fail "check meanwhile: $(cat out)"
        "$tabia" tune --db halves.db --out meanwhile.h --quiet >out 2>&1 ||
            grep -qE 'no games|no positions|no position passes|an empty file|too few|at least' out || fail "tune meanwhile: $(cat out)"
    fi
    sleep 0.05
done
all_end 'two halves' $one $two
same halves.db 'two halves' "$("$tabia" db digest long.db)"
sound halves.db

# Merging two files into one, and materializing it, at the same time
"$tabia" selfplay --db low.db $run --games 30 --compact >/dev/null
"$tabia" selfplay --db high.db $run --first-game 30 --games 30 --compact >/dev/null
"$tabia" db merge into.db low.db >/dev/null 2>err.1 &
one=$!
"$tabia" db merge into.db high.db >/dev/null 2>err.2 &
two=$!
all_end 'two merges' $one $two
"$tabia" db materialize into.db --quiet >/dev/null 2>err.1 &
one=$!
"$tabia" db materialize into.db --quiet >/dev/null 2>err.2 &
two=$!
all_end 'two materialize' $one $two
same into.db 'two merges'
sound into.db

# Ctrl-C ends a command that waits for a lock.
if command -v sqlite3 >/dev/null; then
    sqlite3 old.db <"$source/tests/data/version_2.sql" || fail "old.db"
    mkfifo hold
    sqlite3 into.db <hold >held 2>&1 &
    holder=$!
    exec 9>hold
    printf '%s\n' "ATTACH 'old.db' AS old; BEGIN IMMEDIATE;" '.print yes' >&9
    for _ in $(seq 200); do [ -s held ] && break || sleep 0.05; done
    "$tabia" db export low.db low.plain --quiet >out 2>err || fail "export: $(cat err)"
    # shellcheck disable=SC2086
    for command in 'db upgrade old.db' 'db vacuum into.db' 'db import into.db low.plain' "selfplay --db into.db $run --games 61" \
        'gauntlet --db into.db --a builtin --b material --nodes 50 --games 4 --quiet'; do
        ctrl_c_after --kill-after=9 1 "$tabia" $command >out 2>err
        [ $? = 124 ] && grep -q interrupted err || fail "$command: Ctrl-C while a lock is held: $(cat err)"
    done
    printf '%s\n' 'ROLLBACK; BEGIN; SELECT count(*) FROM games;' '.print no' >&9 # a reader
    for _ in $(seq 200); do grep -q no held && break || sleep 0.05; done
    ctrl_c_after --kill-after=9 1 "$tabia" db vacuum into.db >out 2>err
    [ $? = 124 ] && grep -q interrupted err || fail "vacuum beside a reader: $(cat out err)"
    exec 9>&-
    wait $holder
fi

# An export shows one state, although games of two runs go while a full pipe holds it up.
"$tabia" db merge runs.db low.db >/dev/null
"$tabia" selfplay --db runs.db --seed 5 --nodes 60 --games 30 --compact --quiet >/dev/null
"$tabia" db export runs.db before.plain --quiet >out 2>err || fail "export: $(cat err)"
mkfifo pipe
"$tabia" db export runs.db pipe --format plain --quiet >out 2>err &
{
    read -r first # it has begun
    "$tabia" db sql runs.db --write 'DELETE FROM games WHERE game_no > 14' >/dev/null || fail "deleting"
    echo "$first"
    cat
} <pipe >during.plain
wait $! || fail "export beside a writer: $(cat err)"
cmp before.plain during.plain || fail "an export of two states"

# Parts of games that go between the choice and the copying are refused.
if strace -o /dev/null true 2>/dev/null; then
    ASAN_OPTIONS=detect_leaks=0 strace -o /dev/null -e trace=getdents64 -e inject=getdents64:delay_enter=6s:when=1 \
        "$tabia" db sample runs.db some.db --games 30 >out 2>err &
    sleep 3
    "$tabia" db sql runs.db --write 'DELETE FROM games WHERE game_no > 12' >/dev/null || fail "deleting"
    wait $!
    [ $? = 1 ] && grep -q 'another process changed it' err && [ ! -e some.db ] || fail "sample: $(cat out err)"
fi

# A lock that is never released is reported. (It takes thirty seconds: not in every test run.)
if [ -n "${TABIA_SLOW_TESTS:-}" ] && command -v sqlite3 >/dev/null; then
    (echo 'BEGIN IMMEDIATE;'; sleep 40) | sqlite3 whole.db &
    holder=$!
    sleep 0.5
    # shellcheck disable=SC2086
    "$tabia" selfplay --db whole.db $run --games 61 >/dev/null 2>err
    [ $? = 4 ] && grep -q 'another process keeps the database locked' err && [ "$(wc -l <err)" = 1 ] || fail "a lock: $(cat err)"
    kill $holder
fi

# A file with two names has two logs, so nothing is written; the name that a killed import left goes.
cp whole.db linked.db && ln linked.db again.db
for command in 'db materialize again.db' 'db vacuum again.db' 'db merge again.db low.db' "selfplay --db again.db $run --games 61"; do
    # shellcheck disable=SC2086
    outcome 4 'again.db: the file has 2 names' "$tabia" $command
done
same again.db 'another name'
mv again.db linked.db.new-4194000
sound linked.db
"$tabia" db materialize linked.db --quiet >/dev/null 2>err || fail "a name of an ended process: $(cat err)"

# A file that is removed, renamed or replaced under a writer ends it; what was committed stays under the new name.
has_games() { [ "$("$tabia" db sql "$1" 'SELECT count(*) > 0 FROM games' 2>/dev/null)" = 1 ]; }
gone() { # COMMAND: runs it beside self-play
    cp low.db other.db
    # shellcheck disable=SC2086
    "$tabia" selfplay --db gone.db $run --games 100000 --threads 1 --quiet >out 2>err &
    local pid=$!
    wait_until $pid has_games gone.db
    eval "$1"
    wait $pid
    [ $? = 4 ] && grep -q 'gone.db: the file was removed, renamed or replaced' err || fail "$1: $(cat out err)"
}
gone 'rm gone.db'
rm -f gone.db*
gone 'mv gone.db moved.db'
sound moved.db
has_games moved.db || fail 'a renamed database lost its games'
rm -f gone.db*
gone 'mv other.db gone.db'
same gone.db 'a database that took the place of another' "$("$tabia" db digest low.db)"

# Who may not write into the folder reads without locks: a change meanwhile is reported. Nor is memory shared on a disk
# without a free byte: the reader locks the file.
if [ "$(id -u)" = 0 ] && command -v setpriv strace >/dev/null; then
    chmod 755 "$tmp"
    "$tabia" db merge shut.db whole.db >/dev/null
    nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
    $nobody "$tabia" db check shut.db --quiet >out 2>err || fail "a closed folder: $(cat out err)"
    # shellcheck disable=SC2086
    ASAN_OPTIONS=detect_leaks=0 $nobody strace -o /dev/null -P "$PWD/shut.db" -e inject=pread64:delay_enter=3s:when=4 \
        "$tabia" db export shut.db /dev/stdout --format plain >out 2>err &
    sleep 1
    "$tabia" db merge shut.db long.db --quiet >/dev/null || fail "merge beside a reader"
    wait $!
    [ $? = 4 ] && grep -q 'shut.db: the file was changed while it was read' err || fail "a reader beside a merge: $(cat err)"

    mkdir tiny
    unshare -m bash -c "mount -t tmpfs -o size=4m none tiny || exit 77
        cp whole.db tiny && dd if=/dev/zero of=tiny/fill bs=4k
        '$tabia' db check tiny/whole.db --quiet && '$tabia' db merge saved.db tiny/whole.db" >out 2>&1
    code=$?
    [ $code = 77 ] || { [ $code = 0 ] && same saved.db 'from a full disk'; } || fail "a disk without a free byte: $(cat out)"
fi

# A new name is brought to the disk with its folder.
if strace -o /dev/null true 2>/dev/null; then
    for new in new.plain new.db; do
        command="export whole.db new.plain"
        [ $new = new.plain ] || command="sample whole.db new.db --games 5"
        # shellcheck disable=SC2086
        ASAN_OPTIONS=detect_leaks=0 strace -f -y -o calls "$tabia" db $command --quiet >/dev/null 2>err || fail "$command: $(cat err)"
        sed -n '/\(rename\|link\)(.*"'$new'"/,$p' calls | grep -q "fsync([0-9]*<$PWD>)" || fail "$new: its folder is not synced"
    done
fi

# A full disk: files are limited to BLOCKS KiB.
full() { # BLOCKS
    rm -f full.db*
    # shellcheck disable=SC2086
    (ulimit -f "$1" && exec "$tabia" selfplay --db full.db $run --games 60 --threads 2 >/dev/null 2>err)
    local code=$?
    [ $code = 4 ] || fail "$1 KiB: exit code $code: $(cat err)"
    [ "$(wc -l <err)" = 1 ] && grep -qE 'full.db: (the disk is full|cannot read or write the disk)' err ||
        fail "$1 KiB: $(cat err)"
    if [ -s full.db ]; then
        "$tabia" db check full.db --quiet >out 2>&1 || grep -q 'an empty file' out || fail "$1 KiB: $(cat out)"
    fi
    # shellcheck disable=SC2086
    "$tabia" selfplay --db full.db $run --games 60 >/dev/null 2>err || fail "$1 KiB, with free space: $(cat err)"
    same full.db "$1 KiB"
}
for blocks in 20 100 200 300 400; do full $blocks; done
(ulimit -f 100 && exec "$tabia" db merge small.db whole.db >/dev/null 2>err)
[ $? = 4 ] && grep -qE 'small.db: (the disk is full|cannot read or write the disk)' err || fail "merge: $(cat err)"
"$tabia" db merge small.db whole.db >/dev/null || fail "merge, with free space"
same small.db 'merge on a full disk'
(ulimit -f 100 && exec "$tabia" db sample whole.db part.db --games 50 >/dev/null 2>err)
[ $? = 4 ] || fail "sample on a full disk: $(cat err)"
ls | grep -E 'part|new-' && fail "an incomplete part is left"

# A small file system, where it can be mounted
if unshare -m true 2>/dev/null && mkdir disk && unshare -m bash -c "
        mount -t tmpfs -o size=300k none disk || exit 77
        '$tabia' selfplay --db disk/a.db $run --games 60 >/dev/null 2>err
        [ \$? = 4 ] || exit 1
        grep -qE 'the disk is full|cannot read or write' err || exit 2
        mount -o remount,size=8m disk
        '$tabia' selfplay --db disk/a.db $run --games 60 >/dev/null 2>err || exit 3
        [ \"\$('$tabia' db digest disk/a.db)\" = $digest ]"; then
    :
else
    code=$?
    [ $code = 77 ] || [ ! -d disk ] || fail "a small file system: $code: $(cat err)"
    echo "note: no small file system to be had"
fi

finish
