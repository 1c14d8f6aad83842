#!/bin/bash
# SPDX-License-Identifier: MIT
# An hour of work: self-play, and at the same time matches between two UCI processes and an engine in the match's
# process. Prints memory and descriptors of tabia, processes and games a core-second of all of them, for each tenth of
# the time. Exit code 1 if descriptors grew after the second tenth, or memory by 4 MiB more than the database (SQLite's
# page cache, up to 64 MiB), or if the rate of the last half is 10 % below the first's.
#   soak.sh BUILD [MINUTES [THREADS]]      default: 60 minutes, each with a thread a processor
set -u
[ $# -ge 1 ] || { sed -n '7s/^# *//p' "$0" && exit 2; }
build=$(cd "$1" && pwd) minutes=${2:-60} threads=${3:-$(nproc)}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# tree PID: the process and all that it started.
tree() {
    ps -eo pid=,ppid= | awk -v root="$1" '
        {parent[$1] = $2}
        END {
            for (pid in parent) {
                for (p = pid; p > 1 && p != root; p = parent[p]) {}
                if (p == root) print pid
            }
        }'
}

# sample PID DB: KiB of memory, descriptors, processes, games and seconds of processor time so far, KiB of the database.
sample() {
    local rss files processes=0 ticks=0 pid stat
    rss=$(awk '/^VmRSS/ {print $2}' "/proc/$1/status") files=$(find "/proc/$1/fd" -mindepth 1 | wc -l)
    for pid in $(tree "$1"); do
        stat=$(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null) || continue
        ticks=$((ticks + $(awk '{print $12 + $13 + $14 + $15}' <<<"$stat"))) # with children that have ended
        processes=$((processes + 1))
    done
    echo "$rss $files $processes $("$build/tabia" db sql "$2" 'SELECT count(*) FROM games' 2>/dev/null || echo 0)" \
        "$(awk -v t="$ticks" -v hz="$(getconf CLK_TCK)" 'BEGIN {print t / hz}')" "$(du -kc "$2" "$2-wal" | awk 'END {print $1}')"
}

# soak NAME COMMAND…: runs it for the time, in ten parts; fails as described above.
soak() {
    local name=$1 pid part failures=0
    shift
    "$build/tabia" "$@" --db "$tmp/$name.db" --quiet --threads "$threads" >/dev/null 2>"$tmp/$name.err" &
    pid=$!
    sleep 2
    sample $pid "$tmp/$name.db" >"$tmp/$name.samples"
    for part in 1 2 3 4 5 6 7 8 9 10; do
        sleep "$(awk -v m="$minutes" 'BEGIN {print m * 6}')"
        kill -0 $pid || { echo "$name: ended: $(cat "$tmp/$name.err")"; return 1; }
        sample $pid "$tmp/$name.db" >>"$tmp/$name.samples"
    done
    kill -INT $pid
    wait $pid
    local code=$?
    [ $code = 130 ] || { echo "$name: exit code $code: $(cat "$tmp/$name.err")"; failures=$((failures + 1)); }
    awk -v name="$name" -v minutes="$minutes" '
        {rss[NR] = $1; files[NR] = $2; processes[NR] = $3; games[NR] = $4; cpu[NR] = $5; kept[NR] = $6}
        function rate(a, b) {return cpu[b] > cpu[a] ? (games[b] - games[a]) / (cpu[b] - cpu[a]) : 0}
        END {
            print name ", minute: MiB, descriptors, processes, games, games a core-second, MiB of the database"
            for (i = 2; i <= NR; i++)
                printf "%8.1f: %6.1f %4d %4d %8d %8.3f %6.1f\n", (i - 1) * minutes / 10, rss[i] / 1024, files[i],
                    processes[i], games[i], rate(i - 1, i), kept[i] / 1024
            half = int((NR + 1) / 2)
            printf "first half %.3f, second half %.3f games a core-second\n", rate(1, half), rate(half, NR)
            cached = kept[NR] - kept[3] < 65536 ? kept[NR] - kept[3] : 65536
            if (rss[NR] - rss[3] > cached + 4096) {print "memory grows"; bad = 1}
            if (files[NR] > files[3] + 2) {print "descriptors grow"; bad = 1}
            if (rate(half, NR) < 0.9 * rate(1, half)) {print "the rate falls"; bad = 1}
            exit bad
        }' "$tmp/$name.samples" || failures=$((failures + 1))
    "$build/tabia" db check "$tmp/$name.db" || failures=$((failures + 1))
    return $((failures > 0))
}

soak selfplay selfplay --games 1M --nodes 2000 --compact >"$tmp/selfplay.out" &
selfplay=$!
soak matches gauntlet --rounds 200k --nodes 500 --engine "name=a,cmd=$build/tabia-engine" \
    --engine "name=b,cmd=$build/tabia-engine" --engine name=c,weights=material
failed=$?
wait $selfplay || failed=1
cat "$tmp/selfplay.out"
exit $failed
