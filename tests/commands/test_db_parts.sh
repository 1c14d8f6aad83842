#!/bin/bash
# SPDX-License-Identifier: MIT
# Parts of databases: split, sample and dedup, whose parts merge to the whole; info by run and generation; shuffle; new
# scores of the games.
#   test_db_parts.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
cd "$tmp" || exit 1

db() { "$tabia" db "$@" --quiet >out 2>err; }
must() { db "$@" || fail "db $*: exit code $?: $(cat err)"; }
refuses() { outcome "$1" "$2" "$tabia" db "${@:3}" --quiet; }
count() { "$tabia" db sql "$1" 'SELECT count(*) FROM games'; }
digest() { "$tabia" db digest "$1"; }
play() { "$maker" selfplay --db "$1" --seed "$2" --games "$3" --nodes 40 --quiet "${@:4}" >/dev/null || fail "selfplay"; }

play all.db 5 60
play all.db 6 20 --compact
whole=$(digest all.db)

# Split: each game is in one part, a repeated split is equal, and more games do not move the earlier ones.
must split all.db train.db test.db --fractions .8,.2
n=$(count test.db)
[ "$n" -ge 6 ] && [ "$n" -le 28 ] || fail "a fifth of 80 games is $n"
[ $(($(count train.db) + n)) = 80 ] || fail "the parts are not 80 games"
must merge joined.db test.db train.db
[ "$(digest joined.db)" = "$whole" ] || fail "the parts joined are not the whole"
for part in train test joined; do must check $part.db; done
[ "$("$tabia" db sql train.db 'SELECT count(DISTINCT game_id) FROM positions')" -gt 30 ] || fail "positions are missing"
must split all.db train2.db test2.db --fractions 4,1 --json
python3 -c 'import json; p = json.load(open("out"))["parts"]; assert [x["file"] for x in p] == ["train2.db", "test2.db"] and p[0]["games"] + p[1]["games"] == 80, p' ||
    fail "split --json"
[ "$(digest test2.db)" = "$(digest test.db)" ] || fail "split again differs"
"$tabia" db export all.db twice.pgn --quiet >out && cat twice.pgn twice.pgn >two.pgn && "$tabia" db import two.db two.pgn --quiet >out ||
    fail "games twice: $(cat err)"
must split two.db half.db half2.db --games 81 # copies stay together
moves() { "$tabia" db sql "$1" 'SELECT DISTINCT hex(moves) || start_fen FROM games' | sort; }
[ -z "$(comm -12 <(moves half.db) <(moves half2.db))" ] && [ "$(count half.db)" = 82 ] || fail "copies in two parts: $(count half.db)"
refuses 2 'games needs whole numbers; shares are --fractions' split all.db x.db y.db --games .9,.1
cp all.db more.db
play more.db 7 30
must split more.db train3.db test3.db --fractions .8,.2
"$tabia" db sql test.db "SELECT uuid, game_no FROM games JOIN runs USING (run_id)" | sort >then
"$tabia" db sql test3.db "SELECT uuid, game_no FROM games JOIN runs USING (run_id)" | sort >now
[ -z "$(comm -23 then now)" ] || fail "more games moved earlier ones to the other part"
must split all.db a.db b.db c.db
[ $(($(count a.db) + $(count b.db) + $(count c.db))) = 80 ] || fail "three parts"
(ulimit -n 32 && db split all.db p{1..16}.db) || fail "more parts than descriptors: $(cat err)"
must split all.db ten.db rest.db --games 10
[ "$(count ten.db) $(count rest.db)" = "10 70" ] || fail "--games 10: $(count ten.db) $(count rest.db)"
must split all.db five.db six.db --games 5,6
[ "$(count five.db) $(count six.db)" = "5 6" ] || fail "--games 5,6"

# Sample
must sample all.db s1.db --games 12
must sample all.db s2.db --games 12
must sample all.db s3.db --games 12 --seed 2
[ "$(count s1.db)" = 12 ] || fail "sample: $(count s1.db) games"
[ "$(digest s1.db)" = "$(digest s2.db)" ] || fail "a sample is not reproducible"
[ "$(digest s1.db)" != "$(digest s3.db)" ] || fail "another seed gives the same sample"
must sample all.db s4.db --positions 500
plies=$("$tabia" db sql s4.db 'SELECT sum(ply_count) FROM games')
[ "$plies" -ge 500 ] && [ "$plies" -lt 1000 ] || fail "sample --positions 500 gives $plies"
must sample all.db s5.db --games 1000
[ "$(digest s5.db)" = "$whole" ] || fail "a sample of everything"

# A temporary file left by a killed process of the same number is not used.
(cp all.db "left.db.new-$BASHPID" && exec "$tabia" db sample all.db left.db --games 3 --quiet) >out 2>err || fail "sample: $(cat err)"
[ "$(count left.db)" = 3 ] || fail "sample --games 3 over a leftover: $(count left.db) games"

# Dedup
must dedup all.db --report
grep -q '80 games, 0 played before, ' out || fail "dedup --report: $(cat out)"
if command -v sqlite3 >/dev/null; then
    cp all.db twice.db
    columns='opening_no, start_fen, result, reason, white, black, nodes, ply_count, moves'
    sqlite3 twice.db "INSERT INTO games (run_id, game_no, $columns) SELECT run_id, game_no + 1000, $columns FROM games WHERE game_id <= 7;
        UPDATE games SET result = 2 - result WHERE game_no = 1000 AND result <> 1;
        UPDATE games SET result = 1 WHERE game_no = 1000 AND result = 1"
    must dedup twice.db --report --json
    python3 - <<'PY' || fail "dedup --report --json: $(cat out)"
import json
d = json.load(open("out"))
assert d["games"] == 87 and d["duplicate_games"] == 7 and d["contradicting_games"] <= 1, d
assert d["different_positions"] < d["positions"], d
PY
    must dedup twice.db once.db
    [ "$(digest once.db)" = "$whole" ] || fail "dedup differs from the database before the copies"
fi

# Info by generation
if command -v sqlite3 >/dev/null; then
    cp all.db learned.db
    sqlite3 learned.db 'UPDATE runs SET generation = run_id'
    must info learned.db
    grep -q '^  gen ' out && grep -q '^  run ' out || fail "info has no generations: $(cat out)"
    must info learned.db --json
    python3 - <<'PY' || fail "info --json"
import json
info = json.load(open("out"))
runs, generations = info["runs"], info["generations"]
assert [g["generation"] for g in generations] == [1, 2], generations
for g, r in zip(generations, runs):
    assert all(g[k] == r[k] for k in ("games", "plies", "openings", "lengths", "phases", "filter", "scores")), (g, r)
for key in ("games", "plies", "wins", "draws", "losses"):
    assert info[key] == sum(r[key] for r in runs), key
assert info["games"] == 80 and info["openings"] <= 80 and sum(info["phases"].values()) == info["plies"], info
json.dump(info, open("info.json", "w"))
PY
    # What tune takes by default is what the filter of exports takes. The card has the facts of info.
    must export all.db taken.plain --filter tune
    [ "$(grep -c '^e$' taken.plain)" = "$(python3 -c 'import json; print(json.load(open("info.json"))["filter"]["taken"])')" ] ||
        fail "positions taken by the filter: $(cat info.json)"
    sqlite3 learned.db "UPDATE runs SET label = 'a|b' WHERE run_id = 1"
    must card learned.db
    mv out card.md
    must card learned.db --json
    python3 - "$(digest learned.db)" "$("$tabia" db digest learned.db --moves)" <<'PY' || fail "card"
import json, re, sys
card, info, page = json.load(open("out")), json.load(open("info.json")), open("card.md").read()
assert [card["digest"], card["digest_moves"]] == sys.argv[1:], card
assert all(digest in page for digest in sys.argv[1:])
assert all(json.loads(r.pop("config"))["nodes_soft"] == 40 for r in card["runs"]), card
card["runs"][0]["label"] = info["runs"][0]["label"]
assert {k: v for k, v in card.items() if k not in ("digest", "digest_moves")} == info, (card, info)
assert page.startswith("# learned.db\n") and page.count("```json\n{") == 1 and "a\\|b" in page and info["runs"][0]["weights_a"] in page, page
cells = dict(re.findall(r"^\| (.+?) \| (\d+) \|", page, re.M))
for key in ("reasons", "lengths", "phases", "filter", "scores"):
    assert all(cells[name] == str(n) for name, n in info[key].items()), (key, cells)
assert cells["games"] == "80" and cells["1-0"] == str(info["wins"]), cells
PY
fi

# Different settings
"$maker" selfplay --db other.db --seed 5 --games 4 --nodes 41 --quiet >/dev/null || fail "selfplay"
before=$(digest all.db)
refuses 1 'nodes_soft 41 instead of 40' merge all.db other.db
refuses 1 '--mixed' merge all.db other.db
[ "$(digest all.db)" = "$before" ] || fail "a refused merge changed something"
cp all.db mixed.db
must merge mixed.db other.db --mixed
[ "$(count mixed.db)" = 84 ] || fail "--mixed"

long=$(printf '%0248d' 0)
refuses 3 'the name is too long' merge $long all.db
[ ! -e $long ] || fail 'merge into a name that is too long leaves a file'

# Vacuum
if command -v sqlite3 >/dev/null; then
    cp all.db holes.db
    sqlite3 holes.db 'DELETE FROM positions'
    size=$(stat -c %s holes.db)
    must vacuum holes.db
    [ "$(stat -c %s holes.db)" -lt "$size" ] || fail "vacuum freed nothing"
    [ "$(digest holes.db)" = "$whole" ] || fail "vacuum changed games"
fi
# The size before counts what a killed writer left in the log.
cp all.db log.db
python3 - <<'PY'
import os, sqlite3
db = sqlite3.connect("log.db")
columns = ", ".join(row[1] for row in db.execute("PRAGMA table_info(games)") if row[1] not in ("game_id", "game_no"))
for _ in range(5):
    db.execute(f"INSERT INTO games (game_no, {columns}) SELECT (SELECT max(game_no) FROM games) + game_id, {columns} FROM games")
db.commit()
os._exit(0)
PY
[ -s log.db-wal ] || fail 'no log is left'
must vacuum log.db --json
python3 -c 'import json; r = json.load(open("out")); assert r["bytes_before"] >= r["bytes"], r' || fail 'vacuum: the log is not counted'
must upgrade all.db

# Shuffle: the same positions in another order, which depends on the seed alone.
for format in epd plain bullet; do
    must export all.db all.$format
    must shuffle all.$format one.$format --seed 1
    must shuffle all.$format two.$format --seed 2
    "$tabia" db shuffle all.$format /dev/stdout --seed 1 --quiet >named && cmp -s named one.$format || fail "$format to /dev/stdout"
    must shuffle all.$format again.$format.zst --seed 1
    zstd -dcq again.$format.zst | cmp -s - one.$format || fail "$format: shuffled again differs"
    cmp -s one.$format two.$format && fail "$format: another seed gives the same order"
done
must export all.db all.epd.zst
must shuffle all.epd.zst one.zst.epd --seed 1
cmp -s one.epd one.zst.epd || fail "a compressed file gives another order"
cmp -s all.epd one.epd && fail "nothing was shuffled"
{ printf 'P*M\030\004\000\000\000skip' && cat all.epd.zst; } >skipped.epd.zst # a skippable frame first, as pzstd writes it
must shuffle skipped.epd.zst two.zst.epd --seed 1
cmp -s one.epd two.zst.epd || fail "a skippable frame changes what is read"
(ulimit -S -n 64 && db shuffle all.epd few.epd --seed 1 && cmp -s one.epd few.epd) || fail "few descriptors"
sort all.epd | cmp -s - <(sort one.epd) || fail "epd: other lines"
python3 - <<'PY' || fail "records were split"
blocks = [sorted(open(f).read().split("e\n")) for f in ("all.plain", "one.plain")]
assert blocks[0] == blocks[1] and len(blocks[0]) > 5000
data = [open(f, "rb").read() for f in ("all.bullet", "one.bullet")]
records = [sorted(d[i:i + 32] for i in range(0, len(d), 32)) for d in data]
assert records[0] == records[1]
lines = {}
for n, line in enumerate(open("all.epd")):
    lines.setdefault(line, n)
order = [lines[line] for line in open("one.epd")]
n = len(order)
# Neighbours are a third of the file apart on average, and the old order leaves no trace.
apart = sum(abs(a - b) for a, b in zip(order, order[1:])) / n / n
early = sum(order[: n // 4]) / (n // 4) / n
assert 0.31 < apart < 0.36 and 0.45 < early < 0.55, (apart, early)
PY
printf 'a\nb' >two.lines.epd
must shuffle two.lines.epd three.lines.epd
sort three.lines.epd | cmp -s - <(printf 'a\nb\n') || fail "a last line without its end"
printf '\xef\xbb\xbf# about it\n\na\r\n\r\n#\n  # more\n \nb\n' >remarks.epd
must shuffle remarks.epd lines.only.epd
grep -q '\b2\b' out || fail 'a comment is counted as a position'
sort lines.only.epd | cmp -s - <(printf 'a\r\nb\n') || fail 'comments are shuffled'
: >empty.epd
must shuffle empty.epd still.epd
[ -s still.epd ] && fail "an empty file gives output"
head -c 100 all.bullet >torn.bullet
refuses 3 'ends within a position' shuffle torn.bullet x.bullet
yes 'move e2e4' | head -c 300K >endless.plain
refuses 3 'endless.plain, byte 0: no position ends within 64 KiB' shuffle endless.plain x.plain
head -c 300K /dev/zero | tr '\0' a >endless.epd
refuses 3 'endless.epd, byte 0: no position ends within 64 KiB' shuffle endless.epd x.epd
TMPDIR=absent refuses 1 'absent/tabia' shuffle all.epd /dev/null # nothing is made beside a device
{ printf '\xef\xbb\xbf\n' && cat all.plain && printf '\n\r\n'; } >blanks.plain
must shuffle blanks.plain no.blanks.plain --seed 1
cmp -s one.plain no.blanks.plain || fail "plain: blank lines or the mark are kept"
head -c $(($(stat -c %s all.plain) - 5)) all.plain >torn.plain # without its end, and within a line
refuses 3 'ends within a position' shuffle torn.plain x.plain
head -c -1 all.plain >whole.plain # without the last newline alone
must shuffle whole.plain one.more.plain --seed 1
cmp -s one.plain one.more.plain || fail "plain: a last line without its end"
refuses 2 'only positions can be shuffled' shuffle all.db x.db
refuses 3 'absent.epd' shuffle absent.epd x.epd
refuses 2 'x.plain: shuffled positions keep their format, which is not plain' shuffle all.epd x.plain
refuses 2 'x.pgn: shuffled positions keep their format' shuffle all.bullet x.pgn
refuses 2 'one.epd exists already; name a new file, or replace it by --force' shuffle all.epd one.epd
must shuffle all.epd one.epd --force --seed 2
cmp -s one.epd two.epd || fail "shuffle --force"
refuses 1 'no/such' shuffle all.epd no/such/x.epd
ls | grep -E '^x\.|shuffle-' && fail "temporary files are left"

# Rescore: with the weights and nodes of self-play the scores are those of play; the same at any number of threads, and
# after a kill; of an engine, too, where each position gets a score.
must rescore all.db same.db --weights builtin --nodes 40
[ "$(moves same.db)" = "$(moves all.db)" ] || fail "rescore: other scores than in play"
must rescore all.db one.db --weights material --nodes 60 --threads 1
must check one.db
"$tabia" db rescore all.db two_threads.db --weights material --nodes 60 --threads 2 --quiet >out 2>err &
wait_until $! eval '[ "$("$tabia" db sql two_threads.db "SELECT count(*) FROM games" 2>/dev/null || echo 0)" -gt 0 ]'
kill -9 $! && wait $! 2>/dev/null
must rescore all.db two_threads.db --weights material --nodes 60 --threads 2 --json
grep -q '"games": 80, "resumed": [1-9]' out || fail "rescore: nothing resumed: $(cat out)"
[ "$(digest two_threads.db)" = "$(digest one.db)" ] && [ "$(digest one.db)" != "$whole" ] || fail "rescore: another digest"
[ "$("$tabia" db sql one.db "SELECT DISTINCT config ->> '$.rescored_digest' FROM runs")" = "$whole" ] || fail "rescore: provenance"
stockfish=$(PATH=$PATH:/usr/games command -v stockfish)
must rescore test.db engine.db --engine "cmd=${stockfish:-$build/fake_engine},nodes=50" --threads 2
[ "$("$tabia" db sql engine.db 'SELECT count(*) FROM games JOIN tabia_positions USING (game_id) WHERE score IS NULL')" = 0 ] &&
    [ "$(count engine.db)" = "$(count test.db)" ] || fail "rescore: positions without a score"
refuses 2 'one.db holds these games with other scores (nodes_soft 61 instead of 60)' rescore all.db one.db --weights material --nodes 61
refuses 2 'other scores (rescored_digest' rescore more.db one.db --weights material --nodes 60
refuses 2 'FILE and OUT are the same' rescore all.db ./all.db --weights zero
refuses 2 'rescore needs --weights W or --engine' rescore all.db x.db
refuses 2 'has a limit of its own' rescore all.db x.db --engine weights=zero,nodes=5 --nodes 6
refuses 2 'positions have no clock' rescore all.db x.db --engine weights=zero,tc=5
refuses 3 'x.h' rescore all.db x.db --weights x.h
refuses 3 'absent.db' rescore absent.db x.db --weights zero
refuses 5 'all.db: run 1: game 0, ply 0: fake_engine: was killed' rescore all.db crashed.db --engine "cmd=$build/fake_engine,args=crash,nodes=5" --threads 1

# Refusals
refuses 2 'exists' split all.db train.db new.db
refuses 2 'exists' split all.db x.db train.db --json
[ ! -e x.db ] && [ ! -s out ] || fail "a refused split wrote a part, or printed $(cat out)"
refuses 2 'exists' sample all.db train.db --games 3
refuses 2 'needs one number' split all.db x.db y.db --fractions .9,.1,.5
refuses 2 'needs one number' split all.db x.db y.db --fractions .9,-1
refuses 2 'needs one number' split all.db x.db y.db --fractions nine,one
refuses 2 'the numbers are too large' split all.db x.db y.db --fractions 1e308,1e308
refuses 2 'x.db: named twice' split absent.db x.db y.db ./x.db
refuses 2 '1 numbers for 2 parts' split all.db x.db y.db --fractions .9
refuses 2 '1 numbers for 3 parts' split all.db x.db y.db z.db --games 9
refuses 2 'sample needs' sample all.db x.db
refuses 2 '--games does not go with --positions' sample all.db x.db --games 4 --positions 4
refuses 2 'dedup needs' dedup all.db
refuses 2 'dedup needs' dedup all.db x.db --report
refuses 3 'absent.db' split absent.db x.db y.db
refuses 4 'no/such' sample all.db no/such/x.db --games 4
[ -e x.db ] && fail "a refused part was written"
ls | grep -E 'new-|-(wal|shm|journal)$' && fail "temporary files are left"

refuses 2 '--games needs a whole number' sample all.db some.db --games 2.5
refuses 2 '--games needs a whole number' sample all.db some.db --games 5,6
finish
