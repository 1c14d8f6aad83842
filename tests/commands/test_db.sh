#!/bin/bash
# SPDX-License-Identifier: MIT
# `tabia db`: its output and exit codes; bad input changes nothing.
#   test_db.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"

cd "$tmp" || exit 1

# expect CODE PART ARGS…
expect() { outcome "$1" "$2" "$tabia" db "${@:3}" --quiet; }

# prints TEXT: the last output contains it.
prints() { grep -qF -- "$1" out || fail "no \"$1\" in: $(head -c 600 out)"; }

play() { # FILE FIRST COUNT [options]
    "$maker" selfplay --db "$1" --first-game "$2" --games "$3" --nodes 60 --seed 5 --quiet "${@:4}" \
        >/dev/null || fail "selfplay into $1"
}

play whole.db 0 12
play left.db 0 7
play right.db 5 7 --compact

# Info
expect 0 '' info whole.db
prints '1 run, 12 games'
prints 'Results'
expect 0 '' info whole.db --json
python3 - <<'PY' || fail "info --json"
import json
info = json.load(open("out"))
assert info["games"] == 12 == info["wins"] + info["draws"] + info["losses"], info
assert info["plies"] == info["positions"] == sum(info["scores"].values()), info
assert sum(info["lengths"].values()) == sum(info["reasons"].values()) == 12, info
assert len(info["runs"]) == 1 and info["runs"][0]["seed"] == 5, info
PY
expect 0 '' check whole.db
prints 'sound: 12 games'
expect 0 '' check right.db
prints '0 games with readable positions'

# For an empty table, the note names the command that fills it.
expect 0 '' info right.db
prints '0 readable positions (tabia db materialize'
for query in 'count(*) FROM positions' '* FROM Scored_Positions'; do
    "$tabia" db sql right.db "SELECT $query" >out 2>err || fail "sql $query: $?"
    grep -qF 'note: the table positions is empty; tabia db materialize right.db fills it' err || fail "sql $query: $(cat err)"
done
"$tabia" db sql right.db 'SELECT sum(ply_count) AS positions FROM games' >out 2>err || fail 'sql: a column called positions'
[ ! -s err ] || fail "sql: a column called positions: $(cat err)"
for file in whole right; do
    "$tabia" db sql $file.db 'SELECT count(*) FROM games JOIN tabia_positions USING (game_id)' >out 2>err
    [ ! -s err ] || fail "sql $file.db: $(cat err)"
done
"$tabia" db sql whole.db 'SELECT count(*) FROM positions' 2>&1 | grep -qx '[0-9]*' || fail 'a note on a full table'

# A reader that closes the pipe early ends a query silently, as other filters.
for format in list csv json; do
    "$tabia" db sql whole.db 'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n' \
        --format $format 2>err | head -c 100 >out
    [ "${PIPESTATUS[0]}" = 141 ] && [ ! -s err ] || fail "sql | head: $format: $(cat err)"
done
"$tabia" db export whole.db - 2>err | true # may have written all of it before
[[ ${PIPESTATUS[0]} = 0 || ${PIPESTATUS[0]} = 141 ]] && [ ! -s err ] || fail "export | true: $(cat err)"
"$tabia" search --compare --depth 4 2>err | head -n 1 >out
[ "${PIPESTATUS[0]}" = 141 ] && [ ! -s err ] || fail "search | head: $(cat err)"

# Errors of the user's SQL are no damage.
expect 3 'UNIQUE constraint failed' sql whole.db "INSERT INTO reasons VALUES (1, 'x')" --write
expect 3 'CHECK constraint failed' sql whole.db 'UPDATE games SET result = 7' --write
expect 3 'datatype mismatch' sql whole.db 'SELECT 1 LIMIT ?1'

# Digest and merge
expect 0 '' digest whole.db
grep -qxE '[0-9a-f]{64}' out || fail "digest prints $(cat out)"
whole=$(cat out)
expect 0 '' digest whole.db --json
python3 -c 'import json, sys; assert json.load(open("out"))["digest"] == sys.argv[1]' "$whole" ||
    fail "digest --json"
expect 0 '' merge new.db left.db right.db
prints 'left.db: 7 games added'
prints 'right.db: 5 games added'
expect 0 '' digest new.db
[ "$(cat out)" = "$whole" ] || fail "the merged halves are not the whole"
expect 0 '' merge new.db left.db right.db whole.db --json
[ "$(cat out)" = '{"added": 0}' ] || [ "$(tr -d ' \n' <out)" = '{"added":0}' ] || fail "merge again: $(cat out)"
expect 0 '' check new.db
POSIXLY_CORRECT=1 expect 0 '' check new.db --json # options after arguments

# Positions
if command -v sqlite3 >/dev/null; then # what other programs show
    sqlite3 right.db 'SELECT * FROM about' | grep -q '^positions|.*tabia db materialize' || fail 'about: no materialize'
fi
expect 0 '' materialize right.db
prints 'materialized: 7 games'
if command -v sqlite3 >/dev/null; then
    sqlite3 right.db 'SELECT * FROM about' | grep -q '^positions|a row for each position' || fail 'about: no positions'
fi
expect 0 '' materialize right.db
prints 'materialized: 0 games'
expect 0 '' check right.db
prints '7 games with readable positions'
expect 0 '' sql right.db 'SELECT count(*) = (SELECT sum(ply_count) FROM games) FROM positions'
[ "$(cat out)" = 1 ] || fail "not one row per ply"

# SQL
expect 0 '' sql whole.db 'SELECT game_no AS n, white + black FROM results WHERE game_no < 2' --header
[ "$(cat out)" = $'n|white + black\n0|0\n1|0' ] || fail "sql prints $(cat out)"
expect 0 '' sql whole.db "SELECT ply, avg(score) FROM scored_positions WHERE result = '0-1' GROUP BY ply"
expect 3 'only statements that read are allowed; --write' sql whole.db 'DELETE FROM games'
expect 3 'no such table: chess' sql whole.db 'SELECT * FROM chess'
expect 0 '' digest whole.db
[ "$(cat out)" = "$whole" ] || fail "a query changed the database"

# Exports
expect 0 '' export whole.db games.pgn
prints '12 games'
[ "$(grep -c '^\[Event ' games.pgn)" = 12 ] || fail "not 12 games of PGN"
if command -v /usr/games/pgn-extract >/dev/null; then
    # It exits 0 on illegal games too, but prints nothing only for legal ones.
    /usr/games/pgn-extract -s -r games.pgn >judgement 2>&1
    [ -s judgement ] && fail "pgn-extract: $(head -c 600 judgement)"
    sed 's/ [0-9]*\. [a-h][34] / 99. Ka1 /' games.pgn >wrong.pgn
    /usr/games/pgn-extract -s -r wrong.pgn 2>&1 | grep -q 'Failed to make move' ||
        fail "pgn-extract accepts an illegal game"
fi
expect 0 '' export whole.db games.pgn.zst
zstd -dcq games.pgn.zst 2>/dev/null | cmp -s - games.pgn || ! command -v zstd >/dev/null ||
    fail "the compressed export differs"
expect 0 '' export whole.db - --format epd
expect 0 '' export whole.db games.epd --format epd
"$tabia" db export whole.db - --format epd | cmp -s - games.epd || fail "export to - differs"
plies=$("$tabia" db sql whole.db 'SELECT sum(ply_count) FROM games')
[ "$(wc -l <games.epd)" = "$plies" ] || fail "not one line per ply"
grep -vqE '^([^ ]+ ){4}c9 "(1-0|0-1|1/2-1/2)"; id "[-0-9a-f]{36}/[0-9]+";( ce -?[0-9]+;)? sm [^ ]+;$' games.epd &&
    fail "a line of EPD is malformed"
# A filter leaves out matches, as tabia tune does; --runs takes what it names.
cp whole.db mixed.db
"$maker" gauntlet --a builtin --b zero --games 4 --nodes 60 --db mixed.db --quiet >out || fail 'a match'
expect 0 '' export mixed.db mixed.epd --format epd --filter tune
"$tabia" db export whole.db - --format epd --filter tune | cmp -s - mixed.epd || fail 'a filtered export with a match'
for runs in 1:12 2:4 1-2:16; do
    expect 0 '' export mixed.db runs.pgn --runs ${runs%:*} --force
    [ "$(grep -c '^\[Event ' runs.pgn)" = ${runs#*:} ] || fail "--runs ${runs%:*}"
done
expect 0 '' export mixed.db match.epd --runs 2 --filter tune
grep -q . match.epd || fail 'no position of a match that --runs names'
expect 3 'mixed.db has no run of --runs' export mixed.db none.pgn --runs 3-9
expect 2 '"2-1" is not A-B' export mixed.db none.pgn --runs 2-1
expect 3 '/dev/stdin' import none.db - --format pgn
# An export to standard output that is interrupted has written something.
play long.db 0 400
{ timeout --signal=INT 1 "$tabia" db export long.db - 2>err; echo $? >code; } | { sleep 2; cat; } >out
[ "$(cat code)" = 124 ] && grep -q 'interrupted$' err && [ -s out ] || fail "interrupted: $(cat code err)"
expect 2 'pgn, epd' export whole.db games.xyz --format xyz
expect 2 'files are not written in gzip' export whole.db games.plain.gz
[ -e games.xyz ] && fail "an unknown format made a file"
expect 1 'no/such/dir' export whole.db no/such/dir/games.pgn
if [ -w /dev/full ]; then
    "$tabia" db export whole.db - >/dev/full 2>err && fail "an export to a full device succeeds"
fi
ls | grep -F '.new-' && fail "temporary files are left"

# Bad input: the documented exit code, one line of error, nothing changed
echo 'this is no database, but a text of more than one hundred and eight bytes, as is needed to look like one' >text.db
cp text.db text.copy
cp whole.db newer.db && printf '\0\0\0\143' | dd of=newer.db bs=1 seek=60 conv=notrunc status=none
cp newer.db newer.copy
cp whole.db foreign.db && printf '\1\2\3\4' | dd of=foreign.db bs=1 seek=68 conv=notrunc status=none
cp foreign.db foreign.copy
cp whole.db cut.db && truncate -s -4096 cut.db
for verb in info check digest materialize; do
    expect 3 'absent.db: no such file' $verb absent.db
    expect 4 'not a SQLite database' $verb text.db
    expect 4 'made by a newer Tabia' $verb newer.db
    expect 4 'another program' $verb foreign.db
done
expect 4 'not a SQLite database' merge text.db whole.db
printf '[Event "x"]\n\n1. e4 *\n' >game.pgn
expect 4 'not a SQLite database; of games tabia db import makes one' info game.pgn
expect 4 'made by a newer Tabia' merge whole.db newer.db
expect 3 'absent.db: no such file' merge whole.db absent.db
cp left.db twice.db && expect 0 '' merge twice.db right.db right.db
[ "$("$tabia" db digest twice.db)" = "$("$tabia" db digest new.db)" ] || fail "a source that is named twice"
expect 3 'itself' merge whole.db ./whole.db
"$tabia" db check cut.db --quiet >out 2>err && fail "a cut file passes the check"
[ -e absent.db ] && fail "absent.db was made"
cmp text.db text.copy && cmp newer.db newer.copy && cmp foreign.db foreign.copy || fail "a file was changed"
expect 2 'unknown option --out (see tabia help db digest)' digest whole.db --out x
expect 2 'tabia db check FILE' check
expect 2 'tabia db digest FILE' digest whole.db right.db
expect 2 'did you mean digest' digets whole.db
expect 2 'missing verb' --quiet
expect 0 '' digest whole.db
[ "$(cat out)" = "$whole" ] || fail "bad input changed the database"
ls | grep -E -- '-(wal|shm|journal)$' && fail "SQLite's temporary files are left"

# Altered games are found
if command -v sqlite3 >/dev/null; then
    cp whole.db altered.db
    sqlite3 altered.db 'UPDATE games SET result = 2 - result WHERE result <> 1'
    expect 1 'does not end' check altered.db
    cp whole.db altered.db
    sqlite3 altered.db 'UPDATE positions SET score = score + 1 WHERE game_id = 3 AND ply = 2'
    expect 1 'ply 2' check altered.db
    cp left.db altered.db
    sqlite3 altered.db 'UPDATE games SET moves = zeroblob(length(moves)) WHERE game_no = 6'
    expect 1 'not deterministic' merge altered.db right.db
    expect 1 'is not legal' check altered.db
    # What is wrong with the file comes before what is wrong with a game, at any number of threads.
    sqlite3 altered.db 'UPDATE runs SET seed = seed + 1'
    for threads in 1 3; do expect 1 'was altered' check altered.db --threads $threads; done
fi

finish
