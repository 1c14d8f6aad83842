#!/bin/bash
# SPDX-License-Identifier: MIT
# `tabia db export` and `tabia db import`: round trips, third-party readers, damaged files and databases.
#   test_formats.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
cd "$tmp" || exit 1

# expect CODE PART ARGS…
expect() { outcome "$1" "$2" "$tabia" db "${@:3}" --quiet; }
says() { grep -qF -- "$1" out || fail "no \"$1\" in: $(head -c 600 out)"; }
# games FILE [WHERE]: prints the games in order of runs and numbers.
games() {
    "$tabia" db sql "$1" "SELECT start_fen, result, hex(moves) FROM games JOIN runs USING (run_id)
        WHERE ${2:-true} ORDER BY uuid, game_no"
}

"$maker" selfplay --db all.db --games 30 --nodes 60 --seed 3 --compact --quiet >/dev/null || fail selfplay
"$maker" selfplay --db all.db --games 10 --nodes 60 --seed 4 --compact --quiet >/dev/null || fail selfplay
games all.db >truth
plies=$("$tabia" db sql all.db 'SELECT sum(ply_count) FROM games')

# Export to a named pipe, which remains a pipe
mkfifo pipe
cat pipe >piped &
expect 0 '' export all.db pipe --format pgn
wait $!
[ -p pipe ] || fail "the pipe was replaced"
"$tabia" db export all.db - --format pgn | cmp - piped || fail "what came through the pipe"

# Times, depths, nodes and clocks of a match
"$tabia" gauntlet --quiet --engine weights=material,tc=1+0.01 --engine name=x,weights=zero,tc=40/2 --games 2 --max-plies 40 \
    --engine name=y,weights=zero,nodes=50 --db match.db >/dev/null || fail gauntlet
expect 0 '' export match.db match.pgn
grep -q '^\[WhiteTimeControl "1+0.01"\]' match.pgn && grep -q '^\[BlackTimeControl "40/2"\]' match.pgn &&
    grep -q '^\[BlackTimeControl "-"\]' match.pgn || fail "no time controls in $(grep Time match.pgn)"
expect 3 'has only games of matches, which --filter leaves out; name their runs: --runs' export match.db match.epd --filter tune
[ ! -e match.epd ] || fail 'an export of no games'
expect 0 '' import back.db match.pgn
for file in match back; do "$tabia" db sql $file.db 'SELECT hex(moves), hex(clock), nodes FROM games ORDER BY game_no'; done | sort |
    uniq -u >unlike
[ -s unlike ] && fail "times came back otherwise: $(cut -c 1-200 unlike)"

# The same games and fields from the database as from the match itself; what is not stored is refused
"$tabia" gauntlet --quiet --engine weights=material,tc=1+0.01 --engine name=x,weights=zero,tc=40/2 --games 2 --max-plies 90 \
    --threads 1 --db fields.db --pgn direct.pgn --pgn-fields nodes,nps,timeleft,eval,clk --event 'Tabia gauntlet' >/dev/null || fail gauntlet
expect 0 '' export fields.db fields.pgn --pgn-fields nps,timeleft,eval,clk
diff <(sed 's/^\[Site.*//' direct.pgn) <(sed 's/^\[Site.*//' fields.pgn) >unlike || fail "fields of the database: $(head -n 5 unlike)"
grep -q '\[%eval ' fields.pgn && grep -q '\[%clk 0:' fields.pgn || fail 'no [%eval] and [%clk] from a database'
expect 0 '' import fields_back.db fields.pgn
[ "$("$tabia" db digest fields_back.db --moves)" = "$("$tabia" db digest fields.db --moves)" ] || fail 'fields change an import'
expect 0 '' export fields.db min.pgn --pgn-fields min
grep -q '{' min.pgn && fail "comments with min"
expect 0 '' export all.db eval.pgn --pgn-fields eval,clk
grep -q '\[%eval ' eval.pgn && ! grep -q '\[%clk' eval.pgn || fail 'clocks of games without clocks'
for field in seldepth hashfull tbhits latency pv; do
    expect 2 "--pgn-fields: $field is not in the database" export all.db none.pgn --pgn-fields eval,$field
done
expect 2 '--pgn-fields: "x" is none of' export all.db none.pgn --pgn-fields x
expect 2 '--pgn-fields: the format is epd' export all.db none.epd --pgn-fields eval
[ ! -e none.pgn ] && [ ! -e none.epd ] || fail 'a refused export makes a file'

# Files of several parts: the same games, numbers and first fault with any number of threads, also where a comment, a
# variation or tags go on over what looks like the begin of a game, a move is illegal, or a NUL ends the file
for _ in 1 2 3 4 5; do cat piped; done >plain.pgn
long=$(yes 'd4 d5' | head -n 20000)
awk -v RS= -v ORS='\n\n' -v long="$long" '{ print } NR == 101 { print "{\n\n[Event \"no\"]\n\n1. " long "}" }' plain.pgn >comment.pgn
awk -v RS= -v ORS='\n\n' -v long="$long" '{ print } NR == 100 { print "1. e4 (d4\n\n[Event \"no\"]\n\n1. " long ") 1-0" }' \
    plain.pgn >variation.pgn
awk -v RS= -v ORS='\n\n' '{ print } NR % 2 == 0 { print "[White \"x\"]" }' plain.pgn >tags.pgn
awk -v RS= -v ORS='\n\n' 'NR == 102 { print "1. Kh5" } { print }' plain.pgn | sed 's/$/\r/' >illegal.pgn
{ cat plain.pgn && printf '\0' && cat piped; } >nul.pgn
[ "$(wc -c <plain.pgn)" -gt 200000 ] || fail "a part only: $(wc -c <plain.pgn)"
for file in plain comment variation tags illegal nul; do
    for threads in 1 3; do
        for options in '' --keep-going; do
            "$tabia" db import $file$threads.db $file.pgn $options --threads $threads --json --quiet 2>&1 |
                sed 's/"seconds":[^,}]*//; s/ 2>.*//'
            [ ! -e $file$threads.db ] || "$tabia" db digest $file$threads.db
            rm -f $file$threads.db
        done >$file$threads.said
    done
    cmp $file[13].said || fail "$file: $(cat $file[13].said)"
done
grep -q 'illegal.pgn:' illegal3.said && grep -q 'NUL' nul3.said || fail "no faults: $(cat illegal3.said nul3.said)"

# Round trips
for format in pgn plain viri epd; do
    expect 0 '' export all.db "x.$format"
    says "40 games, $plies positions"
    expect 0 '' export all.db "x.$format.zst"
    "$tabia" db export all.db - --format $format | cmp - "x.$format" || fail "$format on standard output"
    "$tabia" db export all.db /dev/stdout --format $format >named && cmp named "x.$format" || fail "$format to /dev/stdout"
    expect 0 '' import $format.db "x.$format.zst"
    says "40 games added, $plies positions"
    expect 0 '' digest $format.db
    cp out digest
    expect 0 '' import $format.db "x.$format.zst"
    says 'imported before, nothing added'
    expect 0 '' digest $format.db
    cmp -s out digest || fail "$format: a second import changed the digest"
    expect 0 '' check $format.db
    says 'sound: 40 games'
    expect 0 '' export $format.db "again.$format"
    if [ $format != epd ]; then
        games $format.db | cmp - truth || fail "$format: other games came back"
        [ "$("$tabia" db digest $format.db --moves)" = "$("$tabia" db digest all.db --moves)" ] ||
            fail "$format: another digest of the moves"
    fi
    expect 0 '' import $format.db "x.$format" --json
    python3 -c 'import json; r = json.load(open("out")); assert r["games"] == 40 and not r["known"], r' ||
        fail "import --json"
done
# What a file does not say is unknown, not 0.
printf '[Result "1-0"]\n\n1. e4 {+0.30/12 0.50s} e5 1-0\n' >clock.pgn
expect 0 '' import clock.db clock.pgn
[ "$("$tabia" db sql clock.db "SELECT group_concat(ifnull(nodes, '-') || ' ' || ifnull(depth, '-') || ' ' || ifnull(time, '-')) FROM tabia_positions")" = \
    '- 12 500,- - -' ] || fail "clocks: $("$tabia" db sql clock.db 'SELECT nodes, depth, time FROM tabia_positions')"
"$tabia" db card clock.db | grep nodes && fail 'a card with nodes that are unknown'
# Several files: each adds its games, and the first that cannot be read ends the command.
expect 3 'illegal.pgn:' import several.db x.viri x.plain illegal.pgn x.epd
[ "$(grep -c ': 40 games added' out)" = 2 ] || fail "several files: $(cat out)"
[ "$("$tabia" db sql several.db 'SELECT count(*) || "/" || count(DISTINCT run_id) FROM games')" = 80/2 ] || fail 'games of several files'
cmp x.viri again.viri && cmp x.plain again.plain || fail "an export of an import is another file"
expect 0 '' export all.db x.bullet --json
python3 - <<'PY' || fail "bulletformat"
import json, os, struct
counts = json.load(open("out"))
assert os.path.getsize("x.bullet") == 32 * counts["positions"], counts
for record in struct.iter_unpack("<Q16shBBB3s", open("x.bullet", "rb").read()):
    occupied, pieces, score, result, own, other, rest = record
    nibbles = [pieces[i // 2] >> 4 * (i % 2) & 15 for i in range(occupied.bit_count() if hasattr(int, "bit_count") else bin(occupied).count("1"))]
    squares = [s for s in range(64) if occupied >> s & 1]
    board = dict(zip(squares, nibbles))
    assert board[own] == 5 and board[other ^ 56] == 13 and result <= 2 and rest == b"\0\0\0", record
    assert all(n & 7 < 6 for n in nibbles), record
PY
expect 0 '' export all.db x.csv
"$tabia" db sql all.db --format csv "SELECT fen, score, CASE result WHEN 1 THEN '0.5' ELSE result / 2 END AS result, move, ply, uuid AS run,
    game_no AS game FROM runs JOIN games USING (run_id) JOIN tabia_positions USING (game_id) ORDER BY uuid, game_no, ply" |
    tr -d '\r' | cmp - x.csv || fail "csv"
[ "$("$tabia" tune --score-only --weights material --epd x.csv --json --quiet | grep -o '"n": [0-9]*')" = "\"n\": $plies" ] || fail "tune of a csv"
# Its columns run and game are the game of a position, in any file of that form; scores may be real.
sed -E 's/^([^,]*,-?[0-9]+),/\1.0,/' x.csv >real.csv
for file in x.csv real.csv; do
    "$tabia" tune --score-only --weights material --epd $file --json --quiet >$file.json || fail "tune of $file"
    grep -qF "\"games\": $("$tabia" db sql all.db 'SELECT count(*) FROM games')," $file.json || fail "games of $file: $(cat $file.json)"
done
cmp -s <(sed 's/x.csv//' x.csv.json) <(sed 's/real.csv//' real.csv.json) || fail "csv with real scores"
expect 2 'format csv can only be exported' import new.db x.csv
expect 2 'only positions can be shuffled' shuffle x.csv y.csv
expect 0 '' export all.db y.csv --filter min-ply=20
[ "$(tail -n +2 y.csv | cut -d, -f5 | sort -n | head -n 1)" -ge 20 ] || fail "csv with a filter"
# binpack, read by another program: 10,000 positions with move, score, result and ply
"$maker" selfplay --db pack.db --games 130 --nodes 60 --seed 5 --quiet --compact || fail 'selfplay for binpack'
"$maker" selfplay --db pack960.db --games 20 --nodes 60 --seed 5 --double-chess960 --quiet --compact || fail 'selfplay for binpack'
# unpacked DB: the binpack of DB is its positions.
unpacked() {
    expect 0 '' export $1.db $1.plain --force
    python3 "$source/tests/tools/read_binpack.py" $1.binpack | cmp - $1.plain || fail "$1.binpack holds other positions"
}
expect 0 '' export pack.db pack.binpack
grep -q 'left out' out && fail "left out of usual chess: $(cat out)"
unpacked pack
# It has no castling of Chess960. Such games are left out and counted; of the starts below the last three are written.
expect 0 '' export pack960.db pack960.binpack
grep -qE ' (1[5-9]|20) games left out that the format cannot hold' out || fail "binpack holds castling of Chess960: $(cat out)"
python3 "$source/tests/tools/read_binpack.py" pack960.binpack >out || fail "binpack holds castling of Chess960: $(tail -n 1 out)"
"$tabia" db export pack960.db - --format binpack 2>err | cmp - pack960.binpack || fail 'binpack on standard output'
grep -q 'left out that the format cannot hold: ' err || fail "no count of what is left out: $(cat err)"
for fen in 'bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w FHfh -' '1r2k2r/8/8/8/8/8/8/1R2K2R w KBkb -' \
    'r2k3r/8/8/8/8/8/8/R3K2R w KQha -' 'bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w - -' \
    'rqbnknbr/pppppppp/8/8/8/8/PPPPPPPP/RQBNKNBR w KQkq -' '1r2k2r/8/8/8/8/8/8/1R2K2R w Kk -'; do
    move=Rg1; [ "${fen/ppp/}" = "$fen" ] || move=a3
    printf '[Result "1-0"]\n[SetUp "1"]\n[Variant "Chess960"]\n[FEN "%s 0 1"]\n\n1. %s 1-0\n\n' "$fen" $move
done >mixed.pgn
expect 0 '' import mixed.db mixed.pgn
expect 0 '' export mixed.db mixed.binpack --json
grep -q '"games": 3, .*"left_out": 3,' out || fail "which castling binpack has: $(cat out)"
"$tabia" db sql mixed.db 'DELETE FROM games WHERE game_no < 3' --write >out || fail 'games without castling of Chess960'
unpacked mixed
# Nor has it ply numbers above 16383; and formats of positions have no game without moves.
for number in 8192 8193; do
    printf '[Result "1-0"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/R3K3 b - - 0 %s"]\n\n1... Kd8 1-0\n\n' $number
done >numbered.pgn
printf '[Result "1-0"]\n\n1-0\n' >>numbered.pgn
expect 0 '' import numbered.db numbered.pgn
for format in binpack:1:2 epd:2:1 plain:2:1 bullet:0:1 viri:3:0; do
    IFS=: read -r name written left <<<"$format"
    expect 0 '' export numbered.db "numbered.$name" --json
    grep -q "\"games\": $written, .*\"left_out\": $left," out || fail "what $format leaves out: $(cat out)"
done
[ "$(grep -c '^fen' pack.plain)" -ge 10000 ] || fail "only $(grep -c '^fen' pack.plain) positions in binpack"
grep -q '^move e1g1' pack.plain && grep -q '^move e8c8' pack.plain && grep -q '^move .....$' pack.plain ||
    fail 'no castling or promotion in binpack'
# It comes back, also when all chains are in one chunk, and from the first damaged chunk on the others do.
python3 - <<'PY'
import struct
data, at, chains = open("pack.binpack", "rb").read(), 0, []
while at < len(data):
    size = struct.unpack_from("<I", data, at + 4)[0]
    chains.append(data[at + 8:at + 8 + size])
    at += 8 + size
chunk = b"".join(chains)
open("one.binpack", "wb").write(b"BINP" + struct.pack("<I", len(chunk)) + chunk)
second = bytearray(data)
second[8 + len(chains[0]) + 8 + 33] += 1  # the number of plies, its low byte
open("bad.binpack", "wb").write(second)
PY
for file in pack.binpack one.binpack; do
    expect 0 '' import unpacked.db $file
    says '130 games added'
    [ "$("$tabia" db digest unpacked.db --moves)" = "$("$tabia" db digest pack.db --moves)" ] || fail "$file: other games came back"
    rm unpacked.db
done
expect 3 ': not binpack: a chunk ends within a game' import new.db bad.binpack
[ ! -e new.db ] || fail 'bad.binpack made a database'
expect 0 '' import kept.db bad.binpack --keep-going
says '129 games added'
says '1 damaged games left out'
rm kept.db
# Scores beyond a mate count as mates, which PGN can hold.
printf 'fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nmove e2e4\nscore %s\nply 0\nresult 1\ne\n' 32001 >far.plain
expect 0 '' import far.db far.plain
expect 0 '' export far.db far.pgn
expect 0 '' import near.db far.pgn
[ "$("$tabia" db digest far.db --moves)" = "$("$tabia" db digest near.db --moves)" ] && [ "$("$tabia" db sql far.db 'SELECT max(score) FROM tabia_positions')" = 32000 ] ||
    fail "a score beyond a mate: $(cat far.pgn)"
expect 2 'format bullet can only be exported' import new.db x.bullet
expect 2 '--format NAME' import new.db truth
expect 2 'unknown format "xyz": use one of pgn, epd, ' import new.db truth --format xyz
"$tabia" db --help >help
for format in $(sed 's/.*one of //; s/ (.*//; s/,//g' err); do grep -qE "\b$format\b" help || fail "the help of --format lacks $format"; done
[ -e new.db ] && fail "a refused import made a database"

# Filters
expect 0 '' export all.db f.epd --filter tune
cp f.epd tuned.epd
[ "$(wc -l <f.epd)" -lt "$plies" ] && ! grep -vq ' ce ' f.epd || fail "the filter of the fit passes unscored positions, or all"
expect 0 '' export all.db f.epd --filter checks=yes,noisy=yes,unscored=yes,drawn=yes,min-ply=10,max-score=500 --force
[ "$(sed -n 's/.* ce -*\([0-9]*\);.*/\1/p' f.epd | sort -n | tail -1)" -le 500 ] || fail "max-score"
expect 0 '' export all.db f.plain --filter min-ply=4
expect 0 '' import f.db f.plain
expect 0 '' check f.db
[ "$("$tabia" tune --score-only --epd tuned.epd --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["n"])')" = \
    "$("$tabia" tune --score-only --db all.db --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["n"])')" ] ||
    fail "--filter tune is not what tabia tune takes"
chosen='skip=0.2,pieces-32=1,pieces-17=4,soft-ply=20,max-against=40,one-in=2'
expect 0 '' export all.db chosen.epd --filter "$chosen" --threads 1
tail -n 1 out | grep -q 'positions left out: .* at random, .* by the number of pieces, .* of early plies, .* not chosen' || fail "counts by reason: $(cat out)"
cp out thinned.out
expect 0 '' export all.db chosen3.epd --filter "$chosen" --threads 3
cmp chosen.epd chosen3.epd || fail "another choice at three threads"
[ "$(grep -c . chosen.epd)" = "$("$tabia" tune --score-only --db all.db --json --config <(printf '[tune]\n%s\n' "$chosen" | tr , '\n') | sed 's/.*"n": \([0-9]*\).*/\1/')" ] ||
    fail "tune chooses other positions than export"
for n in 1 3; do
    "$tabia" tune --score-only --epd tuned.epd --pieces-32 1 --pieces-17 4 --threads $n --json >epd$n.json || fail "tune --epd with a curve: $?"
done
cmp epd1.json epd3.json && grep -q '"pieces": [1-9]' epd1.json || fail "tune --epd at one and three threads: $(cat epd1.json)"
# What the other filters keep, thinned to a curve: chi-square, without the numbers of which all are kept.
expect 0 '' export all.db unthinned.epd --filter "${chosen/pieces-32=1,pieces-17=4,/}"
python3 - "$(sed -n 's/.* \([0-9]*\) by the number of pieces.*/\1/p' <(tail -n 1 thinned.out))" <<'PY' || fail "shares of pieces"
import collections, sys
present, kept = (collections.Counter(sum(c.isalpha() for c in line.split()[0]) for line in open(f)) for f in ("unthinned.epd", "chosen.epd"))
wanted = lambda n: 4 - 3 * (n - 17) / 15 if n > 17 else 4 * (n - 2) / 15
some = [n for n in present if kept[n] < present[n]]
scale = sum(kept[n] for n in some) / sum(map(wanted, some))
chi2 = sum((kept[n] - scale * wanted(n)) ** 2 / (scale * wanted(n)) for n in some)
assert len(some) > 9 and chi2 < 2.5 * len(some), (chi2, some, kept, present)
assert all(kept[n] - scale * wanted(n) < 2 * (scale * wanted(n)) ** 0.5 for n in present if n not in some), (kept, present, scale)
assert sum(present.values()) - sum(kept.values()) == int(sys.argv[1]) > 0, (kept, present, sys.argv)
PY
expect 0 '' export all.db late.epd --filter min-ply=60 --json
games=$(sed 's/.* id "\([^"]*\)".*/\1/' late.epd | sort -u | wc -l) all=$("$tabia" db sql all.db 'SELECT count(*) FROM games')
[ 0 -lt "$games" ] && [ "$games" -lt "$all" ] && grep -q "\"games\": $games," out || fail "games of an export: $games of $all, $(cat out)"
expect 2 'holds whole games' export all.db f.pgn --filter tune
expect 2 'unknown key "min-plies"' export all.db f.epd --filter min-plies=3
expect 2 'checks needs true or false' export all.db f.epd --filter checks=perhaps

# Third-party readers
judge=$(command -v pgn-extract || echo /usr/games/pgn-extract)
if [ -x "$judge" ]; then
    "$judge" -s -o judged.pgn x.pgn >judgement 2>&1
    [ -s judgement ] && fail "pgn-extract: $(head -c 600 judgement)"
    expect 0 '' import judged.db judged.pgn
    games judged.db | cmp - truth || fail "what pgn-extract makes of our PGN is read differently"
fi

# Real files
if has_data pgn; then
    for file in fishtest-fastchess:4 multiple:4 kasparov-deep-blue:6; do
        expect 0 '' import real.db "$data/pgn/chesslib-${file%:*}.pgn"
        says "${file#*:} games added"
    done
    expect 0 '' import real.db "$data/pgn/pychess-cutechess-fischerrandom.pgn"
    expect 0 '' check real.db
    [ "$("$tabia" db sql real.db "SELECT count(*) FROM players WHERE name = 'Garry Kasparov'")" = 1 ] || fail "no Kasparov"
    expect 3 'no finished games found' import real.db "$data/pgn/chesslib-no_result.pgn"
fi

# Damaged files: one error, and an unchanged database
games pgn.db >before
awk 'before == "" && !done && NR > 1 { done = sub(/^[0-9]+\.+ [^ ]+/, "1. Ka5") } { before = $0; print }' x.pgn >bad.pgn
sed '500s/.*/score x/' x.plain >bad.plain
sed '50s/sm [^;]*/sm Ka5/' x.epd >bad.epd
head -c 3001 x.viri >bad.viri
head -c 3000 x.plain.zst >cut.plain.zst
for file in bad.pgn bad.plain bad.epd bad.viri cut.plain.zst; do
    expect 3 "$file" import pgn.db $file
    games pgn.db | cmp - before || fail "$file changed the database"
    expect 3 "$file" import new.db $file
    [ -e new.db ] && fail "$file made a database"
    [ $file = cut.plain.zst ] && continue # nothing comes out of it
    expect 0 '' import kept.db $file --keep-going
    says "the first damaged game: $file"
done
expect 0 '' check kept.db
expect 3 'cannot open' import pgn.db absent.pgn

# Names are stored as UTF-8: those in Latin-1 are converted, long ones cut between two characters.
long=$(printf 'é%.0s' $(seq 100))
printf '[White "M\374ller"]\n[Black "a%s"]\n[Result "1-0"]\n\n1. e4 1-0\n' "$long" >"a$long.pgn"
expect 0 '' import names.db "a$long.pgn"
expect 0 '' sql names.db 'SELECT name FROM players UNION ALL SELECT label FROM runs'
printf '%s\n' Müller "a${long:0:63}" "a${long:0:31}" | cmp -s - out || fail "names: $(cat out)"
"$tabia" gauntlet --engine "name=a${long:0:60},weights=zero,nodes=20" --engine weights=material,nodes=20 --games 2 --db names.db \
    --quiet >out 2>err || fail "names: $(cat err)"
expect 0 '' sql names.db "SELECT label FROM runs WHERE kind = 'gauntlet'"
grep -qxF "a${long:0:13} vs material" out || fail "the label of a match: $(cat out)"

# A run with some of its games is completed by an import.
expect 0 '' import one.db x.pgn
expect 0 '' sample one.db some.db --games 7
expect 0 '' import some.db x.pgn
says '33 games added'
games some.db | cmp - truth || fail "a sample and its file are not the whole"
sha256sum some.db >sum
expect 0 '' import some.db x.pgn
says 'imported before, nothing added'
sha256sum --quiet -c sum || fail "nothing was added, but something written"
python3 - "$tabia" <<'END' || fail "what is here already is imported again: it waits for others that write"
import sqlite3, subprocess, sys
writer = sqlite3.connect("some.db", isolation_level=None)
writer.execute("BEGIN IMMEDIATE")
sys.exit(subprocess.run([sys.argv[1], "db", "import", "some.db", "x.pgn"], stdout=subprocess.DEVNULL).returncode)
END
"$tabia" db sql some.db 'UPDATE runs SET finished = NULL' --write >out || fail 'a run as after a merge of parts'
expect 0 '' import some.db x.pgn
expect 0 '' info some.db
grep -q '(unfinished)' out && fail 'a run whose games are all there is not finished'
"$tabia" db sql some.db 'DELETE FROM games WHERE game_no = 0' --write >out || fail 'a game less'
"$tabia" db sql some.db 'UPDATE games SET game_no = 99 WHERE game_no = 1' --write >out || fail 'a game of another number'
expect 4 'some.db: run 1 has games that are not in x.pgn' import some.db x.pgn

# Games that another process writes to the database during a failing import stay.
for _ in $(seq 100); do cat x.pgn; done >long.pgn
cat bad.pgn >>long.pgn
"$tabia" db import rival.db long.pgn --quiet >out 2>err &
importer=$!
until [ -e rival.db ] || compgen -G 'rival.db.new-*' >out || ! kill -0 $importer 2>err; do :; done
kill -STOP $importer
"$tabia" selfplay --db rival.db --games 5 --depth 1 --seed 1 --quiet >/dev/null 2>rival.err &
rival=$!
sleep 0.3
kill -CONT $importer
wait $importer
[ $? = 3 ] || fail "a damaged last game: $(cat err)"
wait $rival || fail "selfplay beside an import: $(cat rival.err)"
[ "$(games rival.db | wc -l)" = 5 ] || fail "the games of another process went with a failed import"

# Temporary files of killed processes are removed, with their logs; those of living ones and locked ones stay.
dead=$(sh -c 'echo $$')
for file in sweep.db sweep.pgn; do
    touch "$file.new-$dead" "$file.new-$$" "$file.new-" "$file.new-${dead}a" "other-$file.new-$dead"
done
touch "sweep.db.new-$dead-wal"
expect 0 '' import sweep.db x.pgn
expect 0 '' export sweep.db sweep.pgn
[ "$(echo sweep.*.new-*)" = "$(printf '%s\n' sweep.{db,pgn}.new-{,"$$","${dead}a"} | sort | xargs)" ] ||
    fail "temporary files: $(echo sweep.*.new-*)"
python3 -c 'import fcntl, sys, time
file = open(sys.argv[1], "w"); fcntl.lockf(file, fcntl.LOCK_EX); print("locked", flush=True); time.sleep(60)' \
    "sweep.pgn.new-$dead" >locked &
holder=$!
until [ -s locked ]; do sleep 0.05; done
expect 0 '' export sweep.db sweep.pgn --force
[ -e "sweep.pgn.new-$dead" ] || fail "a locked temporary file was removed"
{ kill $holder && wait $holder; } 2>/dev/null
expect 0 '' export sweep.db sweep.pgn --force
[ ! -e "sweep.pgn.new-$dead" ] || fail "an unlocked temporary file was not removed"
rm -f ./*sweep.*.new-*

# Damaged databases: readable games are exported
"$maker" selfplay --db big.db --games 200 --depth 1 --max-plies 60 --compact --quiet >/dev/null
games big.db >truth
# The first, middle and last leaf of the table of games: 13 is SQLite's mark of such pages.
leaves=$(python3 - <<'PY'
data = open("big.db", "rb").read()
leaves = [i for i in range(1, len(data) // 4096) if data[4096 * i] == 13 and b" w KQkq" in data[4096 * i:4096 * i + 4096]]
print(leaves[0], leaves[len(leaves) // 2], leaves[-1])
PY
)
for page in $leaves; do
    cp big.db hurt.db
    dd if=/dev/urandom of=hurt.db bs=4096 seek=$page count=1 conv=notrunc status=none
    rm -f salvaged-saved.*
    for format in pgn viri; do
        "$tabia" db export hurt.db saved.$format --quiet >out 2>err
        [ $? = 1 ] || fail "page $page: exit code of a damaged export: $(cat out err)"
        grep -qE 'hurt.db: [0-9]+ games saved, [0-9]+ lost: ' err || fail "page $page: $(cat err)"
    done
    rm -f saved.db
    expect 0 '' import saved.db salvaged-saved.viri
    count=$(games saved.db | sort | comm -12 - <(sort truth) | wc -l)
    [ "$count" = "$(games saved.db | wc -l)" ] && [ "$count" -gt 150 ] ||
        fail "page $page: of 200 games $count came back"
done
cp big.db lie.db
if command -v sqlite3 >/dev/null; then
    sqlite3 lie.db 'UPDATE games SET moves = zeroblob(length(moves)) WHERE game_no = 6'
    expect 1 '199 games saved, 1 lost: game 6, ply 0' export lie.db saved.pgn
fi
ls | grep -F '.new-' && fail "temporary files are left"

# A game with a score that is none is left out of every format.
"$maker" selfplay --db scores.db --games 4 --nodes 40 --seed 3 --quiet >/dev/null || fail selfplay
cp scores.db none.db
"$tabia" db sql --write none.db "UPDATE games SET moves = CAST(substr(moves, 1, 2) || x'187d' || substr(moves, 5) AS BLOB) WHERE game_no = 2" || fail 'db sql'
for format in pgn epd plain viri bullet binpack csv; do
    outcome 1 'game 2' "$tabia" db export none.db none.$format --force --quiet
done

finish
