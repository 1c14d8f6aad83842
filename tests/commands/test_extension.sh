#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia_sqlite in the sqlite3 shell, in Python, and built into `tabia db sql`.
#   test_extension.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
extension=$build/tabia_sqlite
cd "$tmp" || exit 1

command -v sqlite3 >/dev/null || { echo "skipped: no sqlite3 shell"; exit 77; }
nm -D "$extension.so" | grep -q __asan && { echo "skipped: the sanitizer cannot be loaded later"; exit 77; }

# answer EXPECTED SQL: the output of the shell for compact.db.
answer() {
    local got
    got=$(sqlite3 -cmd ".load $extension" compact.db "$2" 2>&1)
    [ "$got" = "$1" ] || fail "$2: $got, not $1"
}

# same SQL: the shell and `tabia db sql` agree.
same() {
    local theirs ours
    theirs=$(sqlite3 -cmd ".load $extension" compact.db "$1" 2>&1)
    ours=$("$tabia" db sql compact.db "$1" 2>&1) || fail "db sql: $ours"
    [ -n "$theirs" ] && [ "$theirs" = "$ours" ] || fail "$1: ${theirs:0:200}, but db sql: ${ours:0:200}"
}

"$tabia" selfplay --db full.db --games 12 --nodes 60 --seed 5 --quiet >/dev/null &&
    "$tabia" selfplay --db full.db --games 12 --nodes 60 --seed 6 --quiet >/dev/null || fail "selfplay"
sqlite3 full.db 'DELETE FROM positions WHERE game_id % 3 = 0'
cp full.db compact.db
sqlite3 compact.db 'DELETE FROM positions'
"$tabia" db materialize full.db --quiet >/dev/null || fail "materialize"

# Equal to the table, row by row and in the same order.
columns='game_id, ply, fen, score, move, flags'
sqlite3 full.db "SELECT $columns FROM positions ORDER BY game_id, ply" >expected
[ "$(wc -l <expected)" -gt 500 ] || fail "too few positions"
sqlite3 -cmd ".load $extension" compact.db "SELECT $columns FROM tabia_positions" >got
cmp -s expected got || fail "the replayed positions are not those of the table"
sqlite3 -cmd ".load $extension" compact.db \
    "SELECT $columns FROM games CROSS JOIN tabia_positions USING (game_id) ORDER BY game_id, ply" >got
cmp -s expected got || fail "a join by game_id gives other positions"
sqlite3 -cmd ".load $extension" compact.db "SELECT flags, move, score, fen, ply, game_id FROM tabia_positions" |
    awk -F'|' -v OFS='|' '{print $6, $5, $4, $3, $2, $1}' | cmp -s expected - || fail "columns in another order"

# Choosing games
answer 1 'SELECT count(*) = (SELECT sum(ply_count) FROM games) FROM tabia_positions'
for where in 'game_id = 7' 'game_id > 7' 'game_id >= 7' 'game_id < 7' 'game_id <= 7' 'game_id = -1' 'run_id = 2' \
    'run_id = 2 AND game_id < 20' "game_id = '7'" 'game_id BETWEEN 3 AND 5 AND ply = 2' 'game_id IN (1, 9, 11)' \
    'game_id IS NULL'; do
    answer "$(sqlite3 full.db "SELECT count(*), sum(score), max(ply) FROM positions JOIN games USING (game_id) WHERE $where")" \
        "SELECT count(*), sum(score), max(ply) FROM tabia_positions WHERE ${where//run_id/of_run}"
    answer "$(sqlite3 full.db "SELECT count(*), sum(score) FROM positions JOIN games USING (game_id) WHERE $where")" \
        "SELECT count(*), sum(score) FROM games JOIN tabia_positions USING (game_id) WHERE $where"
done
answer "$(sqlite3 full.db 'SELECT count(*) FROM positions JOIN games USING (game_id) WHERE run_id = 2')" \
    'SELECT count(*) FROM tabia_positions(2)'
answer 1 'SELECT count(*) = 24 * 24 FROM (SELECT DISTINCT a.game_id, b.game_id FROM tabia_positions AS a, tabia_positions AS b
          WHERE a.ply = 0 AND b.ply = 0)'
answer 0 "SELECT count(*) FROM tabia_positions AS p WHERE phase <> min(24, length(fen)
    - length(replace(replace(replace(replace(substr(fen, 1, instr(fen, ' ')), 'N', ''), 'n', ''), 'B', ''), 'b', ''))
    - length(substr(fen, instr(fen, ' '))) + 1
    + 2 * (length(fen) - length(replace(replace(substr(fen, 1, instr(fen, ' ')), 'R', ''), 'r', ''))
    - length(substr(fen, instr(fen, ' '))) + 1)
    + 4 * (length(fen) - length(replace(replace(substr(fen, 1, instr(fen, ' ')), 'Q', ''), 'q', ''))
    - length(substr(fen, instr(fen, ' '))) + 1))"
# Clocks of a match; self-play has none.
"$tabia" gauntlet --a builtin --b material --games 2 --nodes 60 --db match.db --quiet >/dev/null || fail "gauntlet"
got=$("$tabia" db sql match.db "SELECT sum(nodes = (SELECT sum(nodes) FROM tabia_positions AS p WHERE p.game_id = g.game_id)),
    sum((SELECT sum(hex(substr(clock, 9 * ply + 9, 1)) = format('%02X', depth) AND hex(substr(clock, 9 * ply + 1, 4)) =
        format('%02X%02X%02X%02X', time & 255, time >> 8 & 255, time >> 16 & 255, time >> 24)) FROM tabia_positions AS p
        WHERE p.game_id = g.game_id) = ply_count) FROM games AS g")
[ "$got" = '2|2' ] || fail "columns of clocks: $got"
answer 0 'SELECT count(time) + count(nodes) + count(depth) FROM tabia_positions'
# Conditions on games choose before any game is replayed.
plan="EXPLAIN QUERY PLAN SELECT avg(score) FROM games JOIN runs USING (run_id) JOIN tabia_positions USING (game_id)
    WHERE game_no < (SELECT 5 + min(game_no) FROM games AS g WHERE g.run_id = runs.run_id)"
sqlite3 -cmd ".load $extension" compact.db "$plan" | grep -q 'SCAN tabia_positions .*game_id = ?' || fail "a join replays all games"
same 'SELECT ply, avg(score), count(*) FROM games JOIN tabia_positions USING (game_id) WHERE result = 0 GROUP BY ply'
same 'SELECT game_id, ply FROM tabia_positions WHERE game_id < 3 ORDER BY game_id DESC, ply LIMIT 7'

# Patterns and trees, against pgn-extract's positions of the exported games
"$tabia" selfplay --db tree.db --games 60 --nodes 60 --random-plies 0 --repeat-openings --random-move 0.6 --random-until 12 --seed 5 \
    --weights material --compact --quiet >/dev/null && "$tabia" db export tree.db tree.pgn --quiet >/dev/null || fail "games of a tree"
find="SELECT count(*), count(DISTINCT game_id) FROM tabia_find"
if [ -x /usr/games/pgn-extract ]; then
    /usr/games/pgn-extract -s -Wepd tree.pgn >tree.epd
    python3 - "$tabia" <<'PY' || fail "tabia_find and tabia_tree"
import collections, itertools, re, subprocess, sys
def ask(sql):
    return subprocess.run([sys.argv[1], "db", "sql", "tree.db", sql], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
games = [[line.split()[:3] + [re.search("c1 ([-/012]+)", line)[1]] for line in lines]
         for filled, lines in itertools.groupby(open("tree.epd"), lambda line: line != "\n") if filled]
assert len(games) == 60, len(games)
seen = collections.Counter(" ".join(now[:3]) for game in games for now in game[:-1])
for place, times in seen.most_common(12):
    moves = collections.defaultdict(lambda: [0, 0, 0])
    for number, after, result in {(number, after[0], now[3]) for number, game in enumerate(games)
                                  for now, after in zip(game, game[1:]) if " ".join(now[:3]) == place}:
        moves[after][["1-0", "1/2-1/2", "0-1"].index(result)] += 1
    rows = [list(map(int, row.split("|"))) for row in
            ask(f"SELECT games, white_wins, draws, black_wins FROM tabia_tree('{place} -')")]
    assert sorted(rows) == sorted([sum(n)] + n for n in moves.values()), (place, rows, moves)
    assert [row[0] for row in rows] == sorted((row[0] for row in rows), reverse=True), rows
boards = [(re.sub("[1-8]", lambda n: "_" * int(n[0]), now[0]), now[1], number) for number, game in enumerate(games) for now in game[:-1]]
r = "[^/]*"
for pattern, side, regex in [("*/*/*/*/4P3/*/*/*", None, f"{r}/{r}/{r}/{r}/____P___/.*"), ("*r*k*/*/*/*/*/*/*/R*K*", "b", f"{r}r{r}k{r}/" + 6 * f"{r}/" + f"R{r}K{r}"),
                             ("*/*/*p*p*/*/*/*/AAA!*/*", "w", f"{r}/{r}/{r}p{r}p{r}/{r}/{r}/{r}/[A-Z]{{3}}[a-zA-Z]{r}/{r}"),
                             ("*[^rQ]k*/*/*/*/*/*/*/*[AnB]*", None, f"{r}[^rQ/]k{r}/" + 6 * f"{r}/" + f"{r}[A-ZnB]{r}"), ("*a/*/*/*/*/*/*/*_2", None, f"{r}[a-z]/" + 6 * f"{r}/" + f"{r}___")]:
    found = [game for board, stm, game in boards if re.fullmatch(regex, board) and side in (None, stm)]
    got = ask(f"SELECT count(*), count(DISTINCT game_id) FROM tabia_find('{pattern}{' ' + side if side else ''}')")[0]
    assert found and got == f"{len(found)}|{len(set(found))}", (pattern, got, len(found), len(set(found)))
PY
fi
cp compact.db games.db
mv tree.db compact.db
start=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR
answer '60|60' "$find('$start w KQkq - 0 1')"
answer '1|1' "SELECT sum(games) = 60, sum(san = 'Nf3') FROM tabia_tree"
answer 1 "SELECT (SELECT group_concat(move) FROM tabia_tree) = (SELECT group_concat(move) FROM tabia_tree('$start w'))"
answer '1|' "SELECT max(abs(elo - round(400 * log10(white_points / (1 - white_points)), 1))) < 0.01, (SELECT elo FROM tabia_tree
    WHERE white_points = 1) FROM tabia_tree WHERE white_points BETWEEN 0.01 AND 0.99"
answer 1 "SELECT count(*) = (SELECT sum(ply_count) FROM games WHERE game_id < 9) FROM games JOIN tabia_find('*/*/*/*/*/*/*/*') USING (game_id)
    WHERE game_id < 9"
answer '0|0' "$find(NULL)"
answer '0|0' "$find('$start') WHERE pattern = '*/*/*/*/*/*/*/*'"
answer '60|60' "$find(p) JOIN (SELECT '$start' AS p)"
same "SELECT * FROM tabia_tree"
for pattern in 8/8 "$start/" "9/$start" "$start x" "pppppppp?/$start" '*/*/*/*/*/*/*/*9' '*/*/*/*/*/*/*/x*' "$start w KQkx -" '********/'; do
    sqlite3 -cmd ".load $extension" compact.db "$find('$pattern')" 2>&1 | grep -q 'partial FEN\|FEN' || fail "the pattern $pattern is taken"
    sqlite3 -cmd ".load $extension" compact.db "SELECT * FROM tabia_tree('$pattern')" 2>&1 | grep -q 'FEN' || fail "tree: $pattern is taken"
done
mv games.db compact.db

# Functions
answer 'Nf3' "SELECT san('$start w KQkq - 0 1', 'g1f3')"
answer 'O-O-O+' "SELECT san('3k4/8/8/8/8/8/8/R3K3 w Q - 0 1', 'e1c1')"
answer '|||' "SELECT san(NULL, 'g1f3'), eval(NULL), position_key(NULL), eval('$start w KQkq -', NULL)"
answer '5060803636482931868' "SELECT position_key('$start w KQkq - 0 1')" # an example of the Polyglot format
answer '0|900|-900' "SELECT eval('$start w KQkq - 0 1', 'material'), eval('3qk3/8/8/8/8/8/8/3QKQ2 b - - 0 1', 'material'),
        eval('3qkq2/8/8/8/8/8/8/3QK3 b - - 0 1', 'material')"
answer '1|1' "SELECT eval(fen) = eval(fen, 'builtin'), eval(fen, w.sha256) = eval(fen, w.weights_id)
        FROM tabia_positions(1), weights AS w LIMIT 1"
# Weights of a column, others in each row
[ "$("$tabia" db sql match.db "SELECT count(*) > 100, sum(eval(fen, weights_id) IS NOT eval(fen, label)),
    count(DISTINCT eval(fen, weights_id) - eval(fen)) > 9 FROM tabia_positions CROSS JOIN weights")" = '1|0|1' ] ||
    fail "eval with a column of weights"
sums() { "$tabia" db sql match.db "SELECT sum(eval(fen, $1) * weights_id) FROM tabia_positions CROSS JOIN weights"; }
[ "$(sums header)" = "$(sums weights_id)" ] || fail "eval with a column of headers: $(sums header), not $(sums weights_id)"
[ "$("$tabia" db sql match.db "SELECT sum(eval(fen, 'pesto') IS NOT eval(fen, readable)), sum(eval(fen, 'pesto') <> eval(fen, 'network')) > 9
    FROM tabia_positions(1), (SELECT '$(tr -d \' <"$source/configs/weights/pesto.h")' AS readable)")" = '0|1' ] ||
    fail 'eval with the names of weights'
same "SELECT sum(eval(fen)), sum(eval(fen, (SELECT header FROM weights LIMIT 1))), count(san(fen, move)) FROM tabia_positions"

# Errors
complains() {
    local got
    got=$(sqlite3 -cmd ".load $extension" compact.db "$2" 2>&1) && fail "$2: no error"
    grep -qF -- "$1" <<<"$got" || fail "$2: no \"$1\" in: $got"
}
complains 'found 1: "here"' "SELECT san('here', 'g1f3')"
complains 'g1g3' "SELECT san('$start w KQkq - 0 1', 'g1g3')"
complains 'no weights' "SELECT eval('$start w KQkq - 0 1', 'heavy')"
complains 'no weights' "SELECT eval('$start w KQkq - 0 1', 99)"
complains 'no weights' "SELECT eval('$start w KQkq - 0 1', '/etc/passwd')"
complains 'no weights' "SELECT eval('$start w KQkq - 0 1', '$source/configs/weights/pesto.h')"
complains 'weights:1' "SELECT eval('$start w KQkq - 0 1', 'EVAL_TERM(')"
sqlite3 compact.db "UPDATE games SET moves = zeroblob(length(moves)) WHERE game_id = 5"
complains 'game 5' 'SELECT max(fen) FROM tabia_positions'
answer 1 'SELECT count(*) > 500 FROM tabia_positions'
[ "$(sqlite3 -cmd ".load $extension" :memory: 'SELECT * FROM tabia_positions' 2>&1 | grep -c 'no such table')" = 1 ] ||
    fail "a database without games"

# The installed Python, if it can load extensions
for python in python3 /usr/bin/python3; do
    "$python" -c 'import sqlite3; sqlite3.connect(":memory:").enable_load_extension' 2>/dev/null || continue
    "$python" - "$extension" <<'PY' || fail "$python"
import sqlite3, sys
db = sqlite3.connect("full.db")
db.enable_load_extension(True)
db.load_extension(sys.argv[1])
columns = "game_id, ply, fen, score, move, flags"
ours = db.execute(f"SELECT {columns} FROM tabia_positions ORDER BY game_id, ply").fetchall()
assert ours == db.execute(f"SELECT {columns} FROM positions ORDER BY game_id, ply").fetchall()
try:
    db.execute("SELECT eval('nowhere')").fetchall()
except sqlite3.OperationalError as e:
    assert "FEN" in str(e), e
else:
    raise SystemExit("no error")
PY
    break
done

# All queries of the documentation
for file in queries queries_extension; do
    questions=$(grep -c ';$' "$source/docs/$file.sql")
    for format in list table csv json; do
        "$tabia" db sql full.db --format $format <"$source/docs/$file.sql" >"$file.$format" 2>err || fail "$file: $(cat err)"
    done
    [ "$(grep -c '^-[- ]*$' "$file.table")" = "$questions" ] || fail "$file.sql: not $questions tables"
    [ "$(grep -c '\.$' "$file.table")" = "$questions" ] || fail "$file.sql: not $questions titles"
done
tail -n 2 queries.csv | grep -q '^[0-9]' || fail 'no row of nodes per ply'
sqlite3 full.db <"$source/docs/queries.sql" 2>&1 | cmp -s - queries.list || fail "queries.sql gives another result in the shell"

# Formats of db sql
"$tabia" db sql full.db "SELECT 1 AS a, 'x,\"y\"' AS b, NULL AS c" --format csv | cmp -s - <(printf 'a,b,c\r\n1,"x,""y""",\r\n') ||
    fail "csv"
[ "$("$tabia" db sql full.db "SELECT 1 AS a, 2.5 AS b, NULL AS c, x'ff' AS d, 'é' AS e" --json | tr -d ' \n')" = \
    "[{\"a\":1,\"b\":2.5,\"c\":null,\"d\":\"x'ff'\",\"e\":\"é\"}]" ] || fail "json"
[ "$("$tabia" db sql full.db 'SELECT 1 WHERE 0' --format json | tr -d ' \n')" = '[]' ] || fail "an empty answer as json"
"$tabia" db sql full.db "SELECT 7 AS number, 'é' AS word UNION ALL SELECT 1234567, 'longer'" --format table |
    cmp -s - <(printf 'number   word\n-------  ------\n      7  é\n1234567  longer\n') || fail "table"
printf -- '-- Head\n\n-- One\n--  of two\nSELECT 1; -- aside\nSELECT 2;\n-- Three\nSELECT 3' | "$tabia" db sql full.db --format table |
    cmp -s - <(printf 'One\nof two\n1\n-\n1\n2\n-\n2\n\nThree\n3\n-\n3\n') || fail "titles of tables"
echo 'SELECT 1; SELECT 2' | "$tabia" db sql full.db | cmp -s - <(printf '1\n2\n') || fail "standard input"
"$tabia" db sql full.db "UPDATE runs SET label = 'new' WHERE run_id = 1" 2>/dev/null && fail "wrote without --write"
"$tabia" db sql full.db --write "UPDATE runs SET label = 'new' WHERE run_id = 1" || fail "--write"
[ "$("$tabia" db sql full.db 'SELECT label FROM runs WHERE run_id = 1')" = new ] || fail "--write wrote nothing"
"$tabia" db sql full.db 'SELECT 1' --format xml 2>err; [ $? = 2 ] && grep -q 'list, table, csv' err || fail "--format xml"

finish
