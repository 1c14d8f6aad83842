#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia bench threads, store, suite, perft, search, selfplay, gauntlet, tune, train, and tests/bench/learn.py: the figures are complete and consistent; speeds are not tested.
#   test_bench.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"

depth=11
sanitized && depth=10
json=$("$tabia" bench threads --threads 2 --depth $depth --json) || fail "bench threads: exit code $?"
for key in threads depth positions speedup seconds_one seconds nps_one nps nodes_ratio nps_ratio; do
    grep -qE "\"$key\": [0-9.]*[1-9]" <<<"$json" || fail "no $key in $json"
done
grep -qF "\"threads\": 2, \"depth\": $depth, " <<<"$json" || fail "$json"
"$tabia" bench threads --threads 2 --depth 1 2>&1 | grep -q 'give more --depth' || fail "depth 1 measures nothing"
"$tabia" bench threads --threads 2000 2>&1 | grep -q 'from 0 to 1024' || fail "2000 threads are taken"

json=$("$tabia" bench store --positions 200k --json) || fail "bench store: exit code $?"
for step in insert read replay dataset sql_scores sql_fens materialize rows check; do
    grep -qE "\"${step}_per_second\": [0-9.]*[1-9].*\"${step}_per_cpu_second\": [0-9]" <<<"$json" || fail "no $step in $json"
done
grep -qE '"bytes_compact": [56]\.' <<<"$json" || fail "bytes a position: $json"

# Strings that look like operations, long lists of moves, and both forms of a position.
cat >"$tmp/suite.epd" <<'END'
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - id "one; bm Kf1"; bm Ra8#;
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 am Kf1 Kh1 Ra2 Ra3 Ra4 Ra5 Ra6 Ra7 Rb1 Rc1 Rd1 Re1 Rf1 f3 f4 g3 g4 h3 h4; id "two";
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Kf1 Kh1 Ra2 Ra3 Ra4 Ra5 Ra6 Ra7 Rb1 Rc1 Rd1 Re1 Rf1 f3 f4 g3 g4 h3 h4 Ra8#; id "three";
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Kf1; id "four";
END
"$tabia" bench suite "$tmp/suite.epd" --nodes 1000 >"$tmp/text" || fail "bench suite: exit code $?"
zstd -q "$tmp/suite.epd" -o "$tmp/suite.epd.zst" && "$tabia" bench suite "$tmp/suite.epd.zst" --nodes 1000 | grep -q '3 of 4 solved' ||
    fail 'a compressed suite'
grep -q 'not solved: four$' "$tmp/text" && grep -q '3 of 4 solved at 1000 nodes' "$tmp/text" || fail "bench suite: $(cat "$tmp/text")"

# Ctrl-C ends a count, a search and another program at once.
limit=20
sanitized && limit=60
ends() {
    ctrl_c_after --preserve-status -k $limit 1 "$tabia" bench "$@" >"$tmp/text" 2>"$tmp/err"
    code=$?
    [ $code = 130 ] && grep -q interrupted "$tmp/err" || fail "bench $*: exit code $code on Ctrl-C: $(cat "$tmp/text" "$tmp/err")"
}
ends perft --depth 9
ends search --depth 60
ends search --depth 1 --against 'sleep 60;'
ends threads --threads 2 --depth 60

# Coordinates, mates by dm and bm #, and points of c7 and c8.
printf '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - %s;\n' 'bm a1a8' 'bm #1' 'dm 1' 'bm #-1' 'am a1a8 ? !?' 'bm Ra8; c7 "Kf1 Ra8"; c8 "2 10"' \
    'bm Kf1; c7 "Kf1 Ra8"; c8 "10 3"' '' >"$tmp/kinds.epd"
sed -i '$d' "$tmp/kinds.epd"
echo 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - am e1g1 e1c1; dm 0;' >>"$tmp/kinds.epd"
"$tabia" bench suite "$tmp/kinds.epd" --nodes 1000 | grep -q '5 of 8 solved at 1000 nodes, 13 of 20 points$' ||
    fail "kinds of suites: $("$tabia" bench suite "$tmp/kinds.epd" --nodes 1000 2>&1)"

# A byte order mark and NUL bytes are no text.
printf '\xef\xbb\xbf6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; c0 "x\0y"; am Ra8#;\n' \
    >"$tmp/bytes.epd"
"$tabia" bench suite "$tmp/bytes.epd" --nodes 1000 | grep -q '1 of 2 solved' || fail 'a suite with a byte order mark and a NUL byte'

# A line that cannot be read is named, left out and counted.
cat >"$tmp/wrong.epd" <<'END'
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id "one";
4k3/8/8/8/8/5N2/8/1N2K3 w - - bm Nd2; id "two ways";
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - am Kf1; id "three";
END
"$tabia" bench suite "$tmp/wrong.epd" --nodes 1000 >"$tmp/text" 2>"$tmp/err"
[ $? = 3 ] || fail "bench suite: exit code $?"
grep -q 'wrong.epd: 2 of 2 solved at 1000 nodes, 1 lines left out$' "$tmp/text" || fail "bench suite: $(cat "$tmp/text")"
grep -q 'wrong.epd:2: .*Nd2.*; left out$' "$tmp/err" && grep -q '1 of 3 lines left out' "$tmp/err" || fail "bench suite: $(cat "$tmp/err")"
echo '4k3/8/8/8/8/8/8/R3K2N w KQ - bm Ra8+;' >"$tmp/dropped.epd"
"$tabia" bench suite "$tmp/dropped.epd" --nodes 1000 2>&1 | grep -q 'dropped: 1, the first: line 1: FEN: dropped a castling right' ||
    fail 'a suite with a castling right that has no rook'
json=$("$tabia" bench suite "$tmp/wrong.epd" --nodes 1000 --json 2>/dev/null)
[ $? = 3 ] && [ "$json" = '{"nodes": 1000, "solved": 2, "total": 2, "left_out": 1}' ] || fail "bench suite: $json"

json=$("$tabia" bench perft --depth 2 --rounds 3 --json) || fail "bench perft: exit code $?"
grep -qE '^\{ *"positions": \[\{ *"position": "start", "depth": 2, "nodes": 400, ' <<<"$json" || fail "bench perft: $json"

# rounds_of JSON KEY...: the medians of the keys are those of the rounds, and the spread contains them.
cat >"$tmp/rounds.py" <<'END'
import json, sys
result, rounds = json.loads(sys.argv[1]), int(sys.argv[2])
for level in result.get('levels', [result]):
    assert len(level['rounds']) == rounds, 'rounds'
    for key in sys.argv[3:]:
        values = sorted(r[key] for r in level['rounds'])
        assert values[0] > 0, key
        spread = [level['least'][key], level[key], level['greatest'][key]]
        assert spread == [values[0], values[(rounds - 1) // 2], values[-1]], (key, spread, values)
END
has_rounds() { python3 "$tmp/rounds.py" "$@" || fail "rounds of $1"; }

# Other weights take turns with the built-in ones.
json=$("$tabia" bench search --depth 4 --rounds 2 --json --weights zero) || fail "bench search --weights: exit code $?"
python3 - "$json" "$("$tabia" bench search --depth 4 --rounds 1 --json --against "$build/tabia-engine")" <<'END' || fail "bench search --weights: $json"
import json, sys
zero, builtin = map(json.loads, sys.argv[1:])
assert zero["builtin_nodes"] == builtin["nodes"] != zero["nodes"] > 0 and zero["cpu_ratio"] > 0
END

# Another program takes turns with the search, and its output is read in each of the usual forms.
json=$("$tabia" bench search --depth 5 --rounds 3 --json --against "$build/tabia-engine") || fail "bench search: exit code $?"
has_rounds "$json" 3 nodes nps cpu_nps cpu_seconds against_nodes against_nps against_cpu_nps against_cpu_seconds ratio cpu_ratio
python3 -c 'import json, sys; r = json.loads(sys.argv[1]); assert r["nodes"] == r["against_nodes"]' "$json" || fail "$json"
cat >"$tmp/fake" <<'END'
#!/bin/bash
[ "$1" = quit ] && exit
echo "$1" >>"${0%/*}/calls"
timeout .2 bash -c 'while :; do :; done'
[ "$FORM" = 1 ] && echo '2000 nodes 1000 nps' || printf 'Nodes searched  : 2000\nNodes/second    : 1000\n' >&2
END
chmod +x "$tmp/fake"
for form in 1 2; do
    json=$("$tabia" bench search --depth 4 --rounds 2 --json --against "FORM=$form $tmp/fake") || fail "bench search: exit code $?"
    grep -qF '"against_nodes": 2000, "against_nps": 1000, ' <<<"$json" || fail "bench search: $json"
    grep -q stockfish <<<"$json" && fail "stockfish beside --against: $json"
done
[ "$(sort "$tmp/calls" | uniq -c | xargs)" = '4 bench 4' ] || fail "calls: $(cat "$tmp/calls")"
for program in "$tmp/none" true; do
    "$tabia" bench search --depth 4 --rounds 1 --against "$program" >"$tmp/text" 2>&1
    [ $? = 1 ] || fail "--against $program: $(cat "$tmp/text")"
done
"$tabia" bench search --depth 4 --rounds 2 --against "FORM=1 $tmp/fake" >"$tmp/text" || fail "bench search: exit code $?"
grep -qE '^ +median +least +greatest +round 1 +round 2$' "$tmp/text" && grep -qE '^nodes +[0-9]+$' "$tmp/text" &&
    grep -qE '^times as fast by CPU time( +[0-9.]+){5}$' "$tmp/text" || fail "bench search: $(cat "$tmp/text")"

json=$("$tabia" bench selfplay --depth 1 --threads 2 --rounds 1 --json) || fail "bench selfplay: exit code $?"
has_rounds "$json" 1 seconds cpu_seconds positions_per_cpu_second bench_nps bench_cpu_nps ratio speedup cpu_speedup
if ! sanitized; then
    json=$("$tabia" bench gauntlet --threads 1 --rounds 1 --json) || fail "bench gauntlet: exit code $?"
    has_rounds "$json" 1 in_process uci in_process_cpu uci_cpu ratio cpu_ratio
fi

for i in $(seq 1 40); do
    echo "4k3/pp4pp/8/8/8/8/PP4PP/3QK3 w - - c9 \"1-0\"; id \"a$i\";"
    echo "4k3/pp4pp/2n5/8/8/2N5/PP4PP/4K3 w - - c9 \"1/2-1/2\"; id \"b$i\";"
    echo "4k3/pp3rpp/8/8/8/8/PP4PP/4K3 b - - c9 \"0-1\"; id \"c$i\";"
done >"$tmp/small.epd"
printf ' \t\r\n  # a comment\n' >>"$tmp/small.epd"
"$tabia" selfplay --quiet --db "$tmp/games.db" --games 20 --depth 1 --seed 5 >/dev/null || fail "selfplay"
games=$("$tabia" db sql "$tmp/games.db" "SELECT count(*) FROM games")
for file in games.db small.epd; do
    json=$("$tabia" bench tune "$tmp/$file" --weights tables --rounds 1 --json) || fail "bench tune $file: exit code $?"
    for step in read features load layout loss pass converged converged_start; do
        grep -qE "\"${step}_seconds\": [0-9.e-]*[1-9].*\"${step}_cpu_seconds\": [0-9].*\"${step}_per_second\": [0-9.]*[1-9]" <<<"$json" ||
            fail "no $step in $json"
    done
    # Each rate is of the same positions.
    awk -F'[:,] *' '{
        for (i = 1; i < NF; i += 1) { gsub(/[{"}]/, "", $i); value[$i] = $(i + 1) }
        for (key in value) if (key !~ /_cpu_seconds$/ && sub(/_seconds$/, "", key)) {
            product = value[key "_seconds"] * value[key "_per_second"] / value["n"]
            if (product < 0.99 || product > 1.01) exit 1
        }
        exit !(value["n"] > 0 && value["passes"] > 0 && value["passes_start"] > 0 && value["mse"] < 0.25)
    }' <<<"$json" || fail "rates of $json"
done
[ "$games" = 20 ] || fail "$games games"
grep -q '"n": 120, ' <<<"$json" || fail "not 120 positions: $json"
"$tabia" bench tune "$tmp/small.epd" --weights tables --rounds 2 >"$tmp/text" || fail "bench tune: exit code $?"
grep -qE '^ +median +least +greatest +round 1 +round 2$' "$tmp/text" && grep -qE '^positions +120$' "$tmp/text" &&
    grep -qE '^find features, one thread, seconds( +[0-9.]+){1,5}$' "$tmp/text" || fail "bench tune: $(cat "$tmp/text")"
printf 'EVAL_TERM(TEMPO, 1)\nS(10, 10)\n' >"$tmp/tempo.h"
"$tabia" bench tune "$tmp/small.epd" --weights "$tmp/tempo.h" --rounds 1 --json |
    grep -qE '"features_seconds": [0-9.e-]*[1-9]' || fail "classical terms"
"$tabia" bench train "$tmp/small.epd" --rounds 2 --json >"$tmp/json" || fail "bench train: exit code $?"
python3 - "$tmp/json" <<'PY' || fail "bench train: $(cat "$tmp/json")"
import json, sys
b = json.load(open(sys.argv[1]))
assert len(b["rounds"]) == 2 and 2 < b["men"] <= 32 and b["positions"] > 0, b
for h in (64, 256):
    for r in b["rounds"]:
        assert abs(r[f"h{h}_share"] / (r[f"h{h}_per_second"] / r[f"h{h}_limit"]) - 1) < 1e-4, r
        assert abs(r[f"h{h}_limit"] * b["men"] * 4 * h / r["additions_per_second"] - 1) < 1e-4, r
PY
"$tabia" bench tune "$tmp/none.epd" 2>"$tmp/err"
[ $? = 3 ] && grep -q 'none.epd: cannot be opened' "$tmp/err" || fail "a missing file: $(cat "$tmp/err")"
"$tabia" bench tune 2>/dev/null
[ $? = 2 ] || fail "bench tune without a file"

# Options that a bench does not use are refused by name.
refused() { # SENTENCE ARGUMENT...
    word=$1
    shift
    "$tabia" bench "$@" >"$tmp/text" 2>"$tmp/err"
    [ $? = 2 ] && grep -qF -- "$word" "$tmp/err" || fail "bench $*: $(cat "$tmp/text" "$tmp/err")"
}
refused 'suite does not use --rounds' suite "$tmp/suite.epd" --rounds 3
refused 'store does not use --rounds' store --rounds 3
refused 'search does not use --threads; it is for: selfplay store' search --threads 2
refused 'perft does not use --threads' perft --threads 2
refused 'threads does not use --rounds' threads --rounds 3
refused 'perft does not use --against' perft --against true
refused 'gauntlet does not use --depth' gauntlet --depth 3
refused "store does not use --depth" store --depth 3
refused "search does not use --nodes" search --nodes 1000
refused "perft does not use --positions" perft --positions 1000
refused "gauntlet does not use --weights" gauntlet --weights zero
refused 'usage: tabia bench threads' threads small.epd

# Learning curves: later checkpoints have more games; the same command plays nothing again, more seeds and games continue.
unit=1 # core-seconds, in which several generations fit
sanitized && unit=6
printf '[learn]\nfrom = zero\ngames = 60\nnodes = 50\ngauntlet-games = 20\ngauntlet-nodes = 50\n' >"$tmp/learn.ini"
curve() {
    python3 "$source/tests/bench/learn.py" "$tabia" "$tmp/learn.ini" --dir "$tmp/curve" --budget $((3 * unit))cs --checkpoint ${unit}cs \
        --against material --nodes 100 --threads 2 --quiet "$@"
}
curve --seeds 2 --games 4 --json >"$tmp/curve.json" || fail "learn.py: exit code $?"
python3 - "$tmp/curve.json" $unit <<'PY' || fail "learn.py: $(cat "$tmp/curve.json")"
import json, sys
unit = int(sys.argv[2])
found = json.load(open(sys.argv[1]))
checkpoints = found["checkpoints"]
assert [c["budget"] for c in checkpoints] == [unit, 2 * unit, 3 * unit]
for c in checkpoints:
    assert [r["seed"] for r in c["runs"]] == [1, 2] and all(r["games"] == 4 for r in c["runs"])
    assert all(r["cpu_seconds"] <= c["budget"] for r in c["runs"])
    assert c["median"]["score"] == min(r["score"] for r in c["runs"])
first, last = checkpoints[0]["runs"][0], checkpoints[-1]["runs"][0]
assert first["learned_games"] < last["learned_games"] and last["generation"] > 0
PY
counted() { for db in "$tmp"/curve/*.db "$tmp"/curve/*/*.db; do "$tabia" db sql "$db" 'SELECT count(*) FROM games'; done; }
before=$(counted)
curve --seeds 2 --games 4 --json | cmp -s - "$tmp/curve.json" || fail "learn.py found something else"
[ "$(counted)" = "$before" ] || fail "learn.py played again"
[ "$(curve --seeds 1 --games 4 | grep -cE '^ +[0-9.]+ +1 +')" = 3 ] || fail "learn.py prints no table"
if ! sanitized; then # test_learn.sh trains networks, too
    sed 's/^games.*/games = 200/; s/^gauntlet-games.*/gauntlet-games = 0/' "$tmp/learn.ini" >"$tmp/network.ini"
    printf 'network = 16\nnetwork-from = 2\nnetwork-games = 0\nnetwork-epochs = 1\n' >>"$tmp/network.ini"
    python3 "$source/tests/bench/learn.py" "$tabia" "$tmp/network.ini" --dir "$tmp/networks" --budget $((6 * unit))cs --checkpoint ${unit}cs \
        --against material --nodes 100 --seeds 1 --games 4 --quiet >"$tmp/table" && ls "$tmp"/networks/seed-1/weights/gen-*.net >"$tmp/out" ||
        fail "a network: $(cat "$tmp/table")"
fi
curve --budget 3s 2>&1 | grep -q 'core time, such as 30cm' || fail "learn.py takes wall time"

finish
