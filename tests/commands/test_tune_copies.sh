#!/bin/bash
# SPDX-License-Identifier: MIT
# Copies of games never meet in training and hold-out: imported twice, without scores, in EPD.
#   test_tune_copies.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
command -v zstd >/dev/null || { echo 'skipped: no zstd'; exit 77; }

# fits NAME ARGS…: a fit as JSON to $tmp/NAME.json.
fits() {
    local name=$1
    shift
    "$tabia" tune --quiet --json --threads 2 --lambda 1 --prior 20 --start material --out "$tmp/$name.h" "$@" >"$tmp/$name.json" ||
        fail "tabia tune $*: exit code $?"
}

# number NAME OBJECT KEY: the number of that key after the key OBJECT.
number() {
    sed "s/.*\"$2\": //" "$tmp/$1.json" | grep -o "\"$3\": [-0-9.e+]*" | head -1 | sed 's/.*: //'
}

# same OBJECT KEY NAME NAME
same() {
    local a b
    a=$(number "$3" "$1" "$2")
    b=$(number "$4" "$1" "$2")
    [ -n "$a" ] && [ "$a" = "$b" ] || fail "$1.$2 of $3 and $4: $a and $b"
}

# is VALUE NAME OBJECT KEY
is() {
    local got
    got=$(number "$2" "$3" "$4")
    [ "$got" = "$1" ] || fail "$2: $3.$4 is $got, not $1"
}

"$tabia" selfplay --db "$tmp/played.db" --games 120 --depth 2 --seed 7 --quiet >/dev/null || fail 'no games'
"$tabia" db export "$tmp/played.db" "$tmp/once.pgn" 2>/dev/null || fail 'no PGN'
zstd -q "$tmp/once.pgn" -o "$tmp/again.pgn.zst"
sed 's/{[^}]*}//g' "$tmp/once.pgn" >"$tmp/bare.pgn" # no scores, so that more of its positions are read
once() { "$tabia" db import "$tmp/$1.db" "$tmp/$2" --quiet >/dev/null || fail "no import of $2"; }
once one once.pgn
once two once.pgn
once two again.pgn.zst
once noscores bare.pgn
once bare once.pgn
once bare bare.pgn

# ---- Equal positions: the sides, both errors and the weights are those without copies. (Training merges duplicates here,
# so that copies do not weigh more than the prior.)
merged=(--duplicates first --patience 0)
fits one --db "$tmp/one.db" "${merged[@]}"
fits two --db "$tmp/two.db" "${merged[@]}"
is 0 one split duplicate_games
is 120 two split duplicate_games
same train mse one two
same validation mse one two
[ "$(number one validation mse_before)" != "$(number one validation mse)" ] || fail 'nothing was fitted'
cmp -s <(grep '^S(' "$tmp/one.h") <(grep '^S(' "$tmp/two.h") || fail 'copies change the weights'
[ "$(number two split shared)" = $((2 * $(number one split shared))) ] || fail 'copies are in training'

fits one --db "$tmp/one.db" --folds 5 "${merged[@]}"
fits two --db "$tmp/two.db" --folds 5 "${merged[@]}"
same folds mse one two
[ "$(number two split shared)" = $((2 * $(number one split shared))) ] || fail 'copies are in two folds'
is "$(number two source n)" two split held_out

# ---- Equal moves of which other positions are read.
fits one --db "$tmp/noscores.db" --keep-unscored --max-score 300
fits bare --db "$tmp/bare.db" --keep-unscored --max-score 300
[ "$(number bare split duplicate_games)" -ge 110 ] || fail "only $(number bare split duplicate_games) copies without scores"
[ "$(number bare source n)" -lt $((2 * $(number one source n))) ] || fail 'the same positions are read'
# They share openings.
[ $((10 * $(number bare split shared))) -lt "$(number bare split held_out)" ] || fail 'copies without scores are in training'

# ---- EPD: games with other names, and lines without.
printf '%s\n' \
    '4k3/pp4pp/8/8/8/8/PP4PP/3QK3 w - - c9 "1-0";' '4k3/ppq3pp/8/8/8/8/PP4PP/4K3 b - - c9 "0-1";' \
    '4k3/pp4pp/8/8/8/8/PPP3PP/4K3 b - - c9 "1-0";' '4k3/ppp3pp/8/8/8/8/PP4PP/4K3 w - - c9 "0-1";' \
    '4k3/pp4pp/2n5/8/8/2N5/PP4PP/4K3 w - - c9 "1/2-1/2";' '4k3/pp4pp/8/8/8/8/PP4PP/4K2R w - - c9 "1-0";' >"$tmp/six.epd"
for i in 1 2 3 4 5; do cat "$tmp/six.epd"; done >"$tmp/lines.epd"
fits lines --epd "$tmp/lines.epd" --validation 0.34
is 24 lines split duplicate_games
is 0 lines split shared
for game in $(seq 1 40); do
    sed -n "$((game % 5 + 1)),$((game % 5 + 2))s/\$/ id \"g$game\";/p" "$tmp/six.epd"
done >"$tmp/named.epd"
fits named --epd "$tmp/named.epd" --validation 0.2
is 35 named split duplicate_games
is 40 named source games
is 8 named validation games

# ---- Different games that share positions: counted, and a warning.
awk '{ print $0 " id \"g" NR "\";" }' "$tmp/lines.epd" >"$tmp/shared.epd"
fits shared --epd "$tmp/shared.epd" --validation 0.2
is 0 shared split duplicate_games
is 6 shared split shared
grep -q '100.0 % of the held-out positions are also in training (6 of 6)' "$tmp/shared.json" || fail 'no warning'
"$tabia" tune --quiet --epd "$tmp/shared.epd" --validation 0.2 --start material --out "$tmp/s.h" >"$tmp/out"
grep -q '^split  *6 positions held out, 6 of them also in training, 0 games equal' "$tmp/out" ||
    fail "no line: $(grep split "$tmp/out")"
grep -q '^warning  *100.0 % of the held-out positions' "$tmp/out" || fail 'no warning in text'

finish
