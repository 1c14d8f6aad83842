#!/bin/bash
# SPDX-License-Identifier: MIT
# Progress, rating table and crosstable fit the terminal; colours only there, and not with NO_COLOR or TERM=dumb.
#   test_terminal.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
export TERM=xterm
unset NO_COLOR
escape=$'\033'

# shown COLUMNS ARGS…: what a match shows in a terminal of that width.
shown() {
    python3 "$source/tests/tools/in_terminal.py" "$1" "$tabia" gauntlet --seed 3 "${@:2}" >"$tmp/raw" ||
        fail "$*: exit code $?: $(cat "$tmp/raw")"
    tr '\r' '\n' <"$tmp/raw" | sed "s/$escape\\[[0-9;]*[A-Za-z]//g" >"$tmp/lines"
}
# widest: the columns of the widest line.
widest() { LC_ALL=C.UTF-8 wc -L <"$tmp/lines"; }

trio=(--engine weights=material --engine name=a-name-that-is-rather-long,weights=zero --engine weights=builtin,depth=1)
for columns in 200 80 40; do
    shown $columns "${trio[@]}" --nodes 300 --tournament roundrobin --rounds 40
    [ "$(widest)" -le $columns ] || fail "$columns columns: a line of $(widest)"
    grep -q '^   1  ' "$tmp/lines" || fail "$columns columns: no table: $(tail -20 "$tmp/lines")"
    grep -q '[0-9]/240  [0-9.]* games/s' "$tmp/lines" || fail "$columns columns: no progress"
    grep -qF "$escape[J" "$tmp/raw" || fail "$columns columns: lines of an earlier table stay"
    # Every line of progress ends with a whole field.
    grep -oE '[0-9]+/240  .*' "$tmp/lines" | grep -vE '(games/s|ETA [0-9hms.]+|=[0-9]+ -[0-9]+|Elo (–|.*[0-9]\]?)|LOS ([0-9.]+ %|–)) *$' &&
        fail "$columns columns: progress is cut in a word"
done
[ "$(grep -c 'won-drawn-lost' "$tmp/lines")" -ge 2 ] || fail 'the crosstable is not divided at 40 columns'
for columns in 80 40; do
    shown $columns --a material --b zero --nodes 100 --games 12 --sprt elo0=0,elo1=100
    [ "$(widest)" -le $columns ] || fail "two players, $columns columns: a line of $(widest)"
    grep -q '^pairs  ' "$tmp/lines" || fail "no pairs: $(cat "$tmp/lines")"
done
shown 200 --a material --b zero --nodes 100k --games 2 --max-plies 60 # what is unknown before the first pair is no number
grep -q '0/2 .* Elo –  LOS – *$' "$tmp/lines" || fail "LOS of no games: $(grep LOS "$tmp/lines")"
"$tabia" gauntlet --seed 3 "${trio[@]}" --nodes 20 --games 4 >"$tmp/file" 2>"$tmp/progress" || fail "to a file: $?"
grep -q 'DD,WL.*faults$' "$tmp/file" || fail "a file lacks columns: $(cat "$tmp/file")"
cat "$tmp/file" "$tmp/progress" | grep -F "$escape" && fail 'control sequences in a file'

# Of learn every line fits, too; those with paths are left out.
for columns in 80 40; do
    python3 "$source/tests/tools/in_terminal.py" $columns "$tabia" learn --from zero --dir "$tmp/run$columns" --games 150 \
        --nodes 500 --gauntlet-games 20 --gauntlet-nodes 50 --final-games 4 --generations 2 --budget 90s >"$tmp/raw" ||
        fail "learn: exit code $?: $(cat "$tmp/raw")"
    tr '\r' '\n' <"$tmp/raw" | sed "s/$escape\\[[0-9;]*[A-Za-z]//g" | grep -v "$tmp" >"$tmp/lines"
    [ "$(widest)" -le $columns ] || fail "learn, $columns columns: a line of $(widest): $(cat "$tmp/lines")"
    [ $columns = 40 ] || grep -qE '^gen [012] · (play|against [a-z0-9-]+) · [0-9.]+s of 1m30s  [0-9]+/[0-9]+  ' "$tmp/lines" ||
        fail "learn: lines do not begin with generation, stage and budget: $(cat "$tmp/lines")"
    grep -q '^generation 2: 150 games' "$tmp/lines" && grep -q 'The best is generation' "$tmp/lines" ||
        fail "learn: $(cat "$tmp/lines")"
done

# Weights and facts of databases fit 80 columns, in files, too.
"$tabia" selfplay --db "$tmp/wide.db" --games 40 --nodes 50 --seed 3 --quiet >/dev/null || fail "selfplay: $?"
tune=(tune --db "$tmp/wide.db" --start material --terms classical --out "$tmp/wide.h" --prior 30 --patience 0 --quiet)
for command in 'weights show builtin' 'weights show classical' 'weights diff material classical' \
    "weights show $source/configs/weights/network.net" "db info $tmp/wide.db" "${tune[*]} --diff"; do
    # shellcheck disable=SC2086
    "$tabia" $command >"$tmp/lines" || fail "$command: $?"
    [ "$(widest)" -le 80 ] || fail "$command: $(LC_ALL=C.UTF-8 grep -E '.{81}' "$tmp/lines")"
done

# Manual pages fit 80 columns: lists and commands are broken.
if command -v mandoc >/dev/null; then
    for page in "$build"/man/*.1; do
        mandoc -O width=80 "$page" | col -bx >"$tmp/lines"
        [ "$(widest)" -le 80 ] || fail "$page: $(LC_ALL=C.UTF-8 grep -E '.{81}' "$tmp/lines")"
    done
fi

# A gain is green, a loss red.
pair=(--nodes 100 --games 40 --sprt elo0=0,elo1=100)
shown 80 --a material --b zero "${pair[@]}"
grep -q "^Elo    $escape\[32m+.*$escape\[0m" "$tmp/raw" && grep -q "$escape\[32mH1 accepted$escape\[0m" "$tmp/raw" ||
    fail "no green: $(cat "$tmp/raw")"
shown 80 --a zero --b material "${pair[@]}"
grep -q "^Elo    $escape\[31m-" "$tmp/raw" && grep -q "$escape\[31mH0 accepted" "$tmp/raw" || fail "no red: $(cat "$tmp/raw")"
NO_COLOR=1 shown 80 --a material --b zero "${pair[@]}"
grep -F "$escape[3" "$tmp/raw" && fail 'NO_COLOR is ignored'
NO_COLOR='' shown 80 --a material --b zero "${pair[@]}"
grep -qF "$escape[3" "$tmp/raw" || fail 'an empty NO_COLOR counts'
for TERM in dumb ''; do
    shown 80 --a material --b zero "${pair[@]}"
    grep -F "$escape" "$tmp/raw" && fail "control sequences with TERM=$TERM"
done
TERM=xterm
"$tabia" gauntlet --seed 3 --quiet --a material --b zero "${pair[@]}" | grep -F "$escape" && fail 'colours in a pipe'
for no in '' 1; do
    NO_COLOR=$no python3 "$source/tests/tools/in_terminal.py" 80 "$tabia" weights show material >"$tmp/raw"
    [ "$(grep -cF "$escape" "$tmp/raw")" -gt 0 ] && coloured=yes || coloured=no
    [ "$no$coloured" = yes ] || [ "$no$coloured" = 1no ] || fail "weights show with NO_COLOR=$no: colours: $coloured"
done

# A closed standard error takes no file's place; what goes to a closed standard output is an error.
"$tabia" gauntlet --seed 3 --a material --b zero --games 20 --nodes 500 --pgn "$tmp/games.pgn" >"$tmp/out" 2>&- || fail "a closed standard error: exit code $?"
grep -q 'games/s' "$tmp/games.pgn" && fail 'progress in the games'
[ "$(grep -c '^\[Event ' "$tmp/games.pgn")" = 20 ] || fail 'games are missing'
"$tabia" help >&- 2>"$tmp/err" && fail 'a closed standard output: exit code 0'
grep -q 'cannot write to standard output' "$tmp/err" || fail "a closed standard output: $(cat "$tmp/err")"

finish
