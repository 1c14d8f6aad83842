#!/bin/bash
# SPDX-License-Identifier: MIT
# Databases from untrusted files, through whole commands: values of other types and ranges than the schema allows, and
# JSON that says anything. Every command ends with the statistics of the stored games, or with one line and exit code 4.
# (The readers of single columns are in tests/db/test_store_hostile.c.)
#   test_crafted.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
command -v sqlite3 >/dev/null || { echo "skipped: no sqlite3"; exit 77; }
cd "$tmp" || exit 1
"$maker" learn --from zero --dir d --generations 2 --games 12 --nodes 20 --nodes-growth 1 --gauntlet-games 4 \
    --gauntlet-nodes 20 --final-games 4 --iterations 3 --seed 7 --threads 1 --max-plies 80 --quiet >out 2>&1 ||
    fail "learn: $(cat out)"

# craft SQL: bad.db is the database, in which SQL ran without STRICT and CHECK. The schema is the old one afterwards.
craft() {
    cp d/learn.db bad.db
    rm -f bad.db-wal bad.db-shm
    sqlite3 bad.db ".dbconfig defensive off" "PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON;
        CREATE TEMP TABLE kept AS SELECT name AS n, sql AS s FROM sqlite_schema WHERE sql LIKE '%STRICT%';
        UPDATE sqlite_schema SET sql = replace(replace(sql, ') STRICT, WITHOUT', ') WITHOUT'), ') STRICT', ')');
        PRAGMA writable_schema = RESET; $1; PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = (SELECT s FROM kept WHERE n = name) WHERE name IN (SELECT n FROM kept);
        PRAGMA writable_schema = RESET" >out 2>&1 || fail "cannot craft: $1: $(cat out)"
}

# ends CODES SQL COMMAND...: after craft SQL.
ends() {
    local codes=$1 sql=$2 code
    shift 2
    timeout 20 "$tabia" "$@" >out 2>err
    code=$?
    [[ " $codes " == *" $code "* ]] || fail "$sql: tabia $*: exit code $code: $(head -c 400 err)"
    [ $code = 0 ] || [ "$(wc -l <err)" = 1 ] || fail "$sql: tabia $*: not one line: $(head -c 400 err)"
}

# refused SQL, harmless SQL: by the page and the ratings.
refused() {
    craft "$1"
    ends 4 "$1" report bad.db --out page.html --quiet
    ends 4 "$1" elo --db bad.db
}
harmless() {
    craft "$1"
    ends 0 "$1" report bad.db --out page.html --quiet
}

last='WHERE run_id = (SELECT max(run_id) FROM runs WHERE kind = '"'selfplay'"')'
for value in -4000000000 4000000000 60000000000 9223372036854775807 1e300 9e999 "'text'" "x'00'"; do
    refused "UPDATE games SET ply_count = $value $last AND game_no = 3"
done
for value in 3 -1 4000000000000000000 "'y'" 0.5; do refused "UPDATE games SET result = $value"; done
refused "UPDATE games SET white = -1"
refused "UPDATE games SET black = 'x'"
refused "UPDATE games SET nodes = x'01' WHERE game_no = 2"
refused "UPDATE games SET moves = 'text' WHERE game_no = 2"
refused "UPDATE games SET clock = x'00' WHERE game_no = 2"
refused "UPDATE games SET opening_no = 1.5 WHERE game_no = 2"
refused "UPDATE games SET start_fen = printf('%-300s', start_fen) WHERE game_no = 2"
refused "UPDATE games SET game_id = -game_id WHERE game_no = 2"
refused "UPDATE players SET name = x'0001'"
refused "UPDATE players SET config = '{'"
refused "UPDATE runs SET generation = 9e18 $last"
refused "UPDATE runs SET config = 'x'"
refused "UPDATE generations SET generation = 9000000000000000000 WHERE generation = 2"
# A row that another one names is missing: joins would leave games out without a word.
for lie in "DELETE FROM players WHERE run_id = (SELECT max(run_id) FROM players)" \
    "DELETE FROM runs WHERE run_id = (SELECT max(run_id) FROM games)" \
    "UPDATE games SET white = 5 WHERE game_id = (SELECT max(game_id) FROM games)" \
    "DELETE FROM weights WHERE weights_id = (SELECT max(weights_id) FROM fits)"; do
    refused "PRAGMA foreign_keys = OFF; $lie"
    grep -q 'bad.db: the database is damaged: .* missing' err || fail "$lie: $(cat err)"
    for command in 'db info bad.db' 'db digest bad.db' 'db digest bad.db --moves' 'db merge new.db bad.db' \
        'db split bad.db a.db b.db' 'tune --db bad.db --out w.h --iterations 1' 'db export bad.db - --format pgn'; do
        # shellcheck disable=SC2086
        ends 4 "$lie" $command --quiet
        grep -q 'bad.db: the database is damaged: .* missing' err || fail "$lie: $command: $(cat err)"
    done
    ends 1 "$lie" db export bad.db all.pgn --quiet # into a file: what can be read
    [ "$(grep -c '^\[Result' salvaged-all.pgn)" = "$("$tabia" db sql d/learn.db 'SELECT count(*) FROM games')" ] ||
        fail "$lie: $(cat err)"
    rm -f salvaged-all.pgn
done
# Names and JSON without an end, also beyond a NUL; a legal length is harmless.
for column in players.name runs.label weights.label; do
    refused "UPDATE ${column%.*} SET ${column#*.} = hex(zeroblob(501))"
    grep -q "bad.db: the database is damaged: $column" err || fail "a long $column: $(cat err)"
    ends 4 "a long $column" db check bad.db --quiet
done
refused "UPDATE players SET name = 'x' || char(0) || hex(zeroblob(501))"
harmless "UPDATE runs SET label = hex(zeroblob(500)); UPDATE players SET name = hex(zeroblob(499)) || player_no"
refused "UPDATE players SET config = '\"' || hex(zeroblob(9000000)) || '\"'"
harmless "UPDATE players SET config = '\"' || hex(zeroblob(500000)) || '\"'"
refused "UPDATE players SET name = hex(zeroblob(40000000)) WHERE run_id = (SELECT max(run_id) FROM players) AND player_no = 0"
grep -q 'bad.db: a text or blob of more than 64 MiB' err || fail "a name of 80 MB: $(cat err)"

# The ends of games have the names of this version.
refused "UPDATE reasons SET name = CASE reason WHEN 1 THEN 'x' ELSE name END"
craft "UPDATE reasons SET name = 'x' WHERE reason = 1; UPDATE reasons SET name = 'checkmate' WHERE reason = 3;
    UPDATE reasons SET name = 'repetition' WHERE reason = 1"
ends 4 'swapped ends of games' db check bad.db --quiet
grep -q "reasons: the name of 1 is not 'checkmate'" err || fail "swapped ends of games: $(cat err)"

# An index that Tabia did not make, whose content may differ from its table.
index="CREATE INDEX mine ON games (run_id, white, black, result, game_no, start_fen)"
harmless "$index"
sqlite3 bad.db ".dbconfig defensive off" "PRAGMA writable_schema = ON;
    CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'mine';
    DELETE FROM sqlite_schema WHERE name = 'mine'; PRAGMA writable_schema = RESET;
    UPDATE games SET result = 2 - result; PRAGMA writable_schema = ON;
    INSERT INTO sqlite_schema SELECT * FROM kept; PRAGMA writable_schema = RESET" >out 2>&1 || fail "cannot craft: $(cat out)"
for command in 'elo --db bad.db' 'report bad.db --out page.html' 'db merge new.db bad.db' 'db check bad.db'; do
    # shellcheck disable=SC2086
    ends 4 'an index of old rows' $command --quiet
    grep -q 'bad.db: the database is damaged: .* missing from index mine' err || fail "an index of old rows: $(cat err)"
done
for table in fits gauntlets generations; do refused "UPDATE $table SET json = '{\"x\":y'"; done

# JSON that is valid, but says something else.
for json in -1 '[]' '{}' '[9e999]' '"x"' null; do
    harmless "UPDATE gauntlets SET json = '$json'"
    harmless "UPDATE fits SET json = '$json'"
    craft "UPDATE generations SET json = '$json'"
    ends '0 4' "generations.json = $json" report bad.db --out page.html --quiet
done
for value in -1 1e300 -1e300 9223372036854775807 "'text'" "json('[1]')"; do
    harmless "UPDATE gauntlets SET json = json_set(json, '\$.wins', $value, '\$.ptnml[0]', $value, '\$.sprt_elo0', $value,
        '\$.sprt_elo1', $value, '\$.sprt_alpha', $value)"
    craft "UPDATE generations SET json = json_set(json, '\$.wins', $value, '\$.plies', $value, '\$.seconds_tune', $value,
        '\$.seconds_selfplay', $value, '\$.train_loss', $value, '\$.ptnml[2]', $value)"
    ends '0 4' "figures of generations $value" report bad.db --out page.html --quiet # 4: beyond SQLite's sums
done
# A number that becomes a part of a query is a number: here more rows than the figure has, and a query without an end.
harmless "UPDATE generations SET json = json_set(json, '\$.k', '0)) - p.ply AS predicted, 1 AS points FROM games AS g"\
" JOIN tabia_positions AS p USING (game_id)) GROUP BY predicted /*')"
harmless "UPDATE generations SET json = json_set(json, '\$.k',"\
" '(WITH RECURSIVE c AS (SELECT 1 UNION ALL SELECT 1 FROM c) SELECT count(*) FROM c)')"

# Counts of a generation that a sum could not hold: `learn` refuses the row, or does not need it.
for value in -1 9223372036854775807 1e300; do
    cp -r d e
    craft "UPDATE generations SET json = json_set(json, '\$.wins', $value, '\$.games', $value, '\$.plies', $value,
        '\$.ptnml[0]', $value) WHERE generation > 0"
    cp bad.db e/learn.db
    ends 4 "counts of generations $value" learn --from zero --dir e --generations 2 --games 12 --nodes 20 --nodes-growth 1 \
        --gauntlet-games 4 --gauntlet-nodes 20 --final-games 4 --iterations 3 --seed 7 --threads 1 --max-plies 80 --quiet
    rm -rf e
done

# The text of other weights under a hash: nothing plays or is fitted under a name that is not its own.
mkdir e && cp -r d/. e
craft "UPDATE weights SET (header, base_id, difference) =
        (SELECT header, base_id, difference FROM weights WHERE label = 'material')
    WHERE weights_id = (SELECT best_id FROM generations ORDER BY generation DESC LIMIT 1)"
cp bad.db e/learn.db
ends 4 'other weights' db check bad.db --quiet
for lie in "DELETE FROM players WHERE run_id IN (SELECT run_id FROM runs WHERE kind = 'gauntlet')" \
    "UPDATE games SET white = 1, black = 1 WHERE run_id IN (SELECT run_id FROM runs WHERE kind = 'gauntlet')"; do
    cp d/learn.db lie.db && sqlite3 lie.db "$lie" || fail "$lie"
    "$tabia" db check lie.db --quiet >out 2>err && fail "db check: sound after $lie"
    grep -qE 'its player is missing|meets itself' err out || fail "db check: $(cat out err)"
done
ends 4 'other weights' db merge new.db bad.db
[ ! -e new.db ] || fail 'other weights: a database was made of a damaged one'
ends 4 'other weights' selfplay --db bad.db --games 2 --nodes 20 --seed 5 --pool last:2 --quiet
ends 4 'other weights' learn --from zero --dir e --generations 3 --games 12 --nodes 20 --nodes-growth 1 \
    --gauntlet-games 4 --gauntlet-nodes 20 --final-games 4 --iterations 3 --seed 7 --threads 1 --max-plies 80 --quiet

# A table whose tree is that of another: the rows are refused, not merged as none.
craft "SELECT 1"
sqlite3 bad.db ".dbconfig defensive off" "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage =
    (SELECT rootpage FROM sqlite_schema WHERE name = 'runs') WHERE name = 'games'" >out 2>&1 || fail "cannot craft: $(cat out)"
ends 4 'a tree of another table' db merge new.db bad.db
finish
