#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia learn: a run that is killed repeatedly ends like an undisturbed one. Other settings, a second process and bad
# input are refused.
#   test_learn.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"

settings=(--from zero --games 60 --nodes 50 --nodes-growth 1 --random-decay 0.7 --gauntlet-games 20 --gauntlet-nodes 50
    --final-games 10 --seed 7 --quiet)

# learn DIR OPTIONS…
learn() {
    local dir=$1 first=0
    shift
    [[ " $* " = *' --from '* ]] && first=2 # is given twice otherwise
    "$tabia" learn --dir "$dir" "${settings[@]:first}" "$@"
}

# The results of a run, without times and paths.
found() {
    "$tabia" db digest "$1/learn.db"
    sed -E 's/"(seconds|cpu)[a-z_]*": [^,}]*//g; s|"[^"]*/||g' "$1/results.json"
    (cd "$1" && sha256sum best.h weights/*.h)
}

# ---- Undisturbed
learn "$tmp/alone" --generations 2 --threads 1 --json >"$tmp/alone.json" 2>"$tmp/err" ||
    fail "learn: $(cat "$tmp/err")"
[ -s "$tmp/err" ] && fail "--quiet is not quiet: $(cat "$tmp/err")"
cmp -s "$tmp/alone.json" "$tmp/alone/results.json" || fail "--json is not results.json"
found "$tmp/alone" >"$tmp/alone.found"
grep -q nan "$tmp/alone.json" "$tmp/alone/results.txt" && fail "a NaN is printed"
python3 - "$tmp/alone.json" <<'PY' || fail "results.json"
import json, sys
found = json.load(open(sys.argv[1]))
assert [g["generation"] for g in found["generations"]] == [1, 2]
assert all(g["games"] == 60 and g["positions"] > 0 for g in found["generations"])
assert found["against_material"]["games"] == 10
PY

# ---- Lost and changed files of weights are written again, from the database.
rm "$tmp/alone/weights/gen-000.h" "$tmp/alone/weights/gen-001.h"
sed -i 's/S(/S(1/' "$tmp/alone/weights/gen-002.h" "$tmp/alone/best.h"
learn "$tmp/alone" --generations 2 --threads 1 >/dev/null 2>"$tmp/err" || fail "learn again: $(cat "$tmp/err")"
found "$tmp/alone" | diff "$tmp/alone.found" - || fail "files of weights stay lost or changed"
cp -r "$tmp/alone" "$tmp/nobest"
"$tabia" db sql --write "$tmp/nobest/learn.db" 'UPDATE generations SET best_id = NULL' || fail "db sql"
outcome 4 'learn.db: generation 2 does not name the best weights' learn "$tmp/nobest" --generations 2

# An archive takes the later state of each generation, and none of another run.
stages() { "$tabia" db sql "$1" 'SELECT group_concat(generation || stage || best_id) FROM generations'; }
cp "$tmp/alone/learn.db" "$tmp/archive.db"
"$tabia" db sql --write "$tmp/archive.db" "UPDATE generations SET stage = 'played', updated = '2020-01-01T00:00:00Z' WHERE generation = 2" ||
    fail "db sql"
"$tabia" db merge "$tmp/archive.db" "$tmp/alone/learn.db" --quiet >/dev/null || fail "merge of an archive"
[ "$(stages "$tmp/archive.db")" = "$(stages "$tmp/alone/learn.db")" ] || fail "merge of an archive: $(stages "$tmp/archive.db")"
"$tabia" db sql --write "$tmp/archive.db" "UPDATE generations SET json = json_set(json, '$.seed', '99'), updated = '2020' WHERE generation = 0;
    UPDATE generations SET stage = 'played', updated = '2020' WHERE generation = 2" || fail "db sql"
"$tabia" db merge "$tmp/archive.db" "$tmp/alone/learn.db" --quiet >/dev/null || fail "merge of another run"
grep -q played <<<"$(stages "$tmp/archive.db")" || fail "generations of another run are merged"

# Games of another run that a merge brought are in no fit.
again() { "$tabia" learn --from zero --games 12 --nodes 20 --nodes-growth 1 --gauntlet-games 4 --gauntlet-nodes 20 --final-games 0 \
    --iterations 3 --validation 0 --threads 1 --max-plies 80 --quiet --seed "$1" --dir "$tmp/$2" --generations "$3" >/dev/null 2>"$tmp/err" ||
    fail "learn $2: $(cat "$tmp/err")"; }
again 7 mine 2 && again 8 theirs 2
cp -r "$tmp/mine" "$tmp/mixed"
"$tabia" db merge "$tmp/mixed/learn.db" "$tmp/theirs/learn.db" --quiet >/dev/null || fail "merge of another run"
again 7 mine 3 && again 7 mixed 3
cmp "$tmp/mine/weights/gen-003.h" "$tmp/mixed/weights/gen-003.h" || fail "a fit has games of another run"

# The page of a run is made beside it: the run keeps its locks, so that another process that ends does not remove its log.
if [ -d /proc/self/fd ]; then
    "$tabia" learn --from zero --generations 1000 --games 10 --nodes 5 --gauntlet-games 4 --final-games 0 --threads 1 \
        --dir "$tmp/paged" --quiet >/dev/null 2>&1 &
    pid=$!
    wait_until $pid [ -e "$tmp/paged/report.html" ]
    [ -e "$tmp/paged/report.html" ] || fail 'no page'
    kill -STOP $pid
    "$tabia" db info "$tmp/paged/learn.db" --quiet >/dev/null || fail "db info beside learn"
    ls -l /proc/$pid/fd >"$tmp/out"
    grep -q 'learn.db-wal$' "$tmp/out" && ! grep -q 'learn\.db.*(deleted)' "$tmp/out" || fail "a run of learn lost its log: $(cat "$tmp/out")"
    kill -CONT $pid
    kill -INT $pid
    wait $pid
    [ $? = 130 ] || fail 'Ctrl-C beside a reader: not exit code 130'
    "$tabia" db check "$tmp/paged/learn.db" --quiet >"$tmp/out" 2>&1 || fail "check beside learn: $(cat "$tmp/out")"
fi

# ---- No match decides: every generation is kept. Nodes grow, and mirrored squares share weights at first.
learn "$tmp/free" --generations 3 --gauntlet-games 0 --nodes-growth 2 --nodes-max 150 --mirror-until 2 --late-from 3 --threads 2 \
    --json >"$tmp/free.json" 2>"$tmp/err" || fail "learn without matches: $(cat "$tmp/err")"
python3 - "$tmp/free.json" <<'PY' || fail "learn without matches: results"
import json, sys
found = json.load(open(sys.argv[1]))
assert [g["accepted"] for g in found["generations"]] == [True] * 3
assert [g["against_previous"] for g in found["generations"]] == [None] * 3
assert [bool(g["against_start"]) for g in found["generations"]] == [False, False, True]
assert [g["against_material"]["games"] for g in found["generations"]] == [10] * 3
assert found["generations"][2]["against_material"] == found["against_material"]
PY
grep -q 'Elo / material' "$tmp/free/results.txt" || fail "learn without matches: no column for material"
[ "$("$tabia" db sql "$tmp/free/learn.db" "SELECT config ->> '$.nodes_soft' FROM runs WHERE kind = 'selfplay'
    ORDER BY generation" | tr -s '\n ' ' ')" = "50 100 150 " ] || fail "nodes of the generations"
# More --nodes than --nodes-max do not grow, and are not cut. The plan has the nodes of the next generation.
more=(--generations 2 --nodes 90 --nodes-growth 2 --nodes-max 60 --gauntlet-games 0 --final-games 0)
learn "$tmp/more" "${more[@]}" >/dev/null 2>"$tmp/err" || fail "--nodes beyond --nodes-max: $(cat "$tmp/err")"
[ "$("$tabia" db sql "$tmp/more/learn.db" "SELECT config ->> '$.nodes_soft' FROM runs ORDER BY generation" | tr -s '\n ' ' ')" = "90 90 " ] ||
    fail "--nodes beyond --nodes-max: nodes of the generations"
learn "$tmp/more" "${more[@]}" --dry-run --json | grep -q '"nodes": 90,' || fail "--dry-run: nodes beyond --nodes-max"
learn "$tmp/free" --generations 4 --gauntlet-games 0 --nodes-growth 2 --nodes-max 150 --mirror-until 2 --late-from 3 --json --dry-run |
    grep -q '"nodes": 150,' || fail "--dry-run: nodes of the next generation"
mirrored() { # GENERATION: do all ranks of the knight's table read the same from both sides?
    sed -n '/KNIGHT_PST/,/^$/p' "$tmp/free/weights/gen-00$1.h" | sed 1d |
        python3 -c 'import re, sys; rows = [re.findall(r"S\(([^)]*)\)", l) for l in sys.stdin if "S(" in l]
sys.exit(not rows or any(r != r[::-1] for r in rows))'
}
mirrored 2 || fail "generation 2 is not mirrored"
mirrored 3 && fail "generation 3 is mirrored"

# Late fits rest on scores and use drawn games.
grep -q ' lambda 0.5, ' "$tmp/free/weights/gen-002.h" || fail "lambda of an early fit"
grep -q ' lambda 0.2, ' "$tmp/free/weights/gen-003.h" || fail "lambda of a late fit"
fitted() { sed -n -E 's/.*positions of ([0-9]+) games, sha256.*/\1/p' "$tmp/free/weights/gen-00$1.h"; }
decided() {
    "$tabia" db sql "$tmp/free/learn.db" "SELECT count(*) FROM games JOIN runs USING (run_id)
        WHERE kind = 'selfplay' AND generation IN ($1) AND result <> 1" | tr -d ' \n'
}
[ "$(fitted 2)" -le "$(decided 1,2)" ] || fail "an early fit uses drawn games"
[ "$(fitted 3)" -gt "$(decided 2,3)" ] || fail "a late fit leaves out drawn games"

# ---- Matches of strength: within their share, the same after kills, and no weights depend on them
strength=(--generations 4 --games 300 --late-from 3 --gauntlet-games 0 --gauntlet-nodes 10 --final-games 10)
learn "$tmp/rated" "${strength[@]}" --threads 2 --no-quiet --json >"$tmp/rated.json" 2>"$tmp/err" || fail "matches of strength: $(cat "$tmp/err")"
grep -q '^generation 4: .* over generation 3: accepted' "$tmp/err" || fail "a match of strength is not shown: $(cat "$tmp/err")"
[ "$(grep note: "$tmp/err")" = 'generation 3: note: fits have --lambda 0.2 and use drawn games from here on, so losses differ' ] ||
    fail "the note on another target: $(grep note "$tmp/err")"
python3 - "$tmp/rated.json" <<'PY' || fail "matches of strength: results"
import json, sys
found = json.load(open(sys.argv[1]))
assert found["rating_anchor"] == "material"
assert all(abs(g["rating"]) < 2000 for g in found["generations"])
assert found["generations"][3]["rating95"] > 0
PY
got=$("$tabia" db sql "$tmp/rated/learn.db" "SELECT group_concat(a || b || 'ok') FROM (SELECT a.name AS a, b.name AS b,
    sum(length(moves)) * 10 < .035 * (SELECT sum(length(moves)) * 50 FROM games JOIN runs AS s USING (run_id) WHERE s.kind = 'selfplay'
        AND (s.generation = r.generation OR r.generation = 2 AND s.generation = 1)) AS fits
    FROM games JOIN runs AS r USING (run_id) JOIN players AS a ON a.run_id = r.run_id AND a.player_no = 0
    JOIN players AS b ON b.run_id = r.run_id AND b.player_no = 1 WHERE r.kind = 'gauntlet' AND b.name LIKE 'gen-%' AND b.name > 'gen-000'
    GROUP BY r.run_id HAVING fits AND count(*) >= 20 ORDER BY a.name)" | tail -n 1)
[ "$got" = gen-002gen-001ok,gen-003gen-002ok,gen-004gen-003ok ] || fail "matches of strength: $got"
grep -q 'from the [0-9]* games of all matches' "$tmp/rated/results.txt" || fail "no ratings: $(cat "$tmp/rated/results.txt")"
learn "$tmp/unrated" "${strength[@]}" --strength-games 0 >/dev/null 2>"$tmp/err" || fail "--strength-games 0: $(cat "$tmp/err")"
diff <(cd "$tmp/rated" && sha256sum best.h weights/*) <(cd "$tmp/unrated" && sha256sum best.h weights/*) || fail "matches of strength change weights"
grep -q 'of all matches' "$tmp/unrated/results.txt" && fail "--strength-games 0: ratings in the table"
for delay in 1 1.2 1.4 1.6; do
    "$tabia" learn --dir "$tmp/rated2" "${settings[@]}" "${strength[@]}" --threads 1 >/dev/null 2>&1 &
    sleep $delay
    { kill -9 $! && wait $!; } 2>/dev/null
done
learn "$tmp/rated2" "${strength[@]}" --threads 1 >/dev/null 2>"$tmp/err" || fail "matches of strength after kills: $(cat "$tmp/err")"
diff <(found "$tmp/rated") <(found "$tmp/rated2") || fail "matches of strength after kills ended otherwise"

# ---- Too few games to hold some out
learn "$tmp/few" --generations 3 --games 40 --gauntlet-games 0 --final-games 0 >/dev/null 2>"$tmp/err" || fail "few games: $(cat "$tmp/err")"
learn "$tmp/auto" --generations 1 --games 9 --prior auto --gauntlet-games 0 --final-games 0 >/dev/null 2>"$tmp/err" ||
    fail "few games for --prior auto: $(cat "$tmp/err")"
grep -q 'prior 1000, validation 0, seed' "$tmp/auto/weights/gen-001.h" || fail "few games for --prior auto: $(grep prior "$tmp/auto/weights/gen-001.h")"

# ---- Later generations fit king squares, to games of their own number and nodes
king=(--generations 3 --games 60 --gauntlet-games 0 --final-games 0 --terms squares --king-from 2 --king-window 1 --king-games 80 --king-nodes 30
    --king-random-move 0.01 --iterations 15)
learn "$tmp/king" "${king[@]}" >/dev/null 2>"$tmp/err" || fail "--king-from: $(cat "$tmp/err")"
[ "$(grep -l PAWN_OWN_KING "$tmp"/king/weights/*.h | wc -l)" = 2 ] && ! grep -q PAWN_OWN_KING "$tmp/king/weights/gen-001.h" ||
    fail "--king-from: $(grep -l PAWN_OWN_KING "$tmp"/king/weights/*.h)"
grep -q 'source: self-play of generations 3 to 3,' "$tmp/king/best.h" || fail "--king-window: $(grep source: "$tmp/king/best.h")"
[ "$("$tabia" db sql "$tmp/king/learn.db" "SELECT group_concat(count(*) || ' ' || (config ->> '$.nodes_soft') || ' ' ||
    (config ->> '$.random_move')) OVER () FROM games JOIN runs USING (run_id) WHERE generation > 0 GROUP BY generation" |
    tail -n 1)" = "60 50 0.6,80 30 0.01,80 30 0.01" ] || fail "games, nodes and random moves of generations with king squares"
outcome 2 'king-from 2: --terms has no king squares' learn "$tmp/king2" --generations 2 --king-from 2

# ---- Later generations train networks: the same after kills, with any number of threads
network=(--generations 4 --gauntlet-games 0 --network 16 --network-from 3 --network-epochs 2 --network-window 2 --network-games 70 --network-nodes 90
    --network-nodes-growth 1.5 --network-random-move 0.01 --validation 0.2)
learn "$tmp/net" "${network[@]}" --threads 1 --json >"$tmp/net.json" 2>"$tmp/err" || fail "--network: $(cat "$tmp/err")"
nets() { (cd "$1" && sha256sum best.* weights/* && "$tabia" db digest learn.db); }
(cd "$tmp/net/weights" && ls) | tr '\n' ' ' | grep -q '^gen-000.h gen-001.h gen-002.h gen-003.net gen-004.net $' ||
    fail "--network: $(ls "$tmp/net/weights")"
cmp -s "$tmp/net/best.net" "$tmp/net/weights/gen-004.net" && cmp -s "$tmp/net/best.h" "$tmp/net/weights/gen-002.h" ||
    fail "--network: the best ones"
grep -aq 'source: self-play of generations 3 to 4, tabia learn --from zero --seed 7' "$tmp/net/best.net" ||
    fail "--network: no provenance"
grep -aq '^settings: .* validation 0.2,' "$tmp/net/best.net" || fail "--network: $(grep -a ^settings: "$tmp/net/best.net")"
nets "$tmp/net" >"$tmp/nets"
rm "$tmp/net"/best.* "$tmp/net"/weights/gen-00[23].*
learn "$tmp/net" "${network[@]}" --threads 1 >/dev/null 2>"$tmp/err" || fail "--network again: $(cat "$tmp/err")"
nets "$tmp/net" | diff "$tmp/nets" - || fail "--network: files of weights stay lost"
python3 - "$tmp/net.json" <<'PY' || fail "--network: results"
import json, sys
found = json.load(open(sys.argv[1]))
last = found["generations"][3]
assert found["weights"].endswith("best.net") and last["iterations"] == 2 and last["positions"] > 0, last
assert 0 < last["train_loss"] < .3 and 0 < last["validation_loss"] < .3, last
PY
[ "$("$tabia" db sql "$tmp/net/learn.db" "SELECT group_concat(count(*) || ' ' || (config ->> '$.nodes_soft') || ' ' ||
    (config ->> '$.random_move')) OVER () FROM games JOIN runs USING (run_id) WHERE kind = 'selfplay' AND generation > 1 GROUP BY generation" |
    tail -n 1)" = "60 50 0.05,70 90 0.01,70 135 0.01" ] || fail "games, nodes and random moves of generations with networks"
grep -q '<svg' "$tmp/net/report.html" || fail "--network: no page"
for delay in 0.2 0.5 0.8 1.1; do
    "$tabia" learn --dir "$tmp/net2" "${settings[@]}" "${network[@]}" --threads 2 >/dev/null 2>&1 &
    sleep $delay
    { kill -9 $! && wait $!; } 2>/dev/null
done
learn "$tmp/net2" "${network[@]}" --threads 2 --scratch "$tmp" >/dev/null 2>"$tmp/err" || fail "--network after kills: $(cat "$tmp/err")"
diff <(nets "$tmp/net") <(nets "$tmp/net2") || fail "--network after kills ended otherwise"
outcome 1 'cannot create scratch files' learn "$tmp/net" "${network[@]}" --scratch "$tmp/nowhere"
outcome 2 'holds a run with other settings (network_epochs' learn "$tmp/net" "${network[@]}" --network-epochs 3
outcome 2 'must be a multiple of 16' learn "$tmp/none" --generations 2 --network 24
outcome 2 'must be a multiple of 16' learn "$tmp/none" --generations 2 --network 16 --network-late 24
outcome 2 'has fewer units than --network 32' learn "$tmp/none" --generations 2 --network 32 --network-late 16
outcome 2 'is not after --network-from 4' learn "$tmp/none" --generations 2 --network 16 --network-from 4 --network-late 32 --network-late-from 4
outcome 3 'is a network; this needs a weights header' learn "$tmp/none" --generations 2 --from "$tmp/net/best.net"
# A network that begins with the one before, and a scale that is given.
learn "$tmp/continued" "${network[@]}" --network-continue --network-k 1.5 --network-td .6 --network-buckets 2 --network-king-buckets 4 --threads 2 >/dev/null 2>"$tmp/err" ||
    fail "--network-continue: $(cat "$tmp/err")"
! grep -aq '^from:' "$tmp/continued/weights/gen-003.net" || fail "--network-continue: the first network begins with none"
parent=$("$tabia" db sql "$tmp/continued/learn.db" "SELECT DISTINCT json ->> 'weights' FROM generations WHERE generation = 3 AND json ->> 'weights' <> ''")
grep -aqx "from: sha256 $parent" "$tmp/continued/weights/gen-004.net" ||
    fail "--network-continue: $(grep -a ^from: "$tmp/continued/weights/gen-004.net")"
"$tabia" weights show "$tmp/continued/best.net" | grep -q 'of 16 hidden units, king buckets: 4, output buckets: 2\.' || fail "--network-buckets"
grep -aqx 'k: 1.500000' "$tmp/continued/best.net" || fail "--network-k: $(grep -a ^k: "$tmp/continued/best.net")"
grep -aq '^settings: .*, td 0.6,' "$tmp/continued/best.net" || fail "--network-td: $(grep -a ^settings: "$tmp/continued/best.net")"
outcome 2 'holds a run with other settings (network_td none instead of 0.6' learn "$tmp/continued" "${network[@]}" --network-continue \
    --network-k 1.5 --network-buckets 2 --network-king-buckets 4
outcome 2 'holds a run with other settings (network_k none instead of 1.5' learn "$tmp/continued" "${network[@]}" --network-continue \
    --network-buckets 2 --network-king-buckets 4
outcome 2 'holds a run with other settings (network_buckets none instead of 2' learn "$tmp/continued" "${network[@]}" --network-continue \
    --network-k 1.5 --network-td .6 --network-king-buckets 4
outcome 2 'holds a run with other settings (network_king_buckets none instead of "4"' learn "$tmp/continued" "${network[@]}" \
    --network-continue --network-k 1.5 --network-td .6 --network-buckets 2
# Networks that grow: the first of more units begins anew, the next one with it, both on more generations.
late=(--generations 5 "${network[@]:2}" --network-continue --network-late 32 --network-late-from 4 --network-late-epochs 3 --network-late-window 4)
learn "$tmp/late" "${late[@]}" --threads 2 --no-quiet --json >"$tmp/late.json" 2>"$tmp/err" || fail "--network-late: $(cat "$tmp/err")"
grep -q '^generation 4: note: networks have 32 hidden units from here on$' "$tmp/err" || fail "--network-late: $(cat "$tmp/err")"
for generation in 3 4 5; do
    "$tabia" weights show "$tmp/late/weights/gen-00$generation.net" | sed -nE 's/.*of ([0-9]+) hidden units.*/\1/p'
    grep -ac '^from:' "$tmp/late/weights/gen-00$generation.net"
    grep -ao 'generations [0-9] to [0-9]' "$tmp/late/weights/gen-00$generation.net"
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["generations"][int(sys.argv[2]) - 1]["iterations"])' "$tmp/late.json" $generation
done >"$tmp/out"
[ "$(tr '\n' ' ' <"$tmp/out")" = "16 0 generations 2 to 3 2 32 0 generations 2 to 4 3 32 1 generations 2 to 5 2 " ] || fail "--network-late: $(cat "$tmp/out")"
outcome 2 'holds a run with other settings (network_late 48 instead of 32' learn "$tmp/late" "${late[@]/#32/48}"
learn "$tmp/on" --from "$tmp/net/best.net" "${network[@]}" --network-from 1 --generations 1 >/dev/null 2>"$tmp/err" ||
    fail "from a network: $(cat "$tmp/err")"
"$tabia" learn --from zero --dir "$tmp/bare" --generations 1 --games 4 --nodes 20 --final-games 0 --network 16 --network-from 1 \
    --network-games 0 --network-nodes 0 --network-epochs 2 >/dev/null 2>"$tmp/err" || fail "few games for a network: $(cat "$tmp/err")"
grep -q 'generation 1: warning: K is 2, because no scores predict the results' "$tmp/err" &&
    grep -aq '^settings: .* validation 0,' "$tmp/bare/best.net" || fail "few games for a network: $(cat "$tmp/err")"

# ---- Killed after growing delays, and resumed with another number of threads
for i in $(seq 1 60); do
    "$tabia" learn --dir "$tmp/killed" "${settings[@]}" --generations 2 --threads 2 >/dev/null 2>&1 &
    pid=$!
    sleep "$(awk "BEGIN { print $i * $i * 0.003 }")"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null && break
    kills=$i
done
[ "${kills:-0}" -gt 2 ] || fail "the run ended before it could be killed"
found "$tmp/killed" >"$tmp/killed.found"
diff "$tmp/alone.found" "$tmp/killed.found" || fail "after $kills kills the run ended otherwise"

# ---- --decay: the first fit is the same, the second differs and records the decay
values() { grep -v '^ \*' "$1/weights/gen-00$2.h"; }
learn "$tmp/decay" --generations 2 --decay 0.1 >/dev/null || fail "learn --decay"
cmp -s <(values "$tmp/alone" 1) <(values "$tmp/decay" 1) || fail "--decay changes the first generation"
cmp -s <(values "$tmp/alone" 2) <(values "$tmp/decay" 2) && fail "--decay changes nothing"
grep -q 'decay 0.1' "$tmp/decay/weights/gen-002.h" || fail "the header does not name the decay"
outcome 2 'holds a run with other settings (decay' learn "$tmp/decay" --generations 2 --decay 0.2

# ---- Resumed after the end: nothing is played again, one generation is added
games() { "$tabia" db sql "$1/learn.db" "SELECT count(*) FROM games"; }
before=$(games "$tmp/alone")
learn "$tmp/alone" --generations 2 >/dev/null || fail "learning again"
[ "$(games "$tmp/alone")" = "$before" ] || fail "games were played again"
found "$tmp/alone" | diff "$tmp/alone.found" - || fail "learning again found something else"
learn "$tmp/alone" --generations 3 >/dev/null || fail "a third generation"
[ -s "$tmp/alone/weights/gen-003.h" ] || fail "no third generation"
# From generation 3 on random moves grow rarer, and the fit's window excludes generation 1.
ask() { "$tabia" db sql "$tmp/alone/learn.db" "$1"; }
got=$(ask "SELECT group_concat(config ->> 'random_move', ' ') FROM
    (SELECT config FROM runs WHERE kind = 'selfplay' ORDER BY generation)")
[ "$got" = "0.6 0.05 0.035" ] || fail "random moves by generation: $got"
[ "$(ask "SELECT json ->> 'window_games' <= (SELECT count(*) FROM games JOIN runs USING (run_id)
    WHERE kind = 'selfplay' AND runs.generation > 1 AND result <> 1) FROM generations WHERE generation = 3")" = 1 ] ||
    fail "the third fit saw the first games"

# ---- Budgets: the first generation is cut off and later continued; its games and the final matches are counted
figure() { python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1/results.json" "$2"; }
holds() { [ "$(figure "$1" "$2")" = True ] || fail "${1##*/}: not $2"; }
long=(--games 20000 --nodes 100 --threads 2)
"$tabia" learn --dir "$tmp/cut" "${settings[@]}" "${long[@]}" --no-quiet --budget 1cs >"$tmp/out" 2>"$tmp/err" ||
    fail "--budget 1cs: $(cat "$tmp/err")"
grep -q '^budget: 1 core-seconds (0.5s with 2 free cores) for generations' "$tmp/err" ||
    fail "the budget is not announced: $(cat "$tmp/err")"
grep -q '^Generation 1 is unfinished' "$tmp/out" || fail "an unfinished generation is not named: $(cat "$tmp/out")"
holds "$tmp/cut" "r['generation'] == 0 and r['generations'][0]['stage'] == 'started'"
holds "$tmp/cut" "0 < r['generations'][0]['games'] < 20000 and not r['generations'][0]['accepted']"
sanitized || holds "$tmp/cut" "r['cpu_seconds'] + r['cpu_final'] < 2"
ln -s cut "$tmp/cut1"
# One that ends by itself at the last moment is not cut off, nor is one for which no time was left: the shorter the
# budget and the slower the machine, the likelier.
for i in 1 2 4 8 16 32; do
    state=$("$tabia" db sql "$tmp/cut$i/learn.db" "SELECT state FROM gauntlets" 2>/dev/null)
    [ "$state" = interrupted ] && break
    "$tabia" learn --dir "$tmp/cut$((i * 2))" "${settings[@]}" "${long[@]}" --budget $((i * 2))cs >"$tmp/out" 2>"$tmp/err"
done
[ "$state" = interrupted ] || fail "a final match that was cut off is not marked"
cp "$tmp/cut/results.json" "$tmp/cut.json"
learn "$tmp/cut" "${long[@]}" --budget 1cs >/dev/null || fail "a spent budget"
holds "$tmp/cut" "r['against_material'] == json.load(open('$tmp/cut.json'))['against_material']"
few=(--games 400 --nodes 100 --threads 2)
learn "$tmp/whole" "${few[@]}" --generations 2 >/dev/null || fail "two generations"
for seconds in 1 2 4 8 16 32 64; do
    learn "$tmp/parts" "${few[@]}" --generations 2 --budget "${seconds}cs" >/dev/null || fail "--budget ${seconds}cs"
    [ "$(figure "$tmp/parts" "r['generations'][-1]['generation'], r['generations'][-1]['stage']")" = "(2, 'proved')" ] && break
done
diff <(cd "$tmp/whole" && sha256sum best.h weights/*) <(cd "$tmp/parts" && sha256sum best.h weights/*) ||
    fail "generations cut off by budgets until ${seconds}cs have other weights"

# Time that is too short for a generation is used by final games. How much is left depends on the machine's load.
unit=1
sanitized && unit=6
for spent in $((3 * unit)) $((4 * unit)) $((5 * unit)); do
    rm -rf "$tmp/used"
    learn "$tmp/used" --budget ${spent}cs --threads 2 >/dev/null || fail "--budget ${spent}cs"
    holds "$tmp/used" "r['generation'] > 0 and r['cpu_seconds'] + r['cpu_final'] > 0.95 * $spent"
    [ "$(figure "$tmp/used" "r['against_material']['games'] > 10")" = True ] && break
done
holds "$tmp/used" "r['against_material']['games'] > 10"
before=$(games "$tmp/used")
cp "$tmp/used/results.json" "$tmp/used.json"
learn "$tmp/used" --budget ${spent}cs >/dev/null || fail "--budget ${spent}cs again"
[ "$(games "$tmp/used")" = "$before" ] || fail "a spent budget played games"
holds "$tmp/used" "[r[k] == json.load(open('$tmp/used.json'))[k] for k in ('elo', 'against_material')] == [True] * 2"
learn "$tmp/two" --budget ${spent}cs --threads 2 --from material --random-move 0.3 --random-decay 1 --random-plies 0 --gauntlet-games 2 \
    --final-games 2 >/dev/null 2>"$tmp/err" || fail "one opening"
holds "$tmp/two" "(r['against_material'] or {'games': 2})['games'] == 2" # none where no time is left
learn "$tmp/none" --generations 1 --final-games 0 >/dev/null || fail "--final-games 0"
holds "$tmp/none" "r['against_material'] is None"

# ---- The plan: measured without a run, else by the run's own cost; nothing is written
learn "$tmp/plan" --generations 3 --dry-run >"$tmp/out" || fail "--dry-run"
[ -e "$tmp/plan" ] && fail "--dry-run made a directory"
grep -qE '^last generation of this call +3$' "$tmp/out" && grep -q 'estimated by 64 games' "$tmp/out" ||
    fail "--dry-run: $(cat "$tmp/out")"
before=$(found "$tmp/none")
planned() { # CONDITION OPTIONS…
    local condition=$1
    shift
    learn "$tmp/none" --final-games 0 --dry-run --json "$@" >"$tmp/plan.json" || fail "--dry-run $*"
    python3 -c 'import json, sys; p = json.load(open(sys.argv[1])); assert eval(sys.argv[2])' "$tmp/plan.json" "$condition" ||
        fail "--dry-run $*: $(cat "$tmp/plan.json")"
}
planned '(p["done"], p["basis"], p["generations"], p["final_matches"]) == (1, 1, 5, 0)' --generations 5
planned 'p["generation_cpu"] > 0 and abs(p["cpu_seconds"] - 4 * p["generation_cpu"]) < 1e-3' --generations 5
planned 'abs(p["generations"] - 1 - (100 - p["cpu_spent"]) / p["generation_cpu"]) <= 1' --budget 100cs
planned 'p["generations"] == 9999' --budget 100000000cm
[ "$(found "$tmp/none")" = "$before" ] || fail "--dry-run changed a run"
ctrl_c_after --preserve-status -k 100 0.3 "$tabia" learn --from zero --dir "$tmp/plan" --budget 10m --dry-run >"$tmp/out" 2>&1
[ $? = 130 ] || fail "an interrupted --dry-run: $(cat "$tmp/out")"
outcome 2 'holds a run with other settings (seed' learn "$tmp/none" --final-games 0 --generations 2 --seed 8 --dry-run

# ---- --resume: the run's settings, and what may differ between calls
cp -r "$tmp/net" "$tmp/resumed"
resume() { "$tabia" learn --dir "$tmp/resumed" --resume --threads 2 --quiet "$@"; }
for more in '' '--generations 5'; do
    # shellcheck disable=SC2086
    resume $more >/dev/null 2>"$tmp/err" || fail "--resume $more: $(cat "$tmp/err")"
    learn "$tmp/net" "${network[@]}" ${more:-} >/dev/null 2>"$tmp/err" || fail "a run to compare --resume with: $(cat "$tmp/err")"
    diff <(nets "$tmp/net") <(nets "$tmp/resumed") || fail "--resume $more ended otherwise"
done
[ -e "$tmp/resumed/weights/gen-005.net" ] || fail "--resume --generations 5: no generation 5"
grep -q '^database' <(resume --from zero --seed 7 --nodes 50) || fail "--resume with settings of the run"
outcome 2 'holds a run with other settings (nodes_soft 60 instead of 50)' resume --nodes 60
outcome 2 'holds a run with other settings (seed "8" instead of "7")' resume --seed 8
outcome 2 'holds a run with other settings (base "chess960" instead of none)' resume --chess960
grep -q '^database' <(resume --network-games 70 --network-epochs 2) || fail "--resume with settings of the run's networks"
outcome 2 'holds a run with other settings (network_games 41 instead of 70)' resume --network-games 41
outcome 2 'holds a run with other settings (from material, weights 420b5fb0ef30 instead of 1aec2f05f3da)' resume --from material
learn "$tmp/c960" --generations 1 --chess960 --gauntlet-games 0 >/dev/null 2>"$tmp/err" || fail "--chess960: $(cat "$tmp/err")"
outcome 2 'holds a run with other settings (base "double chess960" instead of "chess960")' "$tabia" learn --dir "$tmp/c960" --resume \
    --generations 2 --double-chess960
outcome 3 "$tmp/absent holds no run of tabia learn" "$tabia" learn --dir "$tmp/absent" --resume
[ -e "$tmp/absent" ] && fail "--resume made a directory"
"$tabia" db sql --write "$tmp/resumed/learn.db" "UPDATE generations SET json = json_set(json, '$.games', 1e99) WHERE generation = 0" || fail "db sql"
outcome 4 'learn.db: the settings of the run: games is 1e+99' resume

# ---- Refused, and nothing is changed
before=$(found "$tmp/killed")
outcome 2 'holds a run with other settings (nodes_soft 60 instead of 50)' learn "$tmp/killed" --generations 2 \
    --nodes 60
outcome 2 'holds a run with other settings (from' learn "$tmp/killed" --generations 2 --from material
outcome 2 'holds a run with other settings (seed' learn "$tmp/killed" --generations 2 --seed 8
outcome 2 '--budget or --generations is needed' learn "$tmp/killed"
outcome 2 '--budget: "3x" is not a time such as 90s or 10m, or core time such as 30cm' learn "$tmp/new" --budget 3x
outcome 2 '--budget: must be at least 1s, not 500ms' learn "$tmp/new" --budget 500ms
outcome 2 'games of a match must be even: --gauntlet-games 3' learn "$tmp/new" --generations 1 --gauntlet-games 3
outcome 2 '--gauntlet-games 20: without random plies there is 1 opening' learn "$tmp/new" --generations 1 --random-plies 0
outcome 2 '--final-games 10: without random plies' learn "$tmp/new" --generations 1 --random-plies 0 --gauntlet-games 2
outcome 2 '--final-games 1922: without random plies there are 960 openings' learn "$tmp/new" --generations 1 --random-plies 0 \
    --chess960 --final-games 1922 --dry-run
outcome 2 '--prior auto needs --validation above 0' learn "$tmp/new" --generations 1 --prior auto --validation 0
for option in from window games nodes epochs lambda; do
    outcome 2 "--network-$option needs --network above 0" learn "$tmp/new" --generations 1 --network-$option 1
done
outcome 2 '--network-from needs --network above 0' learn "$tmp/new" --config "$source/configs/builtin.ini" --network-from 2
learn "$tmp/new" --config "$source/configs/builtin.ini" --dry-run >/dev/null 2>"$tmp/err" || fail "settings of a network: $(cat "$tmp/err")"
outcome 2 'elo0 must be below elo1' learn "$tmp/new" --generations 1 --sprt elo0=1,elo1=0
outcome 2 '--dir is needed' "$tabia" learn --from zero --generations 1
outcome 2 '--from or --resume is needed' "$tabia" learn --dir "$tmp/new" --generations 1
outcome 3 "$tmp/no.h" learn "$tmp/new" --generations 1 --from "$tmp/no.h"
[ -e "$tmp/new" ] && fail "a refused run made its directory"
outcome 1 'the directory cannot be made' learn "$tmp/no/such/place" --generations 1
mkdir "$tmp/foreign" && echo 'not a database, whatever its name says' >"$tmp/foreign/learn.db"
outcome 4 'learn.db' learn "$tmp/foreign" --generations 1
[ "$(found "$tmp/killed")" = "$before" ] || fail "a refused run changed something"

# ---- One process at a time; an interrupted run reports it and can be resumed
"$tabia" learn --dir "$tmp/locked" "${settings[@]}" --generations 50 --games 100000 >/dev/null 2>"$tmp/first" &
pid=$!
wait_until $pid [ -e "$tmp/locked/learn.db" ]
outcome 1 'another tabia learn uses this directory' learn "$tmp/locked" --generations 50 --games 100000
kill -INT $pid
wait $pid
[ $? = 130 ] || fail "Ctrl-C: not exit code 130"
grep -q 'interrupted' "$tmp/first" || fail "Ctrl-C: $(cat "$tmp/first")"

finish
