#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia gauntlet: equal weights, better weights, resumption, openings, PGN checked by pgn-extract.
#   test_gauntlet.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
PATH=$PATH:/usr/games

# match ARGS…: prints one JSON object; exit code 0 ($code); --nodes 200 ($limits).
match() {
    # shellcheck disable=SC2086
    "$tabia" gauntlet --quiet --json ${limits---nodes 200} --seed 3 "$@" 2>"$tmp/err"
    local got=$?
    [ $got = "${code:-0}" ] || fail "gauntlet $*: exit code $got: $(cat "$tmp/err")"
}

# has TEXT PART
has() {
    grep -qF -- "$2" <<<"$1" || fail "no $2 in $1"
}

# legal FILE GAMES: pgn-extract reads that many games without an error.
legal() {
    command -v pgn-extract >/dev/null || { echo "note: no pgn-extract: $1 not judged" && return; }
    pgn-extract -s -o "$tmp/judged.pgn" "$1" 2>"$tmp/judge"
    [ -s "$tmp/judge" ] && fail "pgn-extract: $(head -3 "$tmp/judge")"
    [ "$(grep -c '^\[Result ' "$tmp/judged.pgn")" = "$2" ] || fail "pgn-extract: not $2 games in $1"
}

same=$(match --a material --b material --games 20)
has "$same" '"ptnml": [0, 0, 10, 0, 0], "score": 0.5, "draw_ratio": '
has "$same" '"pair_ratio": null, "elo": 0, "elo95": 110.7915065, "elo_low": -110.7915065, "elo_high": 110.7915065, "elo_interval": "likelihood", '
grep -qi nan <<<"$same" && fail "NaN: $same"

has "$same" '"repeated_games": 10}'

# An engine that ignores its limit is named after ten pairs, and so is a book of too few openings.
fake=cmd=$build/fake_engine
"$tabia" gauntlet --engine "name=x,$fake,nodes=100" --engine "name=y,$fake,nodes=200" --games 20 --max-plies 20 >"$tmp/out" 2>"$tmp/err" ||
    fail "players that play alike: $(cat "$tmp/err")"
grep -q '^warning: x, y: 10 of 20 games repeat another one, with its opening and moves; ' "$tmp/err" &&
    grep -q '^x, y: 10 of 20 games repeat' "$tmp/out" || fail "players that play alike: $(cat "$tmp/err" "$tmp/out")"
echo 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -' >"$tmp/one.epd"
"$tabia" gauntlet --engine "name=x,$fake,nodes=100" --engine weights=zero,nodes=20 --openings "$tmp/one.epd" --games 14 --max-plies 20 \
    >"$tmp/out" 2>"$tmp/err" || fail "one opening: $(cat "$tmp/err")"
[ "$(grep -c '^warning: x, zero: 10 of 12 games repeat' "$tmp/err")" = 1 ] && grep -q '^x, zero: 12 of 14' "$tmp/out" ||
    fail "one opening: $(cat "$tmp/err" "$tmp/out")"

better=$(match --a material --b zero --games 20 --pgn "$tmp/better.pgn")
has "$better" '"a": "material", "b": "zero", "games": 20, '
grep -q '"repeated_games": [0-4]}' <<<"$better" || fail "engines that differ: $better"
[ "$(sed -n 's/.*"wins": \([0-9]*\).*/\1/p' <<<"$better")" -ge 15 ] || fail "material hardly wins: $better"
legal "$tmp/better.pgn" 20
[ "$(grep -cE '\{[+-](M?[0-9]+|[0-9]+\.[0-9]{2})/[0-9]+ [0-9]+\.[0-9]{3}s\}' "$tmp/better.pgn")" -ge 100 ] ||
    fail "no scores, depths and times in $tmp/better.pgn"
[ "$(grep -c '^\[TimeControl "-"\]' "$tmp/better.pgn")" = 20 ] || fail "no time control in $tmp/better.pgn"
[ "$(find "$tmp" -name 'better.pgn*' | wc -l)" = 1 ] || fail "a temporary file is left"
grep -q '#' "$tmp/better.pgn" || fail "no mate in $tmp/better.pgn"

# A few hundred games with all kinds of endings, without adjudication, some of them random.
many=$("$tabia" gauntlet --quiet --json --a material --b zero --depth 1 --games 300 --seed 4 \
    --adjudicate-win none --adjudicate-draw none --max-plies 250 --pgn "$tmp/many.pgn") || fail "many: $?"
has "$many" '"games": 300,'
legal "$tmp/many.pgn" 300

# One-sided adjudication ends games earlier: fewer plies.
short=$(match --a material --b zero --games 10 --adjudicate-win score=500,plies=2,sides=one --db "$tmp/short.db") &&
    long=$(match --a material --b zero --games 10 --adjudicate-win score=500,plies=8,sides=two --db "$tmp/short.db")
has "$short$long" '"games": 10,'
plies=$("$tabia" db sql "$tmp/short.db" "SELECT group_concat(plies, ' < ') FROM (SELECT sum(ply_count) AS plies FROM games
    JOIN runs USING (run_id) GROUP BY run_id ORDER BY json_extract(config, '\$.win_one_sided') IS NULL)")
((${plies/</ < })) || fail "plies: $plies"

# A match in two parts, and with other thread counts, is the same match.
strip() { sed 's/"resumed".*//' <<<"$1"; }
match --a material --b zero --games 8 --db "$tmp/m.db" >/dev/null
parts=$(match --a material --b zero --games 20 --db "$tmp/m.db" --threads 1 --pgn "$tmp/parts.pgn")
has "$parts" '"resumed": 8,'
[ "$(strip "$parts")" = "$(strip "$better")" ] || fail "in parts: $parts, not $better"
untimed() { sed -E 's/ [0-9]+\.[0-9]{3}s\}/}/g; /^\[(GameDuration|Date)/d' "$1" | tr '\n' ' '; }
[ "$(untimed "$tmp/better.pgn")" = "$(untimed "$tmp/parts.pgn")" ] || fail "the PGN of a match in parts differs"

# Names are not part of a match: its games are not written again.
match --engine name=new,weights=material --engine weights=zero --games 20 --db "$tmp/m.db" --pgn "$tmp/parts.pgn" >/dev/null
legal "$tmp/parts.pgn" 20
printf '\0\0' >"$tmp/zero.pgn"
outcome 2 "zero.pgn is no PGN file" "$tabia" gauntlet --nodes 20 --a material --b zero --games 2 --pgn "$tmp/zero.pgn"
cp "$tmp/parts.pgn" "$tmp/plain.pgn.zst"
gzip -c "$tmp/parts.pgn" >"$tmp/packed.pgn"
for file in plain.pgn.zst packed.pgn; do
    before=$(sha256sum <"$tmp/$file")
    outcome 2 "$file: its name does not say how it is compressed" \
        "$tabia" gauntlet --nodes 20 --a material --b zero --games 2 --pgn "$tmp/$file"
    [ "$before" = "$(sha256sum <"$tmp/$file")" ] || fail "$file is changed"
done
# An empty line divides games from those of another program, also where it ended within a line.
for end in '' '\n' '\n\n' '\r\n' '\r\n\r\n'; do
    printf "[Event \"old\"]\n\n1. e4 1-0$end" >"$tmp/other.pgn"
    match --a material --b zero --games 2 --max-plies 4 --pgn "$tmp/other.pgn" >/dev/null
    tr -d '\r' <"$tmp/other.pgn" | awk '/^\[Event "Tabia/ && before != "" { exit 1 } before == "" && $0 == "" { exit 1 } { before = $0 }' ||
        fail "empty lines behind '$end': $(head -8 "$tmp/other.pgn")"
done
# The ending of a book's name may be of any case.
cp "$tmp/parts.pgn" "$tmp/BOOK.PGN"
match --a material --b zero --games 2 --openings "$tmp/BOOK.PGN" --opening-plies 2 >/dev/null

# An engine has three descriptors, whatever Tabia or its caller has open.
printf '#!/bin/sh\nls /proc/self/fd >>%s\nexec %s\n' "$tmp/fds" "$build/tabia-engine" >"$tmp/fds.sh" && chmod +x "$tmp/fds.sh"
match --engine weights=zero --engine "cmd=$tmp/fds.sh,nodes=20,restart=yes,name=x" --games 4 --db "$tmp/fds.db" --pgn "$tmp/fds.pgn" \
    --epd "$tmp/fds.epd" >/dev/null 8<"$source/README.md"
[ "$(sort -un "$tmp/fds" | tr '\n' ' ')" = '0 1 2 3 ' ] || fail "descriptors of an engine: $(sort -un "$tmp/fds")" # 3: of ls

# The sequential test stops at the same pair.
one=$(match --a material --b zero --games 400 --sprt elo0=0,elo1=50 --threads 1)
two=$(match --a material --b zero --games 400 --sprt elo0=0,elo1=50 --threads 2)
has "$one" '"decision": "H1"'
[ "$(strip "$one")" = "$(strip "$two")" ] || fail "sequential test: $one, $two"

# Players with their own limits.
own=$(limits="" match --engine name=deep,weights=material,nodes=1000 --engine name=quick,weights=material,depth=1 --games 10)
has "$own" '"a": "deep", "b": "quick"'

# External engines: ours as a process, and one that crashes.
external=$(limits="" match --engine weights=material,depth=1 \
    --engine "name=outside,cmd=$build/tabia-engine,nodes=50,option.Hash=1" \
    --games 6 --db "$tmp/external.db" --pgn "$tmp/external.pgn")
has "$external" '"a": "material", "b": "outside", "games": 6,'
legal "$tmp/external.pgn" 6
names=$("$tabia" db sql "$tmp/external.db" "SELECT name, config ->> '\$.id_name' FROM players WHERE player_no = 1")
[[ $names = 'outside|Tabia '* ]] || fail "what a program calls itself: $names"
cat >"$tmp/crash" <<'END'
#!/bin/sh
while read -r line; do
    case $line in uci) echo uciok ;; isready) echo readyok ;; go*) exit 1 ;; esac
done
END
chmod +x "$tmp/crash"
crash=$(code=5 match --engine weights=material --engine "cmd=$tmp/crash,stall=5s" --games 4 --pgn "$tmp/crash.pgn")
has "$crash" '"wins": 4, "draws": 0, "losses": 0,'
[ "$(grep -c 'Termination "abandoned"' "$tmp/crash.pgn")" = 4 ] || fail "crashes are not noted"

printf '%s\n' 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' '' '# a comment' \
    'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 hmvc 0; fmvn 2;' >"$tmp/book.epd"
match --a material --b zero --games 4 --openings "$tmp/book.epd" --order sequential \
    --pgn "$tmp/book.pgn" >/dev/null
[ "$(grep -c '^\[FEN "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"\]' "$tmp/book.pgn")" = 2 ] ||
    fail "the book's second position was not played twice"
legal "$tmp/book.pgn" 4
# A cut game of this event is replaced, whatever its name and length.
for plies in 1 12000; do
    { printf '[Event "my \\"x\\" test"]\n[White "a"]\n\n'; yes '1. Nf3 {+0.30/14 0.523s, n=12345}' | head -n $plies; printf '1. e4 {+0.3'; } >"$tmp/cut.pgn"
    match --a material --b zero --games 2 --event 'my "x" test' --pgn "$tmp/cut.pgn" >/dev/null
    [ "$(grep -c '^\[Event "my ..x.. test"\]' "$tmp/cut.pgn")" = 2 ] || fail "a cut game of $plies plies stays"
done
legal "$tmp/cut.pgn" 2
# Cut anywhere in its first line, too.
twice() { match --a material --b zero --games 2 --event e --db "$tmp/torn.db" --pgn "$tmp/torn.pgn" >/dev/null; }
twice
cp "$tmp/torn.pgn" "$tmp/whole.pgn"
second=$(grep -bo '^\[Event' "$tmp/whole.pgn" | sed -n '2s/:.*//p')
for bytes in $(seq 12); do
    head -c $((second + bytes)) "$tmp/whole.pgn" >"$tmp/torn.pgn"
    twice
    cmp -s "$tmp/torn.pgn" "$tmp/whole.pgn" || fail "cut after $bytes bytes of the first line: $(grep -n Event "$tmp/torn.pgn")"
done
# A file that another match adds to
"$tabia" gauntlet --a zero --b zero --games 1000000 --nodes 2000 --pgn "$tmp/taken.pgn" --epd "$tmp/taken.epd" --threads 1 --quiet >/dev/null 2>&1 &
other=$!
wait_until $other [ -s "$tmp/taken.pgn" ]
for kind in pgn epd; do
    code=1 match --a zero --b zero --games 2 --$kind "$tmp/taken.$kind" >/dev/null 2>"$tmp/err"
    grep -q "taken.$kind: another process adds to it" "$tmp/err" || fail "two matches write one file: $(cat "$tmp/err")"
done
kill -9 $other
wait $other 2>/dev/null
match --a zero --b zero --games 2 --pgn "$tmp/taken.pgn" >/dev/null
match --a zero --b zero --games 2 --pgn "$tmp/twins.pgn" >/dev/null # the second one gets a name of its own
grep -q '^\[White "zero-2"\]' "$tmp/twins.pgn" && "$tabia" elo --pgn "$tmp/twins.pgn" >/dev/null || fail "players of one name: $(cat "$tmp/twins.pgn")"
if [ -r "$data/openings/FRC_openings.epd" ]; then # Chess960
    match --a material --b zero --games 20 --openings "$data/openings/FRC_openings.epd" \
        --pgn "$tmp/frc.pgn" >/dev/null
    legal "$tmp/frc.pgn" 20
fi
if [ -r "$data/openings/noob_3moves_20k.epd.zst" ]; then
    match --a material --b zero --games 4 --openings "$data/openings/noob_3moves_20k.epd.zst" >/dev/null
fi

# Many players: a killed tournament is resumed; every game is played once.
field=(--engine name=zero,weights=zero,nodes=100 --engine weights=material,nodes=100
    --engine name=few,weights=material,nodes=20 --engine "name=outside,cmd=$build/tabia-engine,nodes=50")
"$tabia" gauntlet --quiet "${field[@]}" --tournament roundrobin --rounds 20 --threads 2 --db "$tmp/field.db" >/dev/null 2>&1 &
for _ in $(seq 100); do
    sleep 0.05
    n=$("$tabia" db sql "$tmp/field.db" 'SELECT count(*) FROM games' 2>/dev/null)
    [ "${n:-0}" -ge 20 ] && break
done
kill -9 $! && wait $! 2>/dev/null
kept=$("$tabia" db sql "$tmp/field.db" 'SELECT count(*) FROM games') || fail "db sql: $?"
[ "$kept" -ge 20 ] && [ "$kept" -lt 240 ] || fail "$kept games are kept of a killed tournament"
field=$("$tabia" gauntlet --quiet --json "${field[@]}" --tournament roundrobin --rounds 20 --db "$tmp/field.db" \
    --pgn "$tmp/field.pgn") || fail "field: exit code $?"
has "$field" "\"done\": 240, \"total\": 240, \"resumed\": $kept,"
grep -qi nan <<<"$field" && fail "NaN: $field"
legal "$tmp/field.pgn" 240
sql=$("$tabia" db sql "$tmp/field.db" 'SELECT name, games FROM standings ORDER BY points LIMIT 1')
[ "$sql" = 'zero|120' ] || fail "standings: $sql"
grep -q 'program_sha256":"[0-9a-f]\{64\}"' <<<"$("$tabia" db sql "$tmp/field.db" 'SELECT config FROM players')" ||
    fail "no hash of the program"

# Games are appended as they end. A match that is killed again and again is resumed: each game is in the files once, also
# those that were over in the database only, and those that end before a move.
grow=(--each nodes=100 --engine weights=zero --engine "cmd=$build/tabia-engine" --engine "name=crash,cmd=$tmp/crash,stall=5s"
    --tournament roundrobin --rounds 10 --max-plies 60 --threads 2 --db "$tmp/grow.db" --pgn "$tmp/grow.pgn" --epd "$tmp/grow.epd")
enough() { [ "$(written)" -ge $least ]; }
written() { cat "$tmp/grow.pgn" 2>/dev/null | grep -c '^\[Result '; }
for least in 5 15 25; do
    "$tabia" gauntlet --quiet "${grow[@]}" >/dev/null 2>&1 &
    wait_until $! enough
    { kill -9 $! && wait $!; } 2>/dev/null
    [ "$(written)" -ge $least ] || fail "only $(written) games are written of a killed match"
done
printf '[Event "Tabia gauntlet"]\n[Result "1-0"]\n\n1. e4 {+0.1' >>"$tmp/grow.pgn" # as a kill may leave it
sed -i 1d "$tmp/grow.epd"
truncate -s -25 "$tmp/grow.epd"
"$tabia" gauntlet --quiet "${grow[@]}" >/dev/null 2>&1
[ $? = 5 ] || fail "a resumed match: exit code is not 5 for the engine that crashes"
[ "$(grep '^\[Round' "$tmp/grow.pgn" | sort -u | wc -l)" = 60 ] && legal "$tmp/grow.pgn" 60
[ "$(grep -c ' c9 ".*";$' "$tmp/grow.epd")" = "$(wc -l <"$tmp/grow.epd")" ] || fail "a torn line stays: $(grep -v c9 "$tmp/grow.epd")"
[ "$(wc -l <"$tmp/grow.epd")" = 60 ] || fail "$(wc -l <"$tmp/grow.epd") final positions of 60 games"
printf '8/8/8/8/8/8/k7/2K5 w - -' >"$tmp/own.epd" # no file of a match: its last line is whole
match --a zero --b zero --games 2 --epd "$tmp/own.epd" >/dev/null
[ "$(wc -l <"$tmp/own.epd")" = 3 ] || fail "a line of another file is lost: $(cat "$tmp/own.epd")"
cut=(--a zero --b material --games 2 --db "$tmp/tags.db" --pgn "$tmp/tags.pgn")
match "${cut[@]}" >/dev/null
tags=$(grep -abo '^\[' "$tmp/tags.pgn" | tail -4 | head -1)
truncate -s $((${tags%%:*} + 1)) "$tmp/tags.pgn" # after the [ of a tag
match "${cut[@]}" >/dev/null
[ "$(grep -c '^\[Event' "$tmp/tags.pgn")" = 2 ] || fail "a game cut in its tags: $(grep -c '^\[Event' "$tmp/tags.pgn") begins of 2 games"
cp "$tmp/grow.pgn" "$tmp/before.pgn"
"$tabia" gauntlet --quiet "${grow[@]}" >/dev/null 2>&1
cmp -s "$tmp/before.pgn" "$tmp/grow.pgn" || fail 'a finished match is written again'
# Another match follows in the same file; a compressed one has a frame for each.
for ending in '' .zst; do
    match --a material --b zero --games 4 --pgn "$tmp/two.pgn$ending" >/dev/null
    match --a material --b zero --games 2 --pgn "$tmp/two.pgn$ending" >/dev/null
done
zstd -dc "$tmp/two.pgn.zst" 2>/dev/null | untimed /dev/stdin >"$tmp/unpacked"
[ "$(untimed "$tmp/two.pgn")" = "$(cat "$tmp/unpacked")" ] && [ "$(grep -c '^\[Result' "$tmp/two.pgn")" = 6 ] ||
    fail "two matches in a file: $(grep -c '^\[Result' "$tmp/two.pgn") games"

# Players that a game cannot have, in a crafted database: no array is read beyond its end.
match --a material --b zero --games 4 --db "$tmp/players.db" >/dev/null
for lie in 'white = 50000000, reason = 9, result = 0' 'white = 1, black = 0' 'black = 0'; do
    cp "$tmp/players.db" "$tmp/lie.db"
    "$tabia" db sql --write "$tmp/lie.db" "PRAGMA foreign_keys = OFF; UPDATE games SET $lie WHERE game_no = 0" || fail "db sql: $?"
    outcome 4 'lie.db: game 0 of run 1 has players that it cannot have' "$tabia" gauntlet --quiet --nodes 200 --seed 3 \
        --a material --b zero --games 6 --db "$tmp/lie.db" --pgn "$tmp/lie.pgn"
done

# A match that was continued elsewhere: the figures of more games count, whatever was written last.
match --a builtin --b material --games 4 --db "$tmp/fewer.db" >/dev/null
cp "$tmp/fewer.db" "$tmp/more.db"
match --a builtin --b material --games 12 --db "$tmp/more.db" >/dev/null
"$tabia" db sql --write "$tmp/fewer.db" "UPDATE gauntlets SET updated = '2100-01-01T00:00:00Z'" || fail "db sql: $?"
"$tabia" db merge "$tmp/fewer.db" "$tmp/more.db" --quiet >/dev/null || fail "merge: $?"
[ "$("$tabia" db sql "$tmp/fewer.db" "SELECT json ->> 'games' FROM gauntlets")" = 12 ] || fail "merge: figures of fewer games"

# A key of a file that does not go with the command line is ignored.
printf '[gauntlet]\nseeds = 1\n' >"$tmp/seeds.ini"
match --config "$tmp/seeds.ini" --tournament roundrobin --engine weights=zero --engine weights=material --games 2 >/dev/null

# A comma in a value
match --engine 'name=a\,b,weights=zero' --engine weights=material --games 2 --max-plies 4 --pgn "$tmp/comma.pgn" >/dev/null
grep -qxF '[White "a,b"]' "$tmp/comma.pgn" || fail "a comma in a name: $(grep White "$tmp/comma.pgn")"

# Pairs from the initial position are known by their round.
match --a material --b zero --random-plies 0 --games 2 --db "$tmp/start.db" --pgn "$tmp/start.pgn" >/dev/null
"$tabia" db export "$tmp/start.db" "$tmp/exported.pgn" --quiet >/dev/null
for file in start exported; do
    [ "$(grep '^\[Round' "$tmp/$file.pgn" | tr -d '\n')" = '[Round "1.1"][Round "1.2"]' ] || fail "$file.pgn: rounds"
    "$tabia" elo --json --pgn "$tmp/$file.pgn" | grep -q '"pairs": 1,' || fail "$file.pgn: elo finds no pair"
done

# A gauntlet: the first two against all others; interim reports, a table at the end.
"$tabia" gauntlet --quiet --nodes 50 --engine weights=material --engine weights=zero --engine name=x,weights=zero,depth=1 \
    --engine name=y,weights=material,depth=1 --seeds 2 --games 4 --report-every 8 --anchor zero=1000 --json \
    >"$tmp/lines" 2>"$tmp/err" || fail "gauntlet: exit code $?: $(cat "$tmp/err")"
[ "$(wc -l <"$tmp/lines")" = 3 ] || fail "not three reports: $(cat "$tmp/lines")"
[ "$(grep -o '"a": "[a-z]*", "b"' "$tmp/lines" | wc -l)" = 15 ] || fail "not five pairings a report"
grep -q '"name": "zero", "rating": 1000, "rating95": 0,' "$tmp/lines" || fail "the anchor has no 1000"
"$tabia" gauntlet --quiet --nodes 200 --engine weights=material --engine weights=zero --engine name=x,weights=material \
    --games 4 >"$tmp/table" || fail "gauntlet: exit code $?"
grep -q '^   1  material' "$tmp/table" || fail "no table: $(cat "$tmp/table")"
grep -q '0-4-0\|1-2-1\|2-0-2' "$tmp/table" || fail "no crosstable: $(cat "$tmp/table")"

"$tabia" gauntlet --quiet --nodes 50 --a material --b zero --games 20 --white-advantage >"$tmp/white" ||
    fail "white advantage: exit code $?"
grep -qE "^White's advantage [+-][0-9.]+( ± [0-9.]+ Elo| Elo \(too few games for ±\))$" "$tmp/white" || fail "no advantage of White's: $(cat "$tmp/white")"
"$tabia" gauntlet --quiet --nodes 500 --a builtin --b zero --games 4 --white-advantage >"$tmp/white" ||
    fail "white advantage, all games won: exit code $?"
grep -q "^White's advantage .* Elo (too few games for ±), with one draw added" "$tmp/white" && ! grep -q 'ratings' "$tmp/white" ||
    fail "all games won: $(cat "$tmp/white")"

# Defaults for all players (--each); PGN fields and tags; final positions.
limits="" match --each "cmd=$1/tabia-engine,nodes=50,option.Hash=1" --engine name=x --engine name=y,tc=1+0.1,option.Hash=2 --games 2 \
    --pgn "$tmp/each.pgn" --pgn-fields nodes,timeleft --event 'The "event"' --site here --epd "$tmp/each.epd" \
    --db "$tmp/each.db" >/dev/null
grep -q '^\[Event "The \\"event\\""\]' "$tmp/each.pgn" && grep -q '^\[Site "here"\]' "$tmp/each.pgn" || fail "tags: $(cat "$tmp/each.pgn")"
grep -q 's, tl=[0-9.]*s, n=[0-9]*}' "$tmp/each.pgn" && grep -q 's, n=[0-9]*}' "$tmp/each.pgn" || fail "fields: $(cat "$tmp/each.pgn")"
grep -q "^\[Date \"$(date -u +%Y)" "$tmp/each.pgn" || fail "no date"
legal "$tmp/each.pgn" 2
[ "$(grep -cE '^[^ ]+ [wb] [^ ]+ [^ ]+ hmvc [0-9]+; fmvn [0-9]+; c9 "(1-0|0-1|1/2-1/2)";$' "$tmp/each.epd")" = 2 ] ||
    fail "final positions: $(cat "$tmp/each.epd")"
config=$("$tabia" db sql "$tmp/each.db" 'SELECT config FROM players ORDER BY player_no')
[[ $config = *'Hash=1"'*'"nodes_soft":50'*'Hash=2"'*'"time_ms":1000'* ]] || fail "--each: $config"
grep -q '"search"' <<<"$config" && fail "the search of a program: $config"
search=$("$tabia" db sql "$tmp/each.db" "SELECT config ->> '\$.search' FROM runs") # that finds openings
[ "$search" = "$(cat "$source/tests/bench.signature")" ] || fail "search: $search"

# Other bounds of a test: the match goes on from its games.
match --a material --b zero --games 400 --sprt elo0=0,elo1=200 --db "$tmp/bounds.db" >/dev/null
few=$("$tabia" db sql "$tmp/bounds.db" 'SELECT count(*) FROM games')
match --a material --b zero --games 400 --sprt elo0=0,elo1=30 --db "$tmp/bounds.db" >/dev/null
grep -q 'warning: the sequential test has changed in the match: sprt_elo1 30 instead of 200; its error rates' "$tmp/err" ||
    fail "other bounds: $(cat "$tmp/err")"
match --a material --b zero --games 400 --sprt elo0=0,elo1=30 --db "$tmp/bounds.db" >/dev/null
[ ! -s "$tmp/err" ] || fail "the same bounds: $(cat "$tmp/err")"
[ "$few" -lt "$("$tabia" db sql "$tmp/bounds.db" 'SELECT count(*) FROM games')" ] &&
    [ "$("$tabia" db sql "$tmp/bounds.db" 'SELECT count(*) FROM runs')" = 1 ] || fail 'other bounds begin another match'

# More games on clocks than processors: said.
games=$(($(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc) + 1))
for limit in tc=1+0.1 st=0.02 nodes=10; do
    "$tabia" gauntlet --engine name=x,weights=zero,$limit --engine weights=zero,nodes=10 --games $((2 * games)) --max-plies 4 \
        --concurrency $games >/dev/null 2>"$tmp/err" || fail "$limit, $games games at once: $(cat "$tmp/err")"
    said=$(grep -c "^warning: $games games at once need $games processors, and there are $((games - 1)):" "$tmp/err")
    [ "$said" = "$([ $limit = nodes=10 ] && echo 0 || echo 1)" ] || fail "$limit, $games games at once: $(cat "$tmp/err")"
done

# All fields of comments, of a program and of our own; read back, they give the same games.
limits="" match --engine "cmd=$build/tabia-engine,name=x,option.Hash=1,tc=1+0.05" --engine weights=zero,nodes=100 --games 4 \
    --pgn "$tmp/all.pgn" --pgn-fields nodes,nps,timeleft,seldepth,hashfull,tbhits,latency,pv,eval,clk --db "$tmp/all.db" >/dev/null
sed ':a;N;$!ba;s/\n/ /g' "$tmp/all.pgn" >"$tmp/all.line"
ours=', n=[0-9]+, sd=[0-9]+, nps=[0-9]+, hashfull=[0-9]+, tbhits=0, pv="[a-h1-8nbrqk ]+" \[%eval #?-?[0-9.]+\]\}'
theirs=', tl=[0-9.]+s, latency=[0-9.]+s'"${ours%??} \\[%clk 0:00:0[0-9.]+\\]\\}"
grep -qE "s, latency=0.00[0-9]s$ours" "$tmp/all.line" && grep -qE "$theirs" "$tmp/all.line" || fail "all fields: $(head -c 3000 "$tmp/all.pgn")"
legal "$tmp/all.pgn" 4
"$tabia" db import "$tmp/again.db" "$tmp/all.pgn" --quiet >/dev/null || fail 'all fields: no import'
games() { "$tabia" db sql "$1" 'SELECT start_fen, hex(moves), result, reason FROM games' | sort; }
[ "$(games "$tmp/all.db")" = "$(games "$tmp/again.db")" ] || fail 'all fields: other games'

# --no-reverse: each opening once; --wait: a pause before each game but the first.
match --a zero --b material --nodes 20 --games 6 --no-reverse --db "$tmp/single.db" --threads 1 >/dev/null
[ "$("$tabia" db sql "$tmp/single.db" 'SELECT count(DISTINCT start_fen), sum(white = 0), max(opening_no) FROM games')" = '6|3|5' ] ||
    fail "--no-reverse: $("$tabia" db sql "$tmp/single.db" 'SELECT start_fen, white, opening_no FROM games')"
began=$(date +%s%3N)
match --a zero --b zero --nodes 1 --games 4 --wait 200 --threads 1 >/dev/null
[ $(($(date +%s%3N) - began)) -ge 600 ] || fail '--wait: no pause'

# Another working folder is another player: it may hold another network.
mkdir "$tmp/one" "$tmp/two"
for folder in one two; do
    other=$(match --engine weights=zero --engine "cmd=$build/tabia-engine,dir=$tmp/$folder,depth=1" --games 2 --db "$tmp/dirs.db")
    has "$other" '"resumed": 0,'
done

# So is another program of the name, also one that an empty folder in PATH finds in the current one.
for word in one two; do
    printf '#!/bin/sh\nexec "%s" # %s\n' "$build/tabia-engine" $word >"$tmp/my-engine" && chmod +x "$tmp/my-engine"
    other=$(cd "$tmp" && PATH=:$PATH match --engine weights=zero --engine cmd=my-engine,depth=1 --games 2 --db programs.db)
    has "$other" '"resumed": 0,'
done

# Openings of each pairing, or shared by the round.
trio=(--engine weights=zero --engine weights=material --engine name=x,weights=zero,depth=1 --rounds 2)
match "${trio[@]}" --db "$tmp/own.db" >/dev/null
match "${trio[@]}" --db "$tmp/shared.db" --opening-policy round >/dev/null
openings=$(for policy in own shared; do "$tabia" db sql "$tmp/$policy.db" 'SELECT count(DISTINCT start_fen) FROM games'; done)
[ "$openings" = $'4\n2' ] || fail "openings: $openings"

# Closing the terminal ends it like Ctrl-C, although the signal comes twice and the output is closed: finished games
# are kept.
env --default-signal=HUP "$tabia" gauntlet --quiet --a zero --b zero --nodes 20 --games 1000000 --pgn "$tmp/hup.pgn" \
    >/dev/full 2>&1 &
wait_until $! [ -s "$tmp/hup.pgn" ]
kill -HUP $!
kill -HUP $! 2>/dev/null
wait $!
[ $? = 130 ] && [ -s "$tmp/hup.pgn" ] || fail 'SIGHUP: the games are lost'
# Two signals at once are one request, as from timeout(1), which sends its own to the process and to its group: the
# match ends with its summary.
"$tabia" gauntlet --quiet --a zero --b zero --nodes 20 --games 1000000 --pgn "$tmp/twice.pgn" >"$tmp/twice" 2>&1 &
wait_until $! [ -s "$tmp/twice.pgn" ]
kill -TERM $!
kill -INT $!
wait $!
[ $? = 130 ] && [ -s "$tmp/twice.pgn" ] && grep -q '^Elo ' "$tmp/twice" && grep -q interrupted "$tmp/twice" ||
    fail "TERM and INT at once: $(cat "$tmp/twice")"

"$tabia" gauntlet --quiet --a zero --b zero --nodes 20 --games 2 --pgn "$tmp/unread.pgn" >/dev/full 2>"$tmp/err"
[ $? = 1 ] && [ -s "$tmp/unread.pgn" ] || fail 'a report that cannot be written: the games are lost'

# A time control.
timed=$("$tabia" gauntlet --quiet --json --a material --b zero --games 4 --tc 0.5+0.005) ||
    fail "--tc: exit code $?"
has "$timed" '"games": 4,'

# Sessions and times a move; exceeding the time of a move loses on time.
timed=$(limits="" match --engine "cmd=$build/tabia-engine,tc=20/1,timemargin=5000" \
    --engine "cmd=$build/tabia-engine,st=0.02,timemargin=5000" --games 2 --max-plies 60)
has "$timed" '"games": 2,'
sed 's/exit 1/sleep 0.1; echo bestmove 0000/' "$tmp/crash" >"$tmp/slow" && chmod +x "$tmp/slow"
slow=$(code=5 limits="" match --engine weights=material,nodes=100 --engine "cmd=$tmp/slow,st=0.05" --games 4 --pgn "$tmp/slow.pgn")
has "$slow" '"wins": 4, "draws": 0, "losses": 0,'
[ "$(grep -c 'Termination "time forfeit"' "$tmp/slow.pgn")" = 4 ] || fail "no time forfeits"

# A player with several threads; without the key the match is unchanged.
wide=$(match --engine weights=material,threads=3 --engine weights=zero --games 8 --db "$tmp/wide.db")
has "$wide" '"games": 8,'
[ "$(sed -n 's/.*"wins": \([0-9]*\).*/\1/p' <<<"$wide")" -ge 5 ] || fail "three threads hardly win: $wide"
"$tabia" db sql "$tmp/wide.db" 'SELECT config FROM players ORDER BY player_no' >"$tmp/config" || fail "db sql: $?"
sed -n 1p "$tmp/config" | grep -q '"threads":3' || fail "no threads in the run: $(cat "$tmp/config")"
sed -n 2p "$tmp/config" | grep -q 'threads' && fail "threads of a player without: $(cat "$tmp/config")"

# refuses CODE PART ARGS…
refuses() {
    outcome "$1" "$2" "$tabia" gauntlet "${@:3}"
    [ ! -s "$tmp/out" ] || fail "gauntlet ${*:3}: prints something"
}

refuses 1 'grow.db is a database, or its log, and is not replaced' --a zero --b zero --games 2 --pgn "$tmp/grow.db"
# A full disk leaves the games that are in a compressed file, and it can be continued.
if ! sanitized; then # ThreadSanitizer has a large file of its own
    "$tabia" gauntlet --a material --b zero --games 40 --nodes 20 --pgn "$tmp/full.pgn.zst" --quiet >/dev/null || fail 'a compressed file'
    (ulimit -f $(($(stat -c %s "$tmp/full.pgn.zst") / 1024 + 2)) &&
        exec "$tabia" gauntlet --a material --b builtin --games 200 --nodes 20 --pgn "$tmp/full.pgn.zst" --quiet >/dev/null 2>"$tmp/err")
    [ $? = 1 ] || fail "a full disk: exit code $?: $(cat "$tmp/err")"
    "$tabia" gauntlet --a material --b zero --games 2 --nodes 20 --seed 5 --pgn "$tmp/full.pgn.zst" --quiet >/dev/null || fail 'continued after a full disk'
    (ulimit -f 0 && exec "$tabia" gauntlet --a material --b zero --games 2 --nodes 20 --pgn "$tmp/never.pgn" --quiet >/dev/null 2>&1)
    [ $? = 1 ] && [ ! -e "$tmp/never.pgn" ] || fail 'an empty file is left by a full disk'
    zstd -dcq "$tmp/full.pgn.zst" >"$tmp/full.pgn" && [ "$(grep -c '"zero"' "$tmp/full.pgn")" = 42 ] || fail 'games of a full disk are lost'
fi

head -c -9 "$tmp/two.pgn.zst" >"$tmp/cut.pgn.zst"
refuses 3 'cut.pgn.zst: cut off in the middle; name a new file' --a zero --b zero --games 2 --pgn "$tmp/cut.pgn.zst"
for ending in bz2 gz xz; do
    refuses 2 "a.pgn.$ending: files are not written in" --a zero --b zero --games 2 --pgn "$tmp/a.pgn.$ending"
    refuses 2 "a.epd.$ending: files are not written in" --a zero --b zero --games 2 --epd "$tmp/a.epd.$ending"
    [ ! -e "$tmp/a.pgn.$ending" ] && [ ! -e "$tmp/a.epd.$ending" ] || fail "plain text in a file named .$ending"
done
refuses 2 '--a and --b are needed' --a zero
printf 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n%.0s' 1 2 >"$tmp/same.epd"
refuses 2 'same.epd has 1 opening, the match needs 2: these players would play the same games' --a zero --b material --openings "$tmp/same.epd" --games 4
refuses 2 '--random-plies 1 gives too few openings for the 41 of the match' --a zero --b material --random-plies 1 --games 82
refuses 2 'or two players: --engine' --engine weights=zero
refuses 2 '--a does not go with --engine' --a zero --b zero --engine weights=zero
refuses 2 'needs two players, not 3' --engine weights=zero --engine weights=material --engine weights=builtin --sprt elo0=0,elo1=5
refuses 2 'the name "zero"' --engine weights=zero --engine weights=zero,nodes=9 --engine weights=material
refuses 2 'score must be from 1 to' --a zero --b zero --adjudicate-win score=0,plies=1
refuses 2 'sides must be two or one' --a zero --b zero --adjudicate-win score=5,sides=3
refuses 2 'not "swiss"' --a zero --b zero --tournament swiss
refuses 2 '--seeds needs --tournament gauntlet' --a zero --b zero --tournament roundrobin --seeds 1
refuses 2 'at most 1 can be seeds' --a zero --b zero --seeds 2
refuses 2 '--games does not go with --rounds' --a zero --b zero --rounds 2 --games 4
refuses 2 'no player has the name "x"' --a zero --b zero --anchor x=2000
refuses 2 'is not NAME=ELO' --a zero --b zero --anchor zero
refuses 2 'with an Elo of at most 100000' --a zero --b material --anchor zero=1e20
refuses 2 '--anchor needs more than two players, or --json' --a zero --b material --anchor zero=1000
refuses 2 'weights=W or cmd=PROGRAM is needed' --engine name=x --engine weights=zero
refuses 2 'weights=W or cmd=PROGRAM is needed' --engine weights=zero,cmd=x --engine weights=zero
refuses 5 'no-such-engine' --engine "cmd=$tmp/no-such-engine" --engine weights=zero
refuses 2 'unknown key "speed"' --engine weights=zero,speed=9 --engine weights=zero
refuses 2 'threads must be from 1 to 1024, not 0' --engine weights=zero,threads=0 --engine weights=zero
refuses 2 'option.Threads=2' --engine cmd=x,threads=2 --engine weights=zero
refuses 2 'even number' --a zero --b zero --games 3
refuses 2 'SECONDS[+INCREMENT]' --a zero --b zero --tc soon
refuses 2 'timemargin must be from 0 to 60000, not -1' --engine weights=zero,timemargin=-1 --engine weights=zero
refuses 2 'st: "no" is not SECONDS' --engine weights=zero,st=no --engine weights=zero
refuses 2 '--tc does not go with --nodes' --a zero --b zero --tc 1+0 --nodes 5
refuses 2 'none of nodes, nps' --a zero --b zero --pgn "$tmp/x.pgn" --pgn-fields nodes,hashful
refuses 2 '--a does not go with --each' --a zero --b zero --each nodes=5
refuses 2 '--each: unknown key "speed"' --engine weights=zero --engine weights=zero --each speed=9
refuses 2 'encounter or round' --a zero --b zero --opening-policy each
refuses 2 'proto must be uci or xboard' --engine cmd=x,proto=usi --engine weights=zero
refuses 2 'whitepov needs proto=xboard' --engine cmd=x,whitepov=on --engine weights=zero
refuses 2 'two players have the name "x"' --engine name=x,weights=zero --engine name=x,weights=material
refuses 2 'name: at most 127 bytes of UTF-8, without control characters' --engine "name=$(printf 'x%.0s' $(seq 128)),weights=zero" --engine weights=zero
refuses 2 'name: at most 127 bytes of UTF-8, without control characters' --engine $'name=a\tb,weights=zero' --engine weights=zero
refuses 2 'name: at most 127 bytes of UTF-8' --engine $'name=M\xfcller,weights=zero' --engine weights=zero
refuses 2 '--epd needs a file' --a zero --b zero --epd -
refuses 2 '--pgn needs a file' --a zero --b zero --pgn -
refuses 2 '--sprt: both elo0=X and elo1=Y are needed' --a zero --b zero --sprt elo0=1
refuses 3 'no-such.h' --a zero --b "$tmp/no-such.h"
refuses 3 'no-such.epd' --a zero --b zero --openings "$tmp/no-such.epd"
printf '#\nnonsense\n7k/5Q2/6K1/8/8/8/8/8 b - -\n' >"$tmp/bad.epd"
refuses 3 'bad.epd:2' --a zero --b zero --openings "$tmp/bad.epd"
: >"$tmp/empty.epd"
refuses 3 'no positions' --a zero --b zero --openings "$tmp/empty.epd"
refuses 1 'x.pgn: cannot be written: no writable folder' --a zero --b zero --games 2 --pgn "$tmp/no-such-folder/x.pgn"

# The command line overrides the INI file, also between exclusive options.
printf '[gauntlet]\na = zero\nb = zero\nnodes = 20\ngames = 4\n' >"$tmp/nodes.ini"
printf '[gauntlet]\na = zero\nb = zero\ntc = 1\nrounds = 4\n' >"$tmp/tc.ini"
play="gauntlet --quiet --max-plies 4 --threads 1 --pgn $tmp/ini.pgn"
$tabia $play --config "$tmp/nodes.ini" --tc 2+0.1 --rounds 1 >/dev/null || fail "tc over nodes: $?"
[ "$(grep -c '^\[TimeControl "2+0.1"\]' "$tmp/ini.pgn")" = 2 ] || fail "tc over nodes: $(cat "$tmp/ini.pgn")"
$tabia $play --config "$tmp/tc.ini" --depth 1 --games 2 >/dev/null || fail "depth over tc: $?"
[ "$(grep -c '^\[TimeControl "-"\]' "$tmp/ini.pgn")" = 2 ] || fail "depth over tc: $(cat "$tmp/ini.pgn")"
printf '[gauntlet]\na = zero\nb = zero\nnodes = 20\ngames = 2\nopenings = none.epd\norder = sequential\nopening-start = 3\n' >"$tmp/book.ini"
$tabia $play --config "$tmp/book.ini" --chess960 >/dev/null || fail "chess960 over openings: $?"
grep -q '^\[Variant "Chess960"\]' "$tmp/ini.pgn" || fail "chess960 over openings: $(cat "$tmp/ini.pgn")"

finish
