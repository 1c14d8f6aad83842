#!/bin/bash
# SPDX-License-Identifier: MIT
# External engines that misbehave: the game is lost with its reason, the match goes on, and no process is left
# running, also after Ctrl-C and after kill -9 of tabia.
#   test_external_engines.sh BUILD SOURCE [ROUNDS]    ROUNDS: of 24 games against all hostile engines; 42: 1,008 games
. "$(dirname "$0")/prelude.sh"
rounds=${3:-2}
[ "$(uname)" = Linux ] || { echo "ps -s is of Linux" && exit 77; }

# in_session ARGS…: runs tabia gauntlet in its own session, whose number goes to a file; 60 s at most.
in_session() {
    setsid --wait sh -c 'echo $$ >"$0"; exec timeout 60 "$@"' "$tmp/session" \
        "$build/tabia" gauntlet --json --quiet "$@" >"$tmp/out" 2>"$tmp/err"
}

# Processes left in the session, without zombies that init will reap.
who_is_left() {
    ps -s "$(cat "$tmp/session")" -o ppid=,stat=,pid=,args= | grep -v '^ *1 Z'
}

# A killed process may need a moment to end.
nobody_left() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        who_is_left >/dev/null || return
        sleep 0.1
    done
    fail "$1: left behind: $(who_is_left)"
}

# forfeits WORD FAULT… : an engine with each FAULT loses all its games, with that Termination; exit code 5.
forfeits() {
    local word=$1 fault
    shift
    for fault in "$@"; do
        in_session --engine weights=material,nodes=20 --games 4 --pgn "$tmp/$fault.pgn" --threads 2 \
            --engine "cmd=$build/fake_engine,args=$fault,stall=200ms,nodes=1000${limit:-}"
        [ $? = 5 ] && grep -qx 'tabia gauntlet: external engines forfeited 4 of 4 games' "$tmp/err" ||
            fail "$fault: not exit code 5: $(cat "$tmp/err")"
        grep -qF '"wins": 4, "draws": 0, "losses": 0,' "$tmp/out" || fail "$fault: $(cat "$tmp/out")"
        [ "$(grep -c "^\[Termination \"\($word\)\"" "$tmp/$fault.pgn")" = 4 ] ||
            fail "$fault: $(grep Termination "$tmp/$fault.pgn")"
        nobody_left "$fault"
    done
}

forfeits 'abandoned\|crash' crash 'crash 3' exit half kill-parent close-output 'close-input 2' grandchild flood-lines flood-bytes flood-errors
forfeits 'abandoned\|stalled connection' hang stop-parent think garbage nodes unended
forfeits 'rules infraction\|illegal move' nonsense illegal none null empty stale
limit=,st=0.05
forfeits 'time forfeit' late think hang

# Logs go to a folder that is made, and never into a database.
pair=(gauntlet --engine "name=a,cmd=$build/fake_engine,nodes=20" --engine weights=zero,nodes=20 --games 2 --max-plies 10 --quiet)
"$tabia" "${pair[@]}" --log "$tmp/logs" --db "$tmp/logged.db" >"$tmp/out" 2>"$tmp/err" && [ -s "$tmp/logs/a.log" ] || fail "--log: $(cat "$tmp/err")"
mkdir "$tmp/other" && cp "$build/fake_engine" "$tmp/other/" # a log for each, also where programs have one name
"$tabia" gauntlet --engine "cmd=$build/fake_engine,nodes=20" --engine "cmd=$tmp/other/fake_engine,nodes=20" --games 2 --max-plies 10 \
    --log "$tmp/alike" --quiet >"$tmp/out" 2>"$tmp/err" || fail "two programs of a name: $(cat "$tmp/err")"
[ -s "$tmp/alike/fake_engine.log" ] && [ -s "$tmp/alike/fake_engine-2.log" ] || fail "logs: $(ls "$tmp/alike")"
pair[2]+=,log=$tmp/logged.db
"$tabia" "${pair[@]}" >"$tmp/out" 2>"$tmp/err" && fail 'a log in a database'
grep -q 'logged.db is no log of an engine; name a new file' "$tmp/err" || fail "$(cat "$tmp/err")"
for other in --pgn --epd --db; do # nor into another file of the match
    pair[2]=name=a,cmd=$build/fake_engine,nodes=20,log=$tmp/both
    "$tabia" "${pair[@]}" $other "$tmp/both" >"$tmp/out" 2>"$tmp/err" && fail "a log in the file of $other"
    grep -q 'both is named for two outputs\|both is an input' "$tmp/err" && [ ! -e "$tmp/both" ] || fail "$other: $(cat "$tmp/err")"
done
pair[2]=name=a,cmd=$build/fake_engine,nodes=20,log=$tmp/book
echo 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -' | tee "$tmp/book" >"$tmp/kept"
"$tabia" "${pair[@]}" >"$tmp/out" 2>"$tmp/err" && fail 'a log in a book'
cmp "$tmp/book" "$tmp/kept" && grep -q 'book is no log of an engine' "$tmp/err" || fail "$(cat "$tmp/err")"

# A log on a full disk is said once, and the match goes on.
if [ -c /dev/full ]; then
    pair[2]=name=a,cmd=$build/fake_engine,nodes=20,log=/dev/full
    "$tabia" "${pair[@]}" >"$tmp/out" 2>"$tmp/err" || fail "a full log: $(cat "$tmp/err")"
    echo 'warning: /dev/full: lines of the log are lost: No space left on device' | cmp - "$tmp/err" ||
        fail "a full log: $(cat "$tmp/err")"
fi

# Odd but allowed: the match is played to its end, by processes that may have to be killed.
for odd in twice nul long errors lines many names no-quit no-newgame; do
    in_session --engine weights=zero,nodes=20 --games 4 --max-plies 20 --pgn "$tmp/$odd.pgn" --threads 2 \
        --engine "cmd=$build/fake_engine,args=$odd,stall=1s,nodes=1000,restart=on" ||
        fail "$odd: exit code $?: $(cat "$tmp/err")"
    [ "$(grep -c '^\[Termination "\(normal\|adjudication\)"' "$tmp/$odd.pgn")" = 4 ] ||
        fail "$odd: $(grep Termination "$tmp/$odd.pgn")"
    nobody_left "$odd"
done

# Faulty PVs are named once for each kind, and counted, also of a match in parts.
for games in 2 4; do
    "$tabia" gauntlet --json --engine weights=zero,nodes=20 --games $games --max-plies 20 --db "$tmp/pv.db" --threads 1 \
        --engine "name=f,cmd=$build/fake_engine,args=many,depth=1" >"$tmp/out.$games" 2>"$tmp/err" || fail "PVs: exit code $?"
    [ "$(grep -c '^warning: f: a PV has the illegal move e2e4 in .*: info depth 19 .* pv e2e4$' "$tmp/err")" = 1 ] ||
        fail "PVs: $(cat "$tmp/err")"
done
counts() { grep -o '"pv_[a-z_]*": [1-9][0-9]*' "$tmp/out.$1" | tr -d '\n'; }
[ "$(counts 2)" = '"pv_illegal": 15"pv_other_move": 5' ] && [ "$(counts 4)" = '"pv_illegal": 35"pv_other_move": 5' ] ||
    fail "PVs: $(counts 2), $(counts 4)"
[ "$("$tabia" db sql "$tmp/pv.db" "SELECT json ->> 'pv_illegal_1', json ->> 'pv_other_move_1' FROM gauntlets")" = '35|5' ] ||
    fail "PVs: $("$tabia" db sql "$tmp/pv.db" 'SELECT json FROM gauntlets')"

# --compliance: our engine passes all steps; one that misbehaves fails those that are about it. An engine that ends or hangs
# is started again for the next step.
# fails CODE STEPS FAULT: the numbers of the steps that fail.
fails() {
    local code=$1 failed=$2
    shift 2
    "$tabia" gauntlet --compliance "$*" >"$tmp/out" 2>"$tmp/err"
    [ $? = "$code" ] || fail "$*: not exit code $code: $(cat "$tmp/err")"
    [ "$(awk '$2 == "failed" {print $1}' "$tmp/out" | tr '\n' ' ')" = "$failed" ] || fail "$*: $(grep failed "$tmp/out")"
}
fails 0 '' "$build/tabia-engine"
[ "$(tail -1 "$tmp/out")" = 'tabia-engine: 52 steps passed, 0 failed, 0 skipped' ] || fail "tabia-engine: $(tail -1 "$tmp/out")"
idle='14 32 33 34 35 36 37 ' # it searches nothing and moves at once
fails 1 "$idle" "$build/fake_engine"
grep -qx 'tabia gauntlet: fake_engine fails 7 of 46 steps' "$tmp/err" || fail "fake_engine: $(cat "$tmp/err")"
grep -qE '^ 14  failed  .*: no readyok: ended with exit code 3; ' "$tmp/out" || fail "a crash: $(grep '^ 14' "$tmp/out")"
fails 1 "${idle/ 37/}44 46 47 " "$build/fake_engine" lines # with readyok before each bestmove
fails 1 "14 $(seq -s ' ' 15 38) 41 42 43 45 " "$build/fake_engine" crash
fails 1 '1 ' "$build/fake_engine" no-start
[ "$(grep -c ' skipped .*: the engine does not start$' "$tmp/out")" = 51 ] || fail "no start: $(cat "$tmp/out")"
"$tabia" gauntlet --compliance "'$build/fake_engine' stale" --json --log "$tmp/steps" >"$tmp/out" 2>"$tmp/err" && fail 'stale moves pass'
python3 -c 'import json, sys; steps = json.load(sys.stdin)["steps"]; sys.exit(steps[12]["verdict"] != "failed")' <"$tmp/out" &&
    grep -q ' > xyzzy plugh$' "$tmp/steps/fake_engine.log" || fail "stale: $(cat "$tmp/out" "$tmp/err")"
outcome 2 'the program is missing' "$tabia" gauntlet --compliance ''
outcome 5 'cannot start no-such-engine' "$tabia" gauntlet --compliance no-such-engine
outcome 5 'its arguments belong to args=' "$tabia" gauntlet --engine 'cmd=no-such engine.py,nodes=1' --engine weights=zero --games 2 --quiet

# Figures out of every range: the games are stored, and stay readable. A name is printed without commands to terminals.
in_session --engine weights=zero,nodes=20 --games 8 --max-plies 20 --db "$tmp/absurd.db" --threads 2 \
    --engine "cmd=$build/fake_engine,args=absurd,stall=1s,depth=1" || fail "absurd: exit code $?: $(cat "$tmp/err")"
"$tabia" db check "$tmp/absurd.db" --quiet >"$tmp/out" 2>&1 || fail "absurd: $(cat "$tmp/out")"
"$tabia" db export "$tmp/absurd.db" "$tmp/absurd.pgn" --quiet >"$tmp/out" 2>&1 || fail "absurd: $(cat "$tmp/out")"
"$tabia" gauntlet --engine weights=zero,nodes=20 --games 2 --max-plies 4 --quiet \
    --engine "cmd=$build/fake_engine,args=names,depth=1" >"$tmp/out" 2>&1 || fail "names: $(cat "$tmp/out")"
! grep -q "$(printf '[\001\033]')" "$tmp/out" && grep -qF '?[2J' "$tmp/out" || fail "names: $(cat -v "$tmp/out")"

# refuses PART SPEC…: exit code 5 and one line with PART.
refuses() {
    local part=$1
    shift
    in_session --engine weights=zero --games 4 --engine "$@"
    local rc=$?
    [ $rc = 5 ] || fail "$*: exit code $rc"
    grep -qF -- "$part" "$tmp/err" || fail "$*: no \"$part\" in: $(cat "$tmp/err")"
    [ "$(wc -l <"$tmp/err")" = 1 ] || fail "$*: more than one line of error: $(cat "$tmp/err")"
    nobody_left "$*"
}

refuses 'fake: no uciok: timeout after 0.3 s' "name=fake,cmd=$build/fake_engine,args=no-uciok,init=0.3"
refuses 'no readyok' "cmd=$build/fake_engine,args=no-readyok,init=1"
refuses 'fake_engine: no license' "cmd=$build/fake_engine,args=no-start"
refuses 'no option Hsah; its options are Hash, Style, Clear Hash, Slow, Book File, UCI_Chess960; did you mean Hash?' "cmd=$build/fake_engine,option.Hsah=1"
refuses 'last line "uci"' cmd=cat,init=0.3
refuses 'no uciok: timeout after 1.0 s' cmd=cat,proto=xboard,init=1
grep -q 'if it is an xboard engine' "$tmp/err" && fail 'an xboard adapter gets the hint for xboard engines'
refuses 'No such file' "cmd=fake_engine,dir=$build/no-such-folder"

# Reasons go to standard error at once. With --stop-on-fault the first one ends the match.
"$build/tabia" gauntlet --engine weights=zero,nodes=20 --games 2 --engine "name=x,cmd=$build/fake_engine,args=illegal" \
    --pgn "$tmp/named.pgn" >"$tmp/out" 2>"$tmp/err"
grep -qF '{illegal move: x: "bestmove a1b8" is not a legal move in ' "$tmp/named.pgn" || fail "no illegal move in PGN"
"$build/tabia" db import "$tmp/named.db" "$tmp/named.pgn" --quiet >/dev/null &&
    [ "$("$build/tabia" db sql "$tmp/named.db" 'SELECT count(*) FROM games WHERE reason = 10')" = 2 ] ||
    fail "games with an illegal move are not read"
grep -qF 'game 1, illegal move: x: "bestmove a1b8" is not a legal move in ' "$tmp/err" || fail "no reason: $(cat "$tmp/err")"
refuses 'game 1: x: was killed by signal 9' "name=x,cmd=$build/fake_engine,args=crash" --stop-on-fault --threads 1

# So does the first one where one thread plays and writes.
OMP_THREAD_LIMIT=1 "$build/tabia" gauntlet --engine weights=zero,nodes=20 --games 20 --stop-on-fault --log "$tmp/one" \
    --engine "name=x,cmd=$build/fake_engine,args=illegal" >"$tmp/out" 2>"$tmp/err"
[ $? = 5 ] && [ "$(cat "$tmp/one"/* | grep -c ucinewgame)" -le 2 ] || fail "one thread: $(grep -c ucinewgame "$tmp/one"/*) games: $(cat "$tmp/err")"

# A forfeit after the decision of a sequential test is one, too.
for sprt in '' '--sprt elo0=0,elo1=100,alpha=0.2,beta=0.2,model=logistic'; do
    in_session --engine weights=zero,nodes=1 --games 20 --max-plies 2 --threads 1 --db "$tmp/decided.db" $sprt \
        --engine "cmd=$build/fake_engine,args=illegal 15,depth=1"
    [ $? = 5 ] && grep -qF 'forfeited 6 of 20 games' "$tmp/err" || fail "forfeits after a decision: $(cat "$tmp/err")"
done
grep -qF '"lost_by_illegal_move": 0' "$tmp/out" || fail "a forfeit before the decision: $(cat "$tmp/out")"

# A late move loses its game alone.
in_session --engine weights=zero,nodes=20 --games 2 --stop-on-fault --pgn "$tmp/late-moves.pgn" \
    --engine "cmd=$build/fake_engine,args=late,st=0.05"
[ "$(grep -c '^\[Termination "time forfeit"' "$tmp/late-moves.pgn")" = 2 ] || fail "late moves with --stop-on-fault: $(cat "$tmp/err")"
"$tabia" gauntlet --engine weights=zero,nodes=20 --engine "cmd=$build/fake_engine,args=late,st=0.05" --games 2 2>&1 |
    grep -qE '^game 1, time: fake_engine lost; its move took [0-9]+ ms of 50$' || fail 'how late'

# The games before the fault are reported and written.
in_session --engine weights=zero,nodes=20 --games 20 --max-plies 10 --threads 1 --stop-on-fault --pgn "$tmp/until.pgn" \
    --engine "name=x,cmd=$build/fake_engine,args=crash 13"
[ $? = 5 ] || fail "a late fault: $(cat "$tmp/err")"
grep -qF '"games": 2,' "$tmp/out" || fail "a late fault: no report: $(cat "$tmp/out")"
[ "$(grep -c '^\[Result ' "$tmp/until.pgn")" = 2 ] || fail 'a late fault: the games are lost'
refuses 'game 1: x' "name=x,cmd=$build/fake_engine,args=crash" --stop-on-fault --threads 1 --pgn "$tmp/until.pgn"
[ -s "$tmp/until.pgn" ] || fail 'a match without a game empties the file of another'

# The log, whose first process is the trial start; games are bound to a processor.
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
in_session --engine weights=zero,nodes=20 --games 2 --threads 1 --log "$tmp" --affinity "$cpu" \
    --engine "name=a/b,cmd=sh,args=-c 'taskset -cp \$\$ >&2; exec $build/fake_engine'" || fail "log: $? $(cat "$tmp/err")"
grep -q "Z a/b#2 ! .*list: $cpu\$" "$tmp/a_b.log" || fail "affinity: $(head -3 "$tmp/a_b.log")"
grep -q 'Z a/b#2 > position startpos\|Z a/b#2 > position fen' "$tmp/a_b.log" || fail "log: $(head "$tmp/a_b.log")"

# Engines have the scheduling policy of tabia, and nice values.
if chrt -b 0 true 2>"$tmp/err"; then
    for way in 'chrt -b 0' 'nice -n -5'; do
        # shellcheck disable=SC2016
        $way sh -c 'echo $(chrt -p $$ | grep -o SCHED_.*) $(nice)' >"$tmp/ours" 2>"$tmp/err"
        grep -q 'nice' "$tmp/err" && continue # not allowed
        rm -f "$tmp/theirs"
        $way "$build/tabia" gauntlet --engine weights=zero,nodes=20 --games 2 --max-plies 4 --threads 1 --quiet --engine \
            "cmd=sh,nodes=20,args=-c 'echo \$(chrt -p \$\$ | grep -o SCHED_.*) \$(nice) >>$tmp/theirs; exec $build/fake_engine'" \
            >"$tmp/out" 2>"$tmp/err" || fail "$way: exit code $?: $(cat "$tmp/err")"
        sort -u "$tmp/theirs" | cmp -s - "$tmp/ours" || fail "$way: $(cat "$tmp/theirs"), not $(cat "$tmp/ours")"
    done
fi

# end SIGNAL CODE SPEC: sends the signal to tabia while two engines hang; no process may be left.
end() {
    local signal=$1 code=$2 session rc
    shift 2
    : >"$tmp/session"
    in_session --engine weights=zero,nodes=20 --games 4 --threads 2 --engine "$@" 2>/dev/null &
    for _ in $(seq 100); do
        sleep 0.1
        session=$(cat "$tmp/session")
        [ -n "$session" ] && [ "$(ps -s "$session" -o args= | grep -c '[f]ake_engine hang')" -ge 2 ] && break
    done
    sleep 0.3
    pkill "-$signal" -s "$session" -x tabia
    wait $!
    rc=$?
    [ $rc = "$code" ] || fail "$signal: exit code $rc: $(cat "$tmp/err")"
    nobody_left "$signal"
}

end INT 130 "cmd=$build/fake_engine,args=hang"
end KILL 137 "cmd=$build/fake_engine,args=hang"
end KILL 137 "cmd=sh,args=-c '$build/fake_engine hang; exit 1'" # a child of the engine

# Engines whose processes leave session and group: none is left after a match, nor after kill -9 of tabia.
ln -s "$build/fake_engine" "$tmp/stray"
strays() { pgrep -f "^$tmp/stray "; }
no_strays() {
    for _ in $(seq 20); do
        strays >/dev/null || return
        sleep 0.1
    done
    fail "$1: left behind: $(strays | wc -l)"
}
stray_match() {
    exec "$tabia" gauntlet --quiet --engine weights=zero,nodes=20 --games "$2" --max-plies 10 --threads 2 \
        --engine "cmd=$tmp/stray,args=$1" >"$tmp/out" 2>"$tmp/err"
}
for fault in loner daemon daemon-a-game relay 'loner 3' crash; do
    (stray_match "$fault" 6)
    rc=$?
    [ "$fault $rc" = 'crash 5' ] || [ $rc = 0 ] || fail "$fault: exit code $rc: $(cat "$tmp/err")"
    no_strays "$fault"
done
for fault in loner daemon daemon-a-game relay hang; do
    stray_match "$fault" 1000000 &
    for _ in $(seq 100); do [ "$(strays | wc -l)" -ge 4 ] && break; sleep 0.1; done
    { kill -KILL $! && wait $!; } 2>/dev/null
    no_strays "$fault, kill -9"
done

# Daemons that end during the match are reaped soon: half the time there are few zombies.
stray_match daemons 100 &
while kill -0 $! 2>/dev/null; do
    ps -e -o stat=,comm= | grep -c '^Z.* stray'
    sleep 0.02
done >"$tmp/zombies"
wait $! || fail "daemons: exit code $?: $(cat "$tmp/err")"
[ "$(sort -n "$tmp/zombies" | awk '{n[NR] = $1} END {print n[int((NR + 1) / 2)]}')" -le 8 ] ||
    fail "daemons: zombies: $(xargs <"$tmp/zombies")"
no_strays daemons

# All of them in one match: with 42 rounds or more the second half needs no more descriptors, memory and processes than
# the first.
engines=()
for fault in crash exit half illegal stale twice absurd lines many daemons daemon-a-game close-output; do
    engines+=(--engine "name=$fault,cmd=$tmp/stray,args=$fault,stall=5s,depth=1")
done
"$tabia" gauntlet --engine name=a,weights=zero,nodes=20 "${engines[@]}" --rounds "$rounds" --max-plies 10 --threads 2 \
    --db "$tmp/hostile.db" --json --quiet >"$tmp/out" 2>"$tmp/err" &
: >"$tmp/samples"
while kill -0 $! 2>/dev/null; do
    memory=$(awk '/^VmRSS/ {print $2}' /proc/$!/status 2>/dev/null)
    [ -z "$memory" ] || echo "$(find /proc/$!/fd -type l 2>/dev/null | wc -l) $memory $(strays | wc -l)" >>"$tmp/samples"
    sleep 0.1
done
wait $!
[ $? = 5 ] || fail "hostile match: not exit code 5: $(cat "$tmp/err")"
grep -qF "\"done\": $((24 * rounds))," "$tmp/out" || fail "hostile match: $(head -c 300 "$tmp/out")"
"$tabia" db check "$tmp/hostile.db" --quiet >"$tmp/out" 2>&1 || fail "hostile match: $(cat "$tmp/out")"
awk '{half = NR > lines / 2; n[half]++; for (i = 1; i <= 3; i++) sum[half, i] += $i}
    END {
        for (i = 1; i <= 3; i++) for (half = 0; half <= 1; half++) mean[half, i] = sum[half, i] / (n[half] ? n[half] : 1)
        printf "in the mean %.1f files, then %.1f; %.0f KiB, then %.0f; %.1f processes, then %.1f; %d samples\n",
            mean[0, 1], mean[1, 1], mean[0, 2], mean[1, 2], mean[0, 3], mean[1, 3], lines
        exit rounds >= 42 && (lines < 100 || mean[1, 1] > mean[0, 1] + 4 || mean[1, 2] > 1.1 * mean[0, 2] || mean[1, 3] > mean[0, 3] + 4)
    }' lines="$(wc -l <"$tmp/samples")" rounds="$rounds" "$tmp/samples" >"$tmp/out" || fail "hostile match: $(cat "$tmp/out")"
echo "$((24 * rounds)) games against hostile engines: $(cat "$tmp/out")"
no_strays "hostile match"

# Of many engines the idle ones are ended. A failed start is repeated and loses no game, also a worker's first.
printf '#!/bin/sh\necho >>"$0.starts"\ncase $(wc -l <"$0.starts") in 2 | 4) exit 1 ;; esac\nexec "$@"\n' >"$tmp/flaky"
chmod +x "$tmp/flaky"
in_session --each "depth=1,cmd=$build/fake_engine" --engine name=a --engine name=b --engine name=c --engine name=d \
    --engine name=e --engine "name=f,cmd=$tmp/flaky,args=$build/fake_engine" \
    --tournament roundrobin --rounds 1 --max-plies 4 --threads 1 || fail "flaky: exit code $?: $(cat "$tmp/err")"
grep -qF '"done": 30,' "$tmp/out" && ! grep -q '"lost_by_crash": [1-9]' "$tmp/out" || fail "flaky: $(cat "$tmp/out")"
[ "$(wc -l <"$tmp/flaky.starts")" -gt 4 ] || fail "flaky: $(wc -l <"$tmp/flaky.starts") starts"
nobody_left flaky

# A file that an engine writes when it quits is none that a match is made of. Lines may end with two carriage returns.
printf '#!/bin/sh\n"%s/fake_engine" | sed -u "s/$/\\r\\r/"\necho 1 >>"$1"\n' "$build" >"$tmp/learning" && chmod +x "$tmp/learning"
echo 1 >"$tmp/learned"
in_session --engine weights=zero,nodes=20 --engine "cmd=$tmp/learning,args=$tmp/learned,depth=1" --games 4 --max-plies 4 --threads 2 ||
    fail "an engine that learns: $? $(cat "$tmp/err")"
[ "$(wc -l <"$tmp/learned")" -gt 1 ] || fail 'the engine has written nothing'

# A program or a file of it that is replaced in mid-match ends the match; one that was only absent does not, nor does a
# log. The same command then continues.
changing() { # GAMES COMMAND [NET]: runs COMMAND in mid-match
    cp "$build/fake_engine" "$tmp/engine" && echo "${3:-1}" >"$tmp/net" && echo 1 >"$tmp/engine.log"
    printf '#!/bin/sh\nexec 3>>"$2"\nsleep .1\nexec "%s"\n' "$tmp/engine" >"$tmp/wrapper" && chmod +x "$tmp/wrapper"
    "$tabia" gauntlet --engine weights=zero,nodes=20 --games "$1" --max-plies 4 --threads 1 --db "$tmp/changing.db" --quiet \
        --engine "cmd=$tmp/wrapper,args=$tmp/net $tmp/engine.log,depth=1,restart=on" >"$tmp/out" 2>"$tmp/err" &
    local pid=$!
    sleep 1.5
    eval "$2"
    wait $pid
}
changing 20 'mv "$tmp/engine" "$tmp/gone"; sleep .3; mv "$tmp/gone" "$tmp/engine"; echo 2 >>"$tmp/engine.log"' ||
    fail "absent for a moment: $? $(cat "$tmp/err")"
changing 400 'echo 2 >"$tmp/net"' && fail "a match went on with another file"
grep -q "the file $tmp/net was changed during the match" "$tmp/err" || fail "changed: $(cat "$tmp/err")"
changing 400 'sed -i "s/^exec/exec /" "$tmp/wrapper"' && fail "a match went on with another program"
grep -q "the file $tmp/wrapper was changed during the match" "$tmp/err" || fail "replaced: $(cat "$tmp/err")"
changing 60 : || fail "again: $? $(cat "$tmp/err")"
changing 2 : 2 || fail "with another file: $? $(cat "$tmp/err")"
"$tabia" db sql "$tmp/changing.db" "SELECT sum(run_id = 1) BETWEEN 60 AND 200, sum(run_id = 2), sum(reason = 11) FROM games" >"$tmp/out"
grep -qxF '1|2|0' "$tmp/out" || fail "changing files: $(cat "$tmp/out")"

# Ctrl-Z and fg: the game in progress is played again, however it was measured.
for limit in tc=2+0.05 nodes=600000,stall=2s; do
    "$tabia" gauntlet --engine weights=zero,nodes=200 --engine "cmd=$tabia-engine,$limit" --games 2 --max-plies 60 \
        --db "$tmp/stopped.db" --quiet --threads 1 >"$tmp/out" 2>"$tmp/err" & pid=$!
    sleep .5; kill -CONT $pid; sleep .5
    grep 'was stopped' "$tmp/err" && fail 'SIGCONT alone is taken for a stop'
    kill -STOP $pid; sleep 3.5; kill -CONT $pid
    wait $pid || fail "stopped: exit code $?: $(cat "$tmp/err")"
    grep -q 'was stopped: 1 game in progress is played again' "$tmp/err" || fail "stopped: $(cat "$tmp/err")"
done
"$tabia" db sql "$tmp/stopped.db" 'SELECT count(*), sum(reason IN (9, 11, 12)) FROM games' >"$tmp/out"
grep -qxF '4|0' "$tmp/out" || fail "stopped: $(cat "$tmp/out")"

# The same of commands whose games can be repeated: nothing is lost, and the digest is that of an undisturbed run.
echo 'rfp_margin, int, 130, 20, 200, 9, 0.02' >"$tmp/margin.txt"
for command in 'selfplay --games 60 --nodes 400 --db' 'gauntlet --a builtin --b material --games 40 --nodes 400 --db' \
    "spsa --params $tmp/margin.txt --iterations 4 --games 8 --nodes 400 --db" \
    'learn --from zero --games 60 --nodes 400 --generations 1 --gauntlet-games 20 --final-games 0 --dir'; do
    for name in whole paused; do
        # shellcheck disable=SC2086
        "$tabia" $command "$tmp/$name.run" --quiet >"$tmp/out" 2>"$tmp/err" & pid=$!
        [ $name = paused ] && { sleep .3; kill -TSTP $pid; kill -STOP $pid; sleep 1.2; kill -CONT $pid; }
        wait $pid || fail "$name: $command: exit code $?: $(cat "$tmp/err")"
        [ -d "$tmp/$name.run" ] && mv "$tmp/$name.run/learn.db" "$tmp/$name.digest" || mv "$tmp/$name.run" "$tmp/$name.digest"
        rm -rf "$tmp/$name.run"*
    done
    [ "$("$tabia" db digest "$tmp/whole.digest")" = "$("$tabia" db digest "$tmp/paused.digest")" ] || fail "stopped: $command"
done

# Limits that are too low are found before the match.
(ulimit -n 40 && outcome 1 'engines at once need' "$tabia" gauntlet --each "cmd=$build/fake_engine,depth=1" --engine name=a     --engine name=b --games 40 --threads 16 --quiet)

# More engines than the soft limit of file descriptors allows.
(ulimit -Sn 40 && in_session --engine "cmd=$build/fake_engine,depth=1" --engine "name=b,cmd=$build/fake_engine,depth=1" \
    --games 16 --threads 8 --max-plies 10) || fail "descriptors: $? $(cat "$tmp/err")"
nobody_left descriptors

finish
