#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs of an earlier version, kept in tests/data/runs: the commands that began them go on, and what decides their games
# is refused or begins another run when it changes. Commit b6c6a67 wrote them, with the commands below; they stay as they
# are. In headers of weights "@8" is a row of eight zeros, "@64" are eight such rows. Of the rows of fits only the
# settings and the digest are kept.
#   test_stored_runs.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
cd "$tmp" || exit 1
python3 -c 'import sqlite3' 2>/dev/null || { echo "skipped: no sqlite3 of Python"; exit 77; }

# stored NAME FILE.db: the database, as if the search of this build had played its games.
signature=$(cat "$source/tests/bench.signature")
stored() {
    python3 "$source/tests/tools/stored_run.py" "$2" "$signature" "$source"/tests/data/{version_3,"runs/$1"}.sql &&
        "$tabia" db upgrade "$2" >/dev/null || fail "restoring $1"
}
count() { "$tabia" db sql "$1" "SELECT count(*) FROM $2"; }

# digest FILE.db WANTED: what the commit that began them played in the end, if this is still the same search.
digest() {
    [ "$signature" != 10750270 ] || [ "$("$tabia" db digest "$1")" = "$2" ] || fail "$1: digest $("$tabia" db digest "$1")"
}

# The files that those commands named.
printf '%s\n' 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -' \
    'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -' '8/5k2/8/8/8/8/2K5/6R1 w - -' >book.epd
printf '[White "one"]\n[Black "two"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n' >games.pgn
printf '%s\n' 'rfp_margin, int, 130, 20, 200, 9, 0.02' 'MATERIAL[1-4].mg, int, 1000, 500, 1800, 60, 0.02' >values.txt
head -n 1 values.txt >constants.txt
echo 'UCI_Elo, int, 1300, 1150, 2150, 300, 0.05' >options.txt
printf '#!/bin/sh\nexec "$ENGINE"\n' >engine
chmod +x engine
export ENGINE=$build/tabia-engine

# ---- Fits and an import: the same again
stored games games.db
columns=weights_id,start_id # a digest of positions holds the signature, too
[ "$signature" != 10750270 ] || columns+=,dataset_digest
fits=$("$tabia" db sql games.db "SELECT $columns FROM fits")
tune() { "$tabia" tune --db games.db --no-errors --quiet "$@" >/dev/null 2>err || fail "tune $*: $(cat err)"; }
tune --start zero --lambda 1 --prior 20 --out fit.h
tune --start material --out fit2.h --min-ply 1 --max-score 900 --lambda 0.5 --loss cross-entropy --prior 5 --prior-toward zero \
    --keep-noisy --duplicates mean --draw-weight 0.5 --mirror tied --folds 2 --freeze KING_PST --terms classical
[ "$("$tabia" db sql games.db "SELECT $columns FROM fits WHERE fit_id > 2")" = "$fits" ] ||
    fail "other fits: $("$tabia" db sql games.db 'SELECT * FROM fits')"
[ "$("$tabia" db sql games.db "SELECT count(*) FROM fits AS a JOIN fits AS b ON b.fit_id = a.fit_id + 2, json_tree(a.json) AS e
    WHERE e.atom IS NOT b.json ->> e.fullkey AND e.type NOT IN ('object', 'array') AND e.fullkey <> '\$.source'
        AND (e.fullkey <> '\$.digest' OR $signature = 10750270)")" = 0 ] || fail "other settings in the rows of fits"
"$tabia" db import games.db games.pgn --quiet >/dev/null 2>err || fail "import: $(cat err)"
[ "$(count games.db games)" = 15 ] || fail "an import is not known again"

# ---- Self-play: a third game, or with another setting none. OPTIONS | OLD | NEW | DIFFERENCE
while IFS='|' read -r options old new difference; do
    # shellcheck disable=SC2086
    play() { "$tabia" selfplay --db games.db --nodes 10 --max-plies 12 --compact --threads 1 --games 3 --json --quiet $1; }
    play "$options" >/dev/null 2>err || fail "selfplay $options: $(cat err)"
    outcome 2 "other settings ($difference)" play "${options/"$old"/"$new"}"
done <<'END'
--seed 1 --weights zero|zero|material|weights 420b5fb0ef30 instead of 1aec2f05f3da
--seed 2 --weights zero --openings book.epd --order sequential --opening-start 2 --random-plies 2|start 2|start 1|book_start 0 instead of 1
--seed 3 --weights zero --random-move 0.2 --random-until 6 --vary-margin 30 --vary-until 8 --pool zero,material|-margin 30|-margin 31|vary_margin 31 instead of 30
--seed 4 --weights zero --chess960 --random-plies 0|--chess960|--double-chess960|base "double chess960" instead of "chess960"
--seed 5 --weights zero --double-chess960 --opening-max-score 500|500|501|opening_max_score 501 instead of 500
--seed 6 --weights zero --depth 2 --hash 1 --adjudicate-win score=900,plies=3,sides=one --adjudicate-draw score=5,plies=4,from=8,resets=yes|,sides=one||win_one_sided none instead of 1
--seed 7 --weights material --adjudicate-win none --adjudicate-draw none|--adjudicate-draw none||draw_plies 12 instead of 0
END
[ "$(count games.db games) $(count games.db runs)" = '22 8' ] || fail "self-play: $("$tabia" db info games.db)"
digest games.db 318bb208f8af9eff75d8d50c5f4d0e5cb60d34cc5a0834ea04278c95f5255b01

# ---- Matches: more games, or with another setting another match. GAMES | OPTIONS | OLD | NEW
stored gauntlet gauntlet.db
runs=7
while IFS='|' read -r games options old new; do
    before=$(count gauntlet.db games)
    # shellcheck disable=SC2086
    match() { "$tabia" gauntlet --db gauntlet.db --max-plies 8 --threads 1 --quiet $1 >out 2>err || fail "gauntlet $1: $(cat err)"; }
    match "$options --games 4"
    [ "$(count gauntlet.db games) $(count gauntlet.db runs)" = "$((before + games)) $runs" ] || fail "gauntlet $options began anew"
    match "${options/"$old"/"$new"} --games 2"
    runs=$((runs + 1))
    [ "$(count gauntlet.db runs)" = $runs ] || fail "gauntlet $options: $new is not another match"
done <<'END'
2|--seed 1 --a zero --b material --nodes 10 --sprt elo0=0,elo1=5|10|11
2|--seed 2 --engine name=one,weights=zero,nodes=10,hash=2,option.rfp_margin=100 --engine name=two,weights=material,depth=2 --openings book.epd|margin=100|margin=101
2|--seed 3 --engine cmd=./engine,args=-q,option.Hash=2,nodes=20 --engine weights=zero,nodes=10 --random-plies 3|Hash=2|Hash=3
6|--seed 4 --tournament roundrobin --opening-policy round --engine weights=zero --engine name=m,weights=material --engine name=deep,weights=zero,depth=1 --each nodes=10|--opening-policy round|
6|--seed 5 --seeds 2 --no-reverse --engine weights=zero --engine name=m,weights=material --engine name=deep,weights=zero,depth=1 --each nodes=10 --chess960|--no-reverse|
2|--seed 6 --a zero --b material --tc 4/2+0.01|4/2|5/2
2|--seed 7 --engine weights=zero,st=0.02,timemargin=1000 --engine name=fast,weights=zero,tc=1+0.01,threads=2|threads=2|threads=1
END

# ---- Tuning by matches: nothing is played again; with another setting it begins beside. OPTIONS | OLD | NEW
stored spsa spsa.db
runs=6
while IFS='|' read -r options old new; do
    # shellcheck disable=SC2086
    spsa() { "$tabia" spsa --db spsa.db --iterations 2 --games 2 --nodes 10 --max-plies 8 --threads 1 --quiet $1 >out 2>err || fail "spsa $1: $(cat err)"; }
    spsa "$options"
    [ "$(count spsa.db runs)" = $runs ] || fail "spsa $options began anew"
    spsa "${options/"$old"/"$new"}"
    [ "$(count spsa.db runs)" -gt $runs ] || fail "spsa $options: $new changes nothing"
    runs=$(count spsa.db runs)
done <<'END'
--seed 1 --params values.txt --weights material|material|builtin
--seed 2 --params constants.txt --weights material --openings book.epd --opening-start 2 --alpha 0.5|start 2|start 3
--seed 3 --params options.txt --engine cmd=./engine,option.UCI_LimitStrength=true|=true|=false
END

# ---- Learning: the next generation, or with another setting none; --strength-games, whose default is another, did not
# exist. NAME | OPTIONS | OLD | NEW | DIFFERENCE
while IFS='|' read -r name options old new difference; do
    mkdir "$name"
    stored "learn_$name" "$name/learn.db"
    # shellcheck disable=SC2086
    learn() { "$tabia" learn --seed 3 --dir "$name" --max-plies 40 --nodes 10 --threads 1 --generations 2 --strength-games 0 --json --quiet $1; }
    outcome 2 "other settings ($difference)" learn "${options/"$old"/"$new"}"
    cp -r "$name" "$name.resumed"
    learn "$options" >/dev/null 2>err || fail "learn $options: $(cat err)"
    "$tabia" learn --dir "$name.resumed" --resume --generations 2 --threads 1 --quiet >/dev/null 2>err || fail "learn --resume: $(cat err)"
    [ "$("$tabia" db digest "$name/learn.db")" = "$("$tabia" db digest "$name.resumed/learn.db")" ] &&
        diff -r "$name/weights" "$name.resumed/weights" || fail "learn --resume: $name goes on otherwise"
    [ "$("$tabia" db sql "$name/learn.db" 'SELECT group_concat(stage) FROM generations')" = proved,proved,proved ] || fail "learn: $name"
done <<'END'
plain|--from zero --games 8 --final-games 0|games 8|games 9|games 9 instead of 8
many|--from zero --games 12 --depth 3 --hash 1 --terms classical --decay 0.5 --prior auto --validation 0.2 --pool last:2 --nodes-growth 2 --nodes-max 30 --mirror-until 1 --late-from 2 --late-lambda 0.3 --random-move 0.1 --random-until 90 --random-decay 0.8 --first-random-move 0.5 --first-random-until 300 --vary-margin 20 --vary-until 10 --window 3 --chess960 --random-plies 4 --opening-max-score 700 --keep-checks --keep-noisy --keep-unscored --require-quiet --no-drop-drawn --max-score 1500 --min-ply 6 --lambda 0.7 --army 3800 --iterations 20 --patience 4 --adjudicate-win score=900,plies=3 --adjudicate-draw score=5,plies=8,from=40,resets=yes --final-games 2|--terms classical||terms none instead of "classical"
network|--from material --games 8 --final-games 0 --network 16 --network-from 2 --network-window 2 --network-games 6 --network-nodes 12 --network-epochs 1 --network-lambda 0.2|-epochs 1|-epochs 2|network_epochs 2 instead of 1
cut|--from zero --games 12 --gauntlet-games 4 --gauntlet-nodes 20 --sprt elo0=0,elo1=5 --final-games 2|elo1=5|elo1=6|sprt_elo1 6 instead of 5
END
digest cut/learn.db 3642843fc07c3288ae944dc1e9eeb7da0691979d4b14a8c5baec0095f30956db

finish
