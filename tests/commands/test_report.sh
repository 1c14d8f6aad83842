#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia report: the page of a run is sound HTML without anything from outside, its numbers are those of results.json, and
# bad input is refused without touching the old page.
#   test_report.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"

# expect CODE PART ARGS…
expect() { outcome "$1" "$2" "$tabia" report "${@:3}"; }

# page FILE SOURCE OPTIONS…: makes a page and checks its form, and that the commands on it print its numbers.
page() {
    local file=$1
    shift
    "$tabia" report "$@" --out "$file" >"$tmp/out" 2>"$tmp/err" || fail "report $*: $(cat "$tmp/err")"
    [ -s "$tmp/out" ] || [ -s "$tmp/err" ] && fail "report $* prints something"
    python3 "$source/tests/tools/page.py" form "$file" || fail "the form of $file"
    case $file in
    */file.html | */refresh.html) ;; # as run.html
    *) PATH=${maker%/*}:$PATH python3 "$source/tests/tools/page.py" sources "$file" || fail "the sources of $file" ;;
    esac
}

# ---- Of a run of learn, which writes its page itself: with a refresh while it goes on
run=$tmp/run
settings=(--from zero --games 60 --nodes 50 --gauntlet-games 20 --gauntlet-nodes 50 --final-games 10 --seed 7 --quiet)
"$tabia" learn "${settings[@]}" --generations 3 --dir "$run" >"$tmp/out" || fail 'learn'
[ "$(tail -n 1 "$tmp/out")" = "page      $run/report.html" ] || fail "learn ends with $(tail -n 1 "$tmp/out")"
python3 "$source/tests/tools/page.py" form "$run/report.html" || fail 'the form of the page of learn'
grep -q 'http-equiv' "$run/report.html" && fail 'the page of a finished run has a refresh'
"$tabia" learn "${settings[@]}" --generations 1000 --dir "$tmp/long" >/dev/null 2>&1 &
pid=$!
wait_until $pid [ -e "$tmp/long/report.html" ]
kill -INT $pid
wait $pid
grep -q 'http-equiv="refresh"' "$tmp/long/report.html" || fail 'the page of a run that goes on has no refresh'
grep -qE '<p>Running at [-0-9]+ [0-9:]+ UTC: generation [0-9]+ of [0-9]+ took [0-9.]+s, [0-9.]+s in all; begun ' "$tmp/long/report.html" ||
    fail "the page of a run that goes on does not say how far it is: $(grep '<p>Running' "$tmp/long/report.html")"
page "$tmp/run.html" "$run"
python3 "$source/tests/tools/page.py" learn "$tmp/run.html" "$run/results.json" || fail 'numbers of the run'
grep -q 'http-equiv' "$tmp/run.html" && fail 'refresh without --refresh'
grep -qE '<h3>(gen-00[123] – gen-000|gen-000 – gen-00[123]), ' "$tmp/run.html" || fail 'no game against the start'
grep -q '<h3>A long game: ' "$tmp/run.html" || fail 'no long game'
page "$tmp/refresh.html" "$run" --refresh 5
grep -q '<meta http-equiv="refresh" content="5">' "$tmp/refresh.html" || fail '--refresh'
page "$tmp/file.html" "$run/learn.db"
page "$tmp/anchor.html" "$run" --anchor gen-001=1500
python3 "$source/tests/tools/page.py" rating "$tmp/anchor.html" gen-001 1500 || fail '--anchor'

page "$tmp/reference.html" "$run" --reference builtin
grep -q 'Differences of generation [0-9] from builtin' "$tmp/reference.html" || fail '--reference'

# Text of the database is no command in the lines for the shell.
cp "$run/learn.db" "$tmp/evil.db"
"$tabia" db sql "$tmp/evil.db" --write >/dev/null <<SQL || fail 'no evil database'
CREATE TEMP TABLE evil AS SELECT weights_id, sha256 AS was, substr(format('x''"; touch $tmp/PWNED; echo "%s%064d', weights_id, 0), 1, 64)
    AS now FROM weights;
UPDATE weights SET sha256 = (SELECT now FROM evil WHERE weights_id = weights.weights_id);
UPDATE generations SET json = json_replace(json, '$.weights', (SELECT now FROM evil WHERE was = json ->> 'weights'));
SQL
"$tabia" report "$tmp/evil.db" --out "$tmp/evil.html" || fail 'report of an evil database'
(cd "$tmp" && PATH=$build:$PATH python3 "$source/tests/tools/page.py" sources evil.html) >/dev/null 2>&1
grep -q PWNED "$tmp/evil.html" || fail 'the hash is not on the page'
[ ! -e "$tmp/PWNED" ] || fail 'a hash of the database was run as a command'

# ---- Of 10,100 games of one run: its first 10,000 alone. The last of these is Black's only win, those after it are drawn.
"$tabia" selfplay --db "$tmp/many.db" --games 1 --nodes 20 --quiet >/dev/null || fail 'selfplay'
"$tabia" db sql "$tmp/many.db" --write >/dev/null <<'SQL' || fail 'no database of many games'
UPDATE games SET result = 2;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10099)
INSERT INTO games (run_id, game_no, opening_no, start_fen, result, reason, white, black, nodes, ply_count, moves)
SELECT run_id, i, i, start_fen, iif(i < 9999, 2, i > 9999), reason, white, black, nodes, ply_count, moves FROM games, n;
SQL
page "$tmp/many.html" "$tmp/many.db"
grep -q 'self-play: White won 100.0, Black won 0.0.</desc>' "$tmp/many.html" ||
    fail "results of the first 10,000 games: $(grep 'White won .*</desc>' "$tmp/many.html")"

# ---- Of matches: ratings and crosstable, the path of a sequential test
"$maker" gauntlet --engine name=one,weights=builtin --engine name=two,weights=material \
    --engine name='<three> & "co"',weights=zero --tournament roundrobin --rounds 20 --nodes 50 --seed 3 \
    --anchor two=0 --db "$tmp/match.db" --quiet --json >"$tmp/match.json" || fail 'gauntlet'
"$maker" gauntlet --a builtin --b zero --games 60 --nodes 50 --sprt elo0=0,elo1=50 --threads 4 --db "$tmp/sprt.db" --quiet \
    --json >"$tmp/sprt.json" || fail 'gauntlet --sprt'
page "$tmp/match.html" "$tmp/match.db" --anchor two
python3 "$source/tests/tools/page.py" matches "$tmp/match.html" "$tmp/match.json" || fail 'numbers of the match'
page "$tmp/sprt.html" "$tmp/sprt.db"
grep -q 'SPRT of builtin against zero' "$tmp/sprt.html" || fail 'no path of the test'
pairs=$(python3 -c 'import json, sys; print(sum(json.load(open(sys.argv[1]))["ptnml"]))' "$tmp/sprt.json")
grep -q "LIMIT $pairs -- until the decision" "$tmp/sprt.html" || fail "the path of the test is not that of $pairs pairs"
"$maker" gauntlet --a builtin --b zero --games 60 --nodes 50 --no-reverse --sprt elo0=0,elo1=50 --db "$tmp/single.db" \
    --quiet >"$tmp/single.txt" || fail 'gauntlet --no-reverse'
page "$tmp/single.html" "$tmp/single.db"
grep -q 'SPRT of builtin against zero' "$tmp/single.html" || fail 'no path of the test without reversed colours'
# A fit in the file of a match: the first line still names the players.
"$tabia" tune --db "$tmp/single.db" --runs 1 --start material --out "$tmp/single.h" --quiet >/dev/null 2>&1 || fail 'a fit to a match'
"$tabia" report "$tmp/single.db" --out "$tmp/fitted.html" --quiet || fail 'report of a match and a fit'
grep -qE '"headline">SPRT of builtin against zero \(elo0 0, elo1 50, [a-z]+\): accepts H1, LLR [-0-9.]+ between -2.94 and 2.94\. builtin (is \+[0-9.]+ (± [0-9.]+|\[[-+0-9, ]+\]) Elo against zero|won all against zero \(above \+[0-9]+ Elo\)): [0-9]+ games' "$tmp/fitted.html" ||
    fail "the first line of a match: $(grep headline.: "$tmp/fitted.html")"

# The first line has the figures that the match printed, and names the players in its order.
"$maker" gauntlet --engine name=zz,weights=builtin --engine name=aa,weights=builtin,nodes=40 --nodes 50 --games 40 --db "$tmp/named.db" \
    --sprt elo0=0,elo1=1 --quiet >"$tmp/named.txt" || fail 'gauntlet of names'
page "$tmp/named.html" "$tmp/named.db"
grep -qF "undecided, LLR $(sed -n 's/^LLR *\([^ ]*\) .*/\1/p' "$tmp/named.txt") between -2.94 and 2.94. zz is $(sed -n 's/^Elo *//p' "$tmp/named.txt") Elo against aa" \
    "$tmp/named.html" || fail "the first line: $(grep headline.: "$tmp/named.html"), not $(cat "$tmp/named.txt")"
# While it goes on, or after a kill, its record is empty: the page counts the games.
cp "$tmp/named.db" "$tmp/live.db"
"$tabia" db sql "$tmp/live.db" --write "UPDATE gauntlets SET state = 'running', json = json_set(json, '\$.wins', 0, '\$.draws', 0,
    '\$.losses', 0, '\$.ptnml', json('[0, 0, 0, 0, 0]'), '\$.llr', 0)" || fail 'a running match'
page "$tmp/live.html" "$tmp/live.db"
for part in '"headline"' '<tbody>'; do
    cmp <(grep -A1 "$part" "$tmp/named.html" | sed 's/>Finished .*//' | sed 's/undecided\(<.*\)finished/\1/') \
        <(grep -A1 "$part" "$tmp/live.html" | sed 's/>Not finished at .*//' | sed 's/goes on\(<.*\)running/\1/') ||
        fail "a running match: $(grep -A1 "$part" "$tmp/live.html")"
done
grep -q '<p>Not finished at .*; begun ' "$tmp/live.html" && grep -q '<p>Finished .*; begun ' "$tmp/named.html" || fail 'the state of a match'
grep -q '>+2.94: accepts H1<' "$tmp/named.html" && grep -q '>-2.94: accepts H0<' "$tmp/named.html" || fail 'bounds of an undecided test'
grep -qE '"headline">one is the first of 3 players, \+[0-9.]+( ± [0-9.]+)? Elo over (two|&lt;three)' "$tmp/match.html" && grep -q '>2 others<' "$tmp/match.html" ||
    fail "the first line of three: $(grep headline.: "$tmp/match.html")"

# ---- Of more players than are rated
printf '%s.mg, int, 1000, 500, 1800, 300, 0.02\n' 'MATERIAL[1-4]' QUEEN_PST ROOK_PST >"$tmp/values.txt"
"$maker" spsa --params "$tmp/values.txt" --db "$tmp/many.db" --iterations 150 --games 2 --nodes 1 --quiet >/dev/null || fail 'spsa'
page "$tmp/many.html" "$tmp/many.db"
printf 'rfp_margin, int, 130, 20, 200, 60, 0.2\nnull_margin, int, 32, -100, 400, 90, 0.2\n' >"$tmp/constants.txt"
"$tabia" spsa --params "$tmp/constants.txt" --db "$tmp/constants.db" --iterations 20 --games 4 --nodes 100 --quiet >/dev/null || fail 'spsa'
page "$tmp/constants.html" "$tmp/constants.db"
"$tabia" report "$tmp/constants.db" --out /dev/null --json >"$tmp/constants.json"
"$tabia" db sql "$tmp/constants.db" 'SELECT (wins - losses) / (0.0 + games), plus, minus FROM spsa ORDER BY iteration' >"$tmp/constants.rows"
python3 "$source/tests/tools/page.py" tuning "$tmp/constants.html" "$tmp/constants.json" "$tmp/constants.rows" || fail 'tuning of constants'
"$tabia" db sql "$tmp/many.db" "UPDATE players SET name = 'side' || player_no" --write || fail 'players of many matches'
"$tabia" report "$tmp/many.db" --out "$tmp/many.html" --json >"$tmp/many.json" || fail 'report of many players'
python3 - "$tmp/many.json" <<'PY' || fail 'not 256 players, who meet each other alone'
import json, sys
page = json.load(open(sys.argv[1]))
names = {p["name"] for p in page["players"]}
assert len(names) == 256 and all(p["a"] in names and p["b"] in names for p in page["pairings"])
PY

# ---- Of a later range of games
"$maker" selfplay --db "$tmp/later.db" --first-game 1000 --games 4 --nodes 50 --quiet >/dev/null || fail 'selfplay --first-game'
page "$tmp/later.html" "$tmp/later.db"
for figure in Scores Phases; do grep -q ">$figure<" "$tmp/later.html" || fail "$figure: not on the page of a later range"; done

# ---- Of a fit
"$maker" selfplay --db "$tmp/fit.db" --games 60 --nodes 50 --quiet >/dev/null || fail 'selfplay'
"$tabia" tune --db "$tmp/fit.db" --terms classical --freeze '*_PST' --out "$tmp/fit.h" --json --quiet >"$tmp/fit.json" || fail 'tune'
mkdir "$tmp/a fit's"
mv "$tmp/fit.db" "$tmp/a fit's/"
page "$tmp/fit.html" "$tmp/a fit's/fit.db"
grep -q '>knight mobility<' "$tmp/fit.html" || fail 'no bars of mobility'
grep -q '>Other terms' "$tmp/run.html" && fail 'bars of terms that are 0'
python3 "$source/tests/tools/page.py" fit "$tmp/fit.html" "$tmp/fit.json" || fail 'numbers of the fit'

# ---- Refused, and the old page stays
cp "$tmp/run.html" "$tmp/old.html"
mkdir "$tmp/empty"
"$maker" selfplay --db "$tmp/none.db" --games 1 --nodes 10 --quiet >/dev/null
"$tabia" db sql "$tmp/none.db" 'DELETE FROM positions; DELETE FROM games' --write || fail 'an empty database'
expect 2 'one folder of tabia learn or one database is needed' --out "$tmp/old.html"
expect 2 'one folder of tabia learn or one database is needed' "$run" "$run" --out "$tmp/old.html"
expect 2 '--out is needed' "$run"
expect 3 'has no learn.db; name a folder of tabia learn or a database' "$tmp/empty" --out "$tmp/old.html"
expect 3 'no.db' "$tmp/no.db" --out "$tmp/old.html"
expect 3 'has no games and no fits to report' "$tmp/none.db" --out "$tmp/old.html"
expect 4 'run.html' "$tmp/run.html" --out "$tmp/old.html"
expect 2 'no match has a player "nobody"' "$run" --anchor nobody --out "$tmp/old.html"
expect 2 'not NAME or NAME=ELO' "$run" --anchor gen-001=x --out "$tmp/old.html"
expect 2 'with an Elo of at most 100000' "$run" --anchor gen-001=1e20 --out "$tmp/old.html"
expect 2 '--reference: the database has no generations and no fits' "$tmp/match.db" --reference zero --out "$tmp/old.html"
expect 3 'no.h' "$run" --reference "$tmp/no.h" --out "$tmp/old.html"
expect 1 'cannot be written: no writable folder' "$run" --out "$tmp/no/such/page.html"
cmp -s "$tmp/run.html" "$tmp/old.html" || fail 'a refused report changed the old page'
expect 1 'cannot be written' "$run" --out /dev/full
[ -z "$(find "$tmp" -name '*.new-*')" ] || fail 'a temporary file is left'

# The last fit is the one that was stored last, whatever the clock was.
"$maker" selfplay --db "$tmp/clock.db" --games 20 --nodes 20 --seed 3 --quiet >/dev/null || fail 'selfplay'
for start in builtin zero; do
    "$tabia" tune --db "$tmp/clock.db" --out "$tmp/from_$start.h" --start $start --iterations 2 --no-errors --quiet >/dev/null 2>&1 || fail 'tune'
done
"$tabia" db sql "$tmp/clock.db" --write "UPDATE fits SET created = '2001-01-01T00:00:00Z' WHERE fit_id = 2" >/dev/null || fail 'db sql'
"$tabia" report "$tmp/clock.db" --out "$tmp/clock.html" --json --quiet | grep -q '"name": "zero"' || fail 'the last fit'

finish
