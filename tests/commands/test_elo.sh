#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia elo: figures as text and JSON, ratings of games, and what it refuses.
#   test_elo.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"

# shows PATTERN ARGS…: exit code 0 and output that matches.
shows() {
    local pattern=$1 out
    shift
    out=$("$tabia" elo "$@" 2>&1) || fail "elo $*: exit code $?"
    grep -qE -- "$pattern" <<<"$out" || fail "elo $*: no \"$pattern\" in: $out"
    ! grep -qi 'nan\|inf' <<<"$out" || fail "elo $*: $out"
}

# refuses PART ARGS…: exit code 2, one line that contains PART, nothing on standard output.
refuses() {
    local part=$1 out err
    shift
    err=$("$tabia" elo "$@" 2>&1 >/dev/null)
    [ $? = 2 ] || fail "elo $*: not exit code 2"
    out=$("$tabia" elo "$@" 2>/dev/null)
    [ -z "$out" ] || fail "elo $*: prints $out"
    grep -qF -- "$part" <<<"$err" || fail "elo $*: no \"$part\" in: $err"
}

shows '^Elo +-15\.7 ± 30\.5$' --wdl 76 123 89
shows '^nElo +-20\.8 ± 40\.1$' --wdl 76 123 89
shows '^LOS +15\.5 %$' --wdl 76 123 89
shows '"games": 288, "wins": 76, "draws": 123, "losses": 89, ' --json --wdl 76 123 89
shows '"elo": -15\.69352071, "elo95": 30\.45800072, "elo_low": -46\.2723542, "elo_high": 14\.64364723, "elo_interval": "normal"' --json --wdl 76 123 89
for list in '34, 54, 63, 64, 75' '[34,54,63,64,75]' '34, 54 63 (64 75)'; do # also as words of the shell
    shows '"elo": 55\.57978042, ' --json --ptnml "$list"
    # shellcheck disable=SC2086
    shows '"elo": 55\.57978042, ' --json --ptnml $list
done
shows '"elo": 55\.57978042, ' --json --ptnml 34 54 63 64 75
shows '"llr": 2\.250367704, "llr_lower": -2\.944438979, "llr_upper": 2\.944438979, "decision": "continue"' \
    --json --ptnml 365 16618 36229 16974 390 --sprt elo0=0,elo1=2
shows '"llr": 2\.131067812, ' --json --ptnml 10789 19328 33806 19402 10543 \
    --sprt elo0=-3,elo1=1,model=logistic
shows 'LLR +120\.55 .*H1 accepted$' --wdl 4250 0 0 --sprt elo0=0,elo1=10
shows '"decision": "H0"' --json --ptnml 0 0 20000 0 0 --sprt elo0=0,elo1=5,model=logistic
shows '"elo": 0, "elo95": 6\.350210605, "elo_low": -6\.350210605, "elo_high": 6\.350210605, "elo_interval": "likelihood", "nelo": null' \
    --json --ptnml 0 0 200 0 0
shows '"elo": null, "elo95": null, "elo_low": 570\.0282451, "elo_high": null, ' --json --ptnml 0 0 0 0 100
shows '"elo_low": null, "elo_high": null, "elo_interval": null, ' --json --wdl 0 0 0
shows '"elo": 0, .* "nelo": 0, .*"los": 0\.5' --json --ptnml 1 2 3 2 1
# Few pairs: no ±, but an interval, and words.
shows '^Elo +\+190\.8 \[-348, \+554\]$' --ptnml 0 0 0 2 0
shows 'too few pairs for ±: 0 of 2 differ from the most frequent result,' --ptnml 0 0 0 2 0
shows '^LOS +89\.9 %$' --ptnml 0 0 0 2 0
shows '^Elo +\+0\.0 \[-307, \+307\]$' --ptnml 0 0 3 0 0
shows '^Elo +\+1040\.4 \[\+557, \+1853\]$' --ptnml 0 0 0 1 99
shows 'too few games for ±: 1 of 3 ' --wdl 2 1 0
shows '"elo": null' --json --wdl 0 0 0
shows '^Elo +–$' --wdl 0 0 0
shows '^Elo +won all; above \+[0-9]+ \(95 %\)$' --wdl 100 0 0
shows '^Elo +won all; above -636 \(95 %\)$' --ptnml 0 0 0 0 1
shows '^Elo +lost all; below \+636 \(95 %\)$' --ptnml 1 0 0 0 0

refuses '--wdl W D L, --ptnml A B C D E, --pgn FILE or --db FILE is needed'
refuses '--db is given twice' --db a.db --db b.db
refuses '--wdl does not go with --ptnml' --wdl --ptnml 1 2 3
refuses '--wdl needs 3 counts, not 2' --wdl 1 2
refuses '--ptnml needs 5 counts, not 3' --ptnml 1 2 3
refuses '"games.pgn" without an option; to rate games use --pgn games.pgn' games.pgn
refuses '"x" is not a count' --wdl 1 2 x
refuses '"1.5" is not a count' --wdl 1 2 1.5
refuses 'elo0 must be below elo1' --wdl 1 2 3 --sprt elo0=5,elo1=0
refuses 'normalized bounds must be within' --wdl 1 2 3 --sprt elo0=0,elo1=900
refuses 'logistic bounds must be within' --wdl 100 10 5 --sprt elo0=0,elo1=100000,model=logistic

# ---- Ratings of games

# put WHITE BLACK RESULT ROUND [FEN]: a game in PGN.
put() {
    printf '[White "%s"]\n[Black "%s"]\n[Round "%s"]\n[Result "%s"]\n%s\n1. e4 {\n[%%eval 0.3] } %s\n\n' \
        "$1" "$2" "$4" "$3" "${5:+[FEN \"$5\"]
}" "$3"
}

cd "$tmp" || exit 1
{ put A B 1-0 1; put B A 1/2-1/2 1.2; put A B 0-1 7; put A P 0-1 1; put P B 1-0 1; put Q P 0-1 1; put X Y 1-0 1
  put Y X 1-0 1; put A B '*' 1; } > small.pgn
shows '^6 players, 8 games, of them 4 in pairs; White scored 56\.2 %, drawn 12\.5 %$' --pgn small.pgn --quiet
shows '^P: left out, won every game against the others$' --pgn small.pgn --quiet
shows '^Q: left out, lost every game against the others$' --pgn small.pgn --quiet
shows '^X, Y: left out, no games connect them with the others$' --pgn small.pgn --quiet
shows '^games without a result, left out: 1$' --pgn small.pgn
shows '^ +2  Y +\+1000\.0 ' --pgn small.pgn --quiet --anchor A=10 --anchor X=1000
shows '"unrated": "won all games"' --pgn small.pgn --json --quiet
shows '"name": "A", "rating": 0, "rating95": null, "games": 4, ' --pgn small.pgn --json --quiet
shows '^6 players, 16 games, of them 8 in pairs' --quiet --pgn small.pgn <(cat small.pgn)
# Pairs are games of one opening: the round alone does not make these a pair.
{ put A B 1-0 1 x; put B A 0-1 1 y; put B A 0-1 2 x; } > fen.pgn
shows '"games": 3, "pairs": 1, ' --json --pgn fen.pgn

# An import keeps no rounds: its games from the start of chess are no pairs.
{ for i in {1..60}; do put A B $([ $((i % 2)) = 0 ] && echo 1-0 || echo 0-1) $i; done
  for i in {60..1}; do put B A $([ $((i % 2)) = 0 ] && echo 1-0 || echo 0-1) $i; done; } > rounds.pgn
"$tabia" db import rounds.db rounds.pgn --quiet >out || fail 'import'
shows '"games": 120, "pairs": 60, ' --json --pgn rounds.pgn
shows '"games": 120, "pairs": 0, ' --json --db rounds.db

# All players of a database are rated.
for i in {1..300}; do put A "P$i" 1-0 1; put "P$i" A 1-0 1; done > many.pgn
"$tabia" db import many.db many.pgn --quiet >out || fail 'import'
shows '^301 players, 600 games' --pgn many.pgn
shows '^301 players, 600 games' --db many.db
shows '^ +[0-9]+  P300 +\+50\.0 ' --db many.db --anchor P300=50
"$tabia" report many.db --anchor P99 --out many.html 2>err && fail 'an anchor without a rating'
grep -qF '"P99" is not among the 256 players with the most games' err || fail "the anchor of a page: $(cat err)"

# Standard input and compressed files
shows '^6 players, 8 games' --quiet --pgn - <small.pgn
shows '^6 players, 16 games' --quiet --pgn small.pgn - < <(cat small.pgn)
shows '^6 players, 8 games' --quiet --pgn - < <(printf '{Games}\n; of a match\n' && cat small.pgn)
gzip -k small.pgn && shows '^6 players, 8 games' --quiet --pgn small.pgn.gz
xz -k small.pgn && shows '^6 players, 8 games' --quiet --pgn small.pgn.xz

# Comments with empty lines, other line ends, byte order marks where files were joined
printf '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 {one\n\n[%%csl Gd4] two} e5 1-0\n\n' >lines.pgn
{ cat lines.pgn; printf '\357\273\277'; cat lines.pgn; } >joined.pgn
shows '^2 players, 2 games' --quiet --pgn joined.pgn
shows '^2 players, 2 games' --quiet --pgn <(tr '\n' '\r' <joined.pgn)

# Names cannot control the terminal.
{ put $'A\033[31m' B 1-0 1; put B $'A\033[31m' 1/2-1/2 1; } > names.pgn
# A ladder of players, of whom each meets the next: their ratings are far apart.
for ((i = 0; i < 800; i++)); do
    put $i $((i + 1)) 1/2-1/2 1
    put $i $((i + 1)) 1-0 1
    put $((i + 1)) $i 1-0 1
done >ladder.pgn
"$tabia" elo --pgn ladder.pgn --white-advantage >out 2>err && grep -q '^801 players' out || fail "a ladder: $(cat err)"
"$tabia" elo --pgn names.pgn | grep -q $'\033' && fail 'a name with a control character'

# bad LINE TEXT: exit code 3 and one line that names the place.
bad() {
    "$tabia" elo --pgn bad.pgn >out 2>err
    [ $? = 3 ] && [ ! -s out ] && [ "$(cat err)" = "tabia elo: bad.pgn:$1: $2" ] || fail "bad.pgn: $(cat out err)"
}
{ put A B 1-0 1; put A '' 1-0 1; } > bad.pgn && bad 9 'the game has no tag Black'
put A A 1-0 1 > bad.pgn && bad 1 '"A" plays against itself'
# Games of one player are left out; games without moves may have other tags first.
{ put A A 1-0 1; put A B 1-0 1; printf '[White "B"]\n[Black "A"]\n[Result "1-0"]\n\n[Date "?"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n'; } > alone.pgn
"$tabia" elo --pgn alone.pgn --json >out 2>err || fail "alone.pgn: $(cat err)"
grep -q '"games": 3,' out || fail "alone.pgn: $(cat out)"
[ "$(cat err)" = 'games of a player against itself, left out: 1, the first: alone.pgn:1: "A" plays against itself' ] || fail "alone.pgn: $(cat err)"
# The same of a database, with the games of self-play.
put A A 1-0 1 >itself.pgn
"$tabia" db import itself.db itself.pgn --quiet >out || fail 'import'
"$tabia" elo --db itself.db >out 2>err
[ $? = 3 ] && [ "$(cat out err)" = 'tabia elo: itself.db: no game of two players' ] || fail "itself.db: $(cat out err)"
"$tabia" db import alone.db alone.pgn --quiet >out && "$maker" selfplay --db alone.db --games 6 --nodes 20 --quiet >out || fail 'alone.db'
"$tabia" elo --db alone.db --json >out 2>err || fail "alone.db: $(cat err)"
grep -q '"games": 3,' out || fail "alone.db: $(cat out)"
[ "$(cat err)" = 'games of a player against itself, left out: 7, the first: alone.db: run 1: game 0: "A" plays against itself' ] || fail "alone.db: $(cat err)"
[ -z "$("$tabia" elo --db alone.db --quiet 2>&1 >out)" ] || fail 'alone.db with --quiet'
{ put A B 1-0 1; put A B 2-0 1; } > bad.pgn && bad 9 'the tag Result is "2-0"'
echo hello > bad.pgn && bad 1 'not PGN: a game begins with tags'
printf '[White "A"\n' > bad.pgn && bad 1 'the value of the tag White is not closed'
refuses 'no player has the name "Z"' --pgn small.pgn --quiet --anchor Z=1
refuses 'with an Elo of at most 100000' --pgn small.pgn --quiet --anchor A=1e20
refuses '"A" is given twice' --pgn small.pgn --quiet --anchor A=1 --anchor B=2 --anchor A=3
refuses '"A" is not NAME=ELO' --pgn small.pgn --quiet --anchor A
refuses '--anchor' --wdl 1 2 3 --anchor A=1
refuses '--db takes one file' --db small.pgn x

# Another program finds the same ratings and errors; the database of a match gives the same as its PGN.
"$maker" gauntlet --engine name=a,weights=builtin,nodes=200 --engine name=b,weights=builtin,nodes=120 \
    --engine name=c,weights=builtin,nodes=80 --engine name=d,weights=builtin,nodes=50 \
    --engine name=e,weights=material,nodes=120 --engine name=f,weights=material,nodes=60 \
    --tournament roundrobin --rounds 12 --db games.db --pgn games.pgn --quiet >gauntlet.txt || fail 'no match'
"$tabia" elo --pgn games.pgn --json > ratings.json || fail 'no ratings'
python3 "$source/tests/tools/ratings.py" --check ratings.json games.pgn || fail 'ratings.py disagrees'
"$tabia" elo --pgn games.pgn | grep -E '^ +[1-6]  ' > from_pgn
"$tabia" elo --db games.db | grep -E '^ +[1-6]  ' > from_db
diff from_pgn from_db || fail 'the database has other ratings than its PGN'
# Games without moves: a tag that a game has already begins the next one.
grep -E '^(\[|$)' games.pgn >tags.pgn
diff from_pgn <("$tabia" elo --pgn tags.pgn | grep -E '^ +[1-6]  ') || fail 'games without moves are rated otherwise'
printf '[Event "x"]\n[White "a"]\n[White "A"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 1-0\n' >twice.pgn
"$tabia" elo --pgn twice.pgn | grep -q '^2 players, 1 games' || fail 'a tag that stands twice begins a game'
"$tabia" db import tags.db tags.pgn --quiet | grep -q '^tags.pgn: 360 games' || fail 'games without moves are not imported'
# Two equal players of a match stay two; players of one name in other matches are numbered.
twins() { "$maker" gauntlet --engine name=dev,weights=builtin,nodes=$1 --engine name=base,weights=builtin,nodes=$1 \
    --engine weights=material,nodes=20 --tournament roundrobin --games 20 --db twins.db --quiet "${@:2}" >out || fail 'no match'; }
twins 20 --pgn twins.pgn
ranks() { "$tabia" elo "$@" | grep -E '^ +[1-9]  '; }
diff <(ranks --pgn twins.pgn) <(ranks --db twins.db) || fail 'equal players of a match are rated as one'
twins 10
[ "$(ranks --db twins.db --anchor 'base #2=100' | grep -c 'base #2  .*+100.0 ')" = 1 ] || fail 'no second base'
"$maker" gauntlet --engine name=dev,weights=builtin,nodes=20 --engine weights=zero,nodes=20 --games 2 --db twins.db --quiet >out
ranks --db twins.db | grep -q '^ *[0-9]*  dev  .* 42 ' || fail 'a later match without its twin is not of dev'
# Nor are pairs mixed up where games are missing.
"$tabia" db sample games.db part.db --games 300 --quiet >out && "$tabia" db export part.db part.pgn --quiet >out &&
    "$tabia" db import again.db part.pgn --quiet >out || fail 'no sample'
for from in '--pgn part.pgn' '--db part.db' '--db again.db'; do # shellcheck disable=SC2086
    "$tabia" elo $from | grep -E '^ +[1-6]  ' > "from_${from#--}"
done
diff 'from_pgn part.pgn' 'from_db part.db' || fail 'a sample has other pairs than its PGN'
diff 'from_pgn part.pgn' 'from_db again.db' || fail 'an import has other pairs than its PGN'
refuses 'to rate games use --db games.db' games.db
for i in a b c d e f; do
    [ "$(awk -v i=$i '$2 == i && NF > 8 { print $3, $4; exit }' gauntlet.txt)" = \
        "$(awk -v i=$i '$2 == i && NF > 8 { print $3, $4; exit }' from_pgn)" ] || fail "$i is rated otherwise in the match"
done

finish
