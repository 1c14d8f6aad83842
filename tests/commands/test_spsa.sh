#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia spsa: the same games and values with any number of threads and after kills; what it writes; refusals.
#   test_spsa.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
cd "$tmp" || exit 1

cat >values.txt <<'END'
# a constant of the search, and weights
rfp_margin, int, 130, 20, 200, 9, 0.02
MATERIAL[1-4].mg, int, 1000, 500, 1800, 60, 0.02
KING_PST.eg, int, 1000, 0, 3000, 150, 0.02
END

# spsa NAME ARGS…: NAME.db, NAME.txt, NAME.h
spsa() {
    "$tabia" spsa --params values.txt --db "$1.db" --out "$1.txt" --weights-out "$1.h" --iterations 6 --games 6 \
        --nodes 60 --seed 3 "${@:2}" 2>err
}

spsa one --threads 1 >table || fail "one thread: $(cat err)"
spsa two --threads 2 --quiet >/dev/null || fail "two threads: $(cat err)"
for _ in $(seq 20); do
    rm -f killed.db*
    "$tabia" spsa --params values.txt --db killed.db --iterations 6 --games 6 --nodes 60 --seed 3 --threads 1 --quiet >/dev/null &
    while kill -0 $! && [ "$("$tabia" db sql killed.db 'SELECT count(*) > 0 FROM games')" != 1 ]; do sleep 0.01; done 2>/dev/null
    { kill -9 $! && wait $!; } 2>/dev/null
    code=$?
    [ $code != 137 ] || break
done
[ $code = 137 ] || fail "no tuning could be killed before its end"
spsa killed --threads 2 --quiet >/dev/null || fail "after a kill: $(cat err)"
for name in two killed; do
    [ "$("$tabia" db digest one.db)" = "$("$tabia" db digest $name.db)" ] || fail "$name.db has other games"
    cmp one.txt $name.txt && cmp one.h $name.h || fail "$name: other values"
done
"$tabia" db check one.db >out || fail "$(cat out)"

# Again: nothing is played or stored, the same is written. As JSON, with more digits.
cp one.db before.db
spsa one --json --quiet >json || fail "again: $(cat err)"
cmp one.db before.db || fail 'again: the database was written'
python3 - <<'END' || fail "results do not agree: $(cat json)"
import json
read = lambda path: [line.split(", ") for line in open(path) if not line.startswith("#")]
result, start, end = json.load(open("json")), read("values.txt"), read("one.txt")
assert result["iterations"] == 6 and result["games"] == 36
for value, old, new in zip(result["values"], start, end, strict=True):
    assert value["name"] == old[0] == new[0] and value["start"] == float(old[2]), value
    assert abs(value["value"] - float(new[2])) <= 0.501 and old[3:] == [new[3], new[4], new[5], new[6]], (old, new)
assert any(value["value"] != value["start"] for value in result["values"])
table = open("table").read().split()
assert all(value["name"] in table and "%.1f" % value["value"] in table for value in result["values"])
END
[ "$("$tabia" db sql one.db "SELECT count(DISTINCT generation) FROM runs")" = 6 ] || fail "iterations in the store"
[ "$("$tabia" db sql one.db "SELECT count(*), sum(wins + draws + losses = games), sum((SELECT sum(white = 0 AND result = 2 OR white = 1
    AND result = 0) FROM games WHERE games.run_id = spsa.run_id) = wins), count(DISTINCT plus), count(minus) FROM spsa")" = '6|6|6|6|6' ] ||
    fail "the view spsa"

# The weights: what is tuned is scaled, the rest stays.
"$tabia" weights show one.h >/dev/null || fail "one.h"
head -2 one.h | grep -q '3 values, 6 iterations, 36 games, seed 3' || fail "provenance: $(head -2 one.h)"
diff <(grep -A9 'EVAL_TERM(PAWN_PST' one.h) <(grep -A9 'EVAL_TERM(PAWN_PST' "$source/engine/eval_weights.h") ||
    fail "weights that were not tuned have changed"

# Constants of the search, for a network.
grep rfp values.txt >constants.txt
"$tabia" spsa --params constants.txt --weights network --db net.db --iterations 1 --games 2 --nodes 50 --quiet >/dev/null 2>err || fail "network: $(cat err)"
[ "$("$tabia" db sql net.db "SELECT count(*) FROM weights WHERE header NOT LIKE '%EVAL_TERM%'")" = 1 ] || fail 'the network did not play'

# A book: iteration k goes on where the one before ended, from --opening-start.
"$tabia" openings --out book.epd --count 9 --random-plies 2 --quiet >/dev/null || fail "openings"
book() { "$tabia" spsa --params values.txt --db "$1.db" --iterations 2 --games 4 --nodes 60 --quiet --openings book.epd "${@:2}" >/dev/null 2>err; }
book first || fail "a book: $(cat err)"
book third --opening-start 3 || fail "--opening-start: $(cat err)"
starts() { "$tabia" db sql "$1.db" "SELECT start_fen FROM games WHERE game_no % 2 = 0 ORDER BY game_id"; }
diff <(starts first | tail -n 2) <(starts third | head -n 2) || fail "--opening-start 3 does not begin at the third opening"
digest=$("$tabia" db digest third.db)
book third --opening-start 3 && [ "$("$tabia" db digest third.db)" = "$digest" ] || fail "a book is not resumed"

book moved --random-plies 3 || fail "random moves after a book: $(cat err)"
comm -12 <(starts first | sort -u) <(starts moved | sort -u) | grep -q . && fail "no random moves after a book"

# Ctrl-C: the values so far are shown and written.
"$tabia" spsa --params values.txt --db long.db --iterations 100000 --games 2 --nodes 60 --quiet --json --out long.txt \
    --weights-out long.h >json 2>err &
many() { [ "$("$tabia" db sql long.db 'SELECT count(*) > 40 FROM games' 2>/dev/null)" = 1 ]; }
wait_until $! many
kill -INT $!
wait $!
[ $? = 130 ] || fail "Ctrl-C: $(cat err)"
python3 - <<'END' || fail "Ctrl-C: $(cat err json long.txt)"
import json, re
result, lines = json.load(open("json")), [line.split(", ") for line in open("long.txt") if not line.startswith("#")]
done, games = result["iterations"], result["games"]
assert 0 < done < 100000 and 2 * done <= games <= 2 * done + 2, result
assert f"interrupted after {done} of 100000 iterations, {games} games;" in open("err").read()
assert all(abs(v["value"] - float(line[2])) <= 0.501 for v, line in zip(result["values"], lines, strict=True))
assert any(v["value"] != v["start"] for v in result["values"])
assert f"3 values, {done} iterations, {games} games" in open("long.h").read()
END

# Other values begin anew beside the old ones.
sed 's/130/120/' values.txt >other.txt
"$tabia" spsa --params other.txt --db one.db --iterations 1 --games 2 --nodes 60 --quiet >/dev/null || fail "other values"

# Another engine: the options that make it stronger rise; games are resumed; what it lacks is named.
echo 'UCI_Elo, int, 1300, 1150, 2150, 300, 0.05' >options.txt
engine="cmd=$build/tabia-engine,option.UCI_LimitStrength=true,option.Hash=1"
other() { "$tabia" spsa --params options.txt --db other.db --engine "$engine" --iterations 5 --games 8 --nodes 5000 --quiet "$@" 2>err; }
other --out options.out >/dev/null || fail "another engine: $(cat err)"
[ "$(cut -d, -f3 options.out)" -gt 1320 ] || fail "a stronger option loses: $(cat options.out)"
other --json >json || fail "another engine again: $(cat err)"
grep -q '"games": 40, ' json || fail "another engine again: $(cat json)"
[ "$("$tabia" db sql other.db 'SELECT count(*) FROM games')" = 40 ] || fail "another engine: games were played twice"
# The file's weights and hash are for engines of Tabia.
"$tabia" spsa --config "$source/configs/spsa.ini" --params options.txt --db ini.db --engine "$engine" --iterations 1 --games 2 --nodes 50 --quiet >out 2>err ||
    fail "another engine with a file of settings: $(cat err)"
printf '%s\n' '#!/bin/sh' 'exec sed -un -e "s/^uci$/option name UCI_Elo type spin default 1 min 1 max 3000\nuciok/p" -e "s/^isready/readyok/p" -e "/^go/q"' >quits
chmod +x quits
"$tabia" spsa --params options.txt --db quits.db --engine cmd="$tmp/quits" --iterations 1 --games 2 --nodes 50 --quiet >out 2>err
[ $? = 5 ] && grep -q 'forfeited 2 of 2 games' err && grep -q '^UCI_Elo ' out || fail "forfeits: $(cat err)"

# refuses CODE PART ARGS…
refuses() {
    outcome "$1" "$2" "$tabia" spsa --db no.db --nodes 60 --iterations 1 --games 2 "${@:3}"
    [ ! -e no.db ] || fail "${*:3}: left no.db"
}
refuses 2 '--params' --out x.txt
refuses 3 'missing.txt' --params missing.txt
echo 'TEMPO.mg, int, 1000, 0, 3000, 150, 0.5' >none.txt
refuses 3 'TEMPO.mg: its weights are 0, which no factor changes' --params none.txt
echo 'rfp_margin, int, 130' >bad.txt
refuses 3 'network is a network; this needs a weights header' --params scales --weights network
refuses 3 'network is a network; this needs a weights header' --params values.txt --weights network
refuses 3 'bad.txt:1: expected "name, int, value, least, most, c_end, r_end"' --params bad.txt
refuses 2 '--weights-out: constants.txt names no weights' --params constants.txt --weights-out x.h
refuses 2 '--games must be even' --params values.txt --games 3
refuses 3 'absent.h' --params values.txt --weights absent.h
refuses 5 'no option rfp_margin; its options are Hash' --params constants.txt --engine "$engine"
sed 's/2150/9999/' options.txt >beyond.txt
refuses 5 'UCI_Elo' --params beyond.txt --engine "$engine"
refuses 2 '--engine needs cmd=PROGRAM' --params constants.txt --engine weights=builtin
refuses 2 '--hash is for engines of Tabia' --params options.txt --engine "$engine" --hash 4
refuses 2 '--nodes and --depth are for an engine without a limit' --params options.txt --engine "$engine,depth=1" --nodes 9
refuses 2 '--engine does not go with --weights' --params options.txt --engine "$engine" --weights material
refuses 3 'UCI_Elo" is neither' --params options.txt

# What tabia-engine prints can be tuned as it is.
"$build/tabia-engine" spsa >all.txt
"$tabia" spsa --params all.txt --db all.db --iterations 1 --games 2 --nodes 60 --quiet --out new.txt >/dev/null ||
    fail "the engine's own list"
[ "$(wc -l <new.txt)" = "$(wc -l <all.txt)" ] || fail "the new list has other lines"

# The list of scales.
"$tabia" spsa --params scales --db scales.db --iterations 1 --games 2 --nodes 60 --quiet --out scales.txt \
    --weights-out scaled.h >/dev/null || fail "the scales"
[ "$(wc -l <scales.txt)" = 44 ] || fail "the scales of material and of all tables: $(wc -l <scales.txt) lines"
"$tabia" spsa --params scales.txt --db scales2.db --iterations 1 --games 2 --nodes 60 --quiet >/dev/null ||
    fail "the printed scales"

finish
