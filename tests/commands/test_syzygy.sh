#!/bin/bash
# SPDX-License-Identifier: MIT
# Syzygy: the UCI options, and real three-piece files (made by make_syzygy, as no package ships any)
# with the same results through Fathom and in Stockfish.
#   test_syzygy.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
engine=$build/tabia-engine
"$engine" uci | grep -q '^option name SyzygyPath ' || { echo "this build has no Fathom library"; exit 77; }

"$build/make_syzygy" "$tmp" >"$tmp/out" || fail "make_syzygy: exit code $?"
grep -qx 'KQvK: at most 19 plies' "$tmp/out" || fail "make_syzygy: $(cat "$tmp/out")"
path="setoption name SyzygyPath value $tmp"

# session NAME COMMAND…: the last line of information and the move, in $tmp/out.
session() {
    name=$1
    shift
    "$engine" "$@" >"$tmp/out" 2>"$tmp/err"
    local code=$? errors=0
    grep -q '^info string error: ' "$tmp/out" && errors=1
    [ $code = $errors ] || fail "$name: exit code $code"
}
prints() { grep -qE -- "$1" "$tmp/out" || fail "$name: no line /$1/: $(tail -2 "$tmp/out")"; }
lacks() { grep -qE -- "$1" "$tmp/out" && fail "$name: unwanted line /$1/"; }

session options uci
for option in 'SyzygyPath type string default <empty>' 'SyzygyProbeDepth type spin default 1 min 1 max 100' \
    'Syzygy50MoveRule type check default true' 'SyzygyProbeLimit type spin default 7 min 0 max 7'; do
    prints "^option name $option\$"
done

rook='position fen 8/8/8/3k4/8/8/8/KR6 w - - 0 1'
late='position fen 8/8/8/3k4/8/8/8/KR6 w - - 90 80'
session win "$path" "$rook" 'go depth 3'
prints '^info string Syzygy files of up to 3 pieces$'
prints '^info depth 3 .* score cp 31743 .* tbhits [1-9]'
session 'too late' "$path" "$late" 'go depth 3'
prints '^info depth 3 .* score cp 1 '
session 'stopped within an iteration' "$path" "$late" 'go nodes 3000'
[[ "$(grep '^info depth' "$tmp/out" | tail -1)" =~ \ score\ cp\ 1\ .*\ tbhits\ [1-9] ]] || fail "$name: $(tail -2 "$tmp/out")"
session 'without the rule' "$path" 'setoption name Syzygy50MoveRule value false' "$late" 'go depth 3'
prints '^info depth 3 .* score cp 31743 '
session 'probe limit' "$path" 'setoption name SyzygyProbeLimit value 2' "$rook" 'go depth 3'
prints '^info depth 3 .* tbhits 0 '
session 'set before the path' 'setoption name SyzygyProbeLimit value 2' "$path" "$rook" 'go depth 3'
prints '^info depth 3 .* tbhits 0 '
session 'probe depth' "$path" 'setoption name SyzygyProbeDepth value 50' 'position fen 8/8/8/8/k7/8/1pK4P/8 w - - 0 1' 'go depth 6'
prints '^info depth 6 .* tbhits 0 '
session 'taken away' "$path" 'setoption name SyzygyPath value <empty>' "$rook" 'go depth 3'
prints '^info depth 3 .* tbhits 0 '
session 'several folders' "setoption name SyzygyPath value /no/such/folder:$tmp" "$rook" 'go depth 3'
prints '^info depth 3 .* score cp 31743 '
session 'no tables' 'setoption name SyzygyPath value /no/such/folder' "$rook" 'go depth 3'
prints '^info string error: no Syzygy files in /no/such/folder$'
prints '^info depth 3 .* tbhits 0 '
session 'several lines' "$path" 'setoption name MultiPV value 2' "$rook" 'go depth 3'
prints ' multipv 2 '
session 'hostile' "$path" 'setoption name SyzygyProbeDepth value 0' 'setoption name SyzygyProbeLimit value x' \
    'setoption name Syzygy50MoveRule value perhaps' "$rook" 'go depth 1'
[ "$(grep -c '^info string error: ' "$tmp/out")" = 3 ] || fail "hostile: not 3 errors"
prints '^bestmove '

# A damaged file affects only its own endgame.
mkdir "$tmp/damaged"
cp "$tmp"/*.rtb? "$tmp/damaged"
printf 'XXXX' | dd of="$tmp/damaged/KRvK.rtbw" conv=notrunc 2>/dev/null
session 'damaged table' "setoption name SyzygyPath value $tmp/damaged" "$rook" 'go depth 3' \
    'position fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1' 'go depth 3'
prints '^info depth 3 .* tbhits 0 '
prints '^info depth 3 .* score cp 31743 '

# From won positions the engine mates by Syzygy alone, at one ply of search.
moves=''
for ply in $(seq 45); do
    session mating "$path" "position fen 8/8/8/3k4/8/8/8/KR6 w - - 60 80 moves$moves" 'go depth 1'
    move=$(grep -oE '^bestmove [a-h1-8]+' "$tmp/out" | cut -d' ' -f2)
    [ -n "$move" ] || break
    moves="$moves $move"
done
prints '^bestmove 0000$'
prints '^info depth 0 score mate 0$'
[ "$ply" -le 40 ] || fail "mating: more than the 39 plies that the fifty-move rule leaves"

# The signature does not depend on Syzygy.
nodes_of() { "$engine" "$@" | tail -2 | head -1 | grep -oE '^[0-9]+'; }
if sanitized; then
    bench='bench 7' signature=$(nodes_of 'bench 7')
else
    bench=bench signature=$(cat "$2/tests/bench.signature")
fi
nodes=$(nodes_of "$path" "$bench")
[ -n "$nodes" ] && [ "$nodes" = "$signature" ] || fail "bench with tables: $nodes nodes, not $signature"

# Games adjudicated by Syzygy: the reason is stored, checked and written; the set is part of the run.
printf '8/8/8/8/k7/8/1pK4P/8 w - - 0 1\n7k/8/8/8/8/8/pK5P/8 w - - 0 1\n' >"$tmp/openings.epd"
match() { # DB ARGS…
    local db=$1
    shift
    "$tabia" gauntlet --quiet --a material --b material --games 4 --nodes 200 --threads 2 \
        --openings "$tmp/openings.epd" --order sequential --db "$db" "$@" >"$tmp/out" 2>"$tmp/err"
}
match "$tmp/games.db" --tb "$tmp" --pgn "$tmp/games.pgn" || fail "gauntlet --tb: $(cat "$tmp/err")"
[ "$(grep -c '{tablebase}' "$tmp/games.pgn")" = 4 ] || fail "gauntlet --tb: $(cat "$tmp/games.pgn")"
[ "$(grep -c '^\[Termination "adjudication"\]' "$tmp/games.pgn")" = 4 ] || fail "gauntlet --tb: terminations"
[ "$(grep '^\[Result' "$tmp/games.pgn" | sort | uniq -c | tr -s ' ' | tr '\n' ',')" = ' 2 [Result "1-0"], 2 [Result "1/2-1/2"],' ] ||
    fail "gauntlet --tb: results $(grep '^\[Result' "$tmp/games.pgn")"
"$tabia" db check "$tmp/games.db" >"$tmp/out" 2>&1 || fail "db check: $(cat "$tmp/out")"
"$tabia" db info "$tmp/games.db" | grep -q tablebase || fail "db info does not name the reason tablebase"
config=$("$tabia" db sql "$tmp/games.db" "SELECT config FROM runs" 2>&1)
grep -q 'table_men.*3.*table_count.*5.*table_ignore_rule50.*0' <<<"$config" || fail "the run's configuration: $config"
mkdir "$tmp/moved"
cp "$tmp"/*.rtb? "$tmp/moved"
"$tabia" selfplay --quiet --db "$tmp/self.db" --games 4 --nodes 100 --tb "$tmp" >"$tmp/a" 2>&1 || fail "selfplay --tb: $(cat "$tmp/a")"
"$tabia" selfplay --quiet --db "$tmp/self.db" --games 6 --nodes 100 --tb "$tmp/moved" >"$tmp/a" 2>&1 ||
    fail "selfplay with the same tables elsewhere: $(cat "$tmp/a")"
rm "$tmp/moved/KPvK.rtbw"
for change in "--tb $tmp/moved" "--tb $tmp --tb-ignore50" ''; do
    "$tabia" selfplay --quiet --db "$tmp/self.db" --games 8 --nodes 100 $change >"$tmp/a" 2>&1
    [ $? = 2 ] && grep -q 'other settings (table_' "$tmp/a" || fail "selfplay goes on with '$change': $(cat "$tmp/a")"
done
refused() { # CODE TEXT ARGS…
    local code=$1 text=$2
    shift 2
    "$tabia" selfplay --quiet --db "$tmp/none.db" --games 2 "$@" >"$tmp/a" 2>&1
    [ $? = "$code" ] && grep -qF -- "$text" "$tmp/a" || fail "selfplay $*: $(cat "$tmp/a")"
}
refused 3 '--tb: no Syzygy files in /no/such' --tb /no/such
refused 3 '--tb-men 4: the Syzygy files in' --tb "$tmp" --tb-men 4
refused 2 '--tb-men needs --tb' --tb-men 3
refused 2 '--tb-ignore50 needs --tb' --tb-ignore50
refused 2 '--tb-results needs --tb' --tb-results draw
refused 2 'win-loss or draw' --tb "$tmp" --tb-results all

# Positions in the files get their result as score, the others a search.
printf '[FEN "8/8/8/3k4/8/8/p7/1R5K w - - 0 1"]\n[SetUp "1"]\n[Result "1-0"]\n\n1. Ra1 Kd6 2. Rxa2 Kd7 3. Ra1 1-0\n' >"$tmp/rook.pgn"
"$build/tabia" db import "$tmp/rook.db" "$tmp/rook.pgn" --quiet >"$tmp/out" && "$build/tabia" db rescore "$tmp/rook.db" \
    "$tmp/scored.db" --weights material --nodes 50 --tb "$tmp" --quiet >"$tmp/out" || fail 'db rescore --tb'
[ "$("$build/tabia" db sql "$tmp/scored.db" 'SELECT group_concat(abs(score) > 30000) FROM (SELECT * FROM games JOIN
    tabia_positions USING (game_id) ORDER BY ply)')" = 0,0,0,1,1 ] || fail "db rescore --tb: $(cat "$tmp/out")"

# Stockfish reads the same results out of the same files.
stockfish=$(command -v stockfish || command -v /usr/games/stockfish)
[ -n "$stockfish" ] || { echo "stockfish is not installed: tables not judged by it"; finish; }
awk 'BEGIN {
    srand(5)
    for (n = 0; n < 1500; n++) {
        do { a = int(64 * rand()); b = int(64 * rand()); c = int(64 * rand()) } while (a == b || a == c || b == c)
        man = substr("PNBRQpnbrq", 1 + int(10 * rand()), 1)
        fen = ""
        for (rank = 7; rank >= 0; rank--) {
            for (file = 0; file < 8; file++) {
                sq = 8 * rank + file
                fen = fen (sq == a ? "K" : sq == b ? "k" : sq == c ? man : 1)
            }
            fen = fen (rank ? "/" : "")
        }
        for (i = 8; i > 1; i--) gsub(substr("11111111", 1, i), i, fen)
        print "position fen " fen (rand() < 0.5 ? " w" : " b") " - - 0 1\nd"
    }
}' >"$tmp/random"
"$engine" <"$tmp/random" | sed -n 's/^Fen: //p' | awk '!seen[$0]++' | grep -v rnbqkbnr >"$tmp/fens"
{ # the last position is set when the last search has ended
    echo "$path"
    sed 's/.*/position fen &\ngo depth 1/' "$tmp/fens"
    echo 'position startpos'
} | "$engine" >"$tmp/out"
awk '/^info depth/ { for (i = 1; i < NF; i++) if ($i == "score") v = ($(i + 1) == "mate" && $(i + 2) == 0 ? -1 : $(i + 2) + 0) }
     /^bestmove/ { print (v > 0 ? "Win" : v < 0 ? "Loss" : "Draw") }' "$tmp/out" >"$tmp/ours"
{ echo "$path"; sed 's/.*/position fen &\nd/' "$tmp/fens"; } | "$stockfish" >"$tmp/out"
sed -n 's/^Tablebases WDL: *\([A-Za-z]*\) (.*/\1/p' "$tmp/out" >"$tmp/theirs"
[ "$(wc -l <"$tmp/fens")" -gt 800 ] || fail "Stockfish: only $(wc -l <"$tmp/fens") positions"
[ "$(wc -l <"$tmp/fens")" = "$(wc -l <"$tmp/theirs")" ] || fail "Stockfish answers $(wc -l <"$tmp/theirs") positions"
cmp "$tmp/ours" "$tmp/theirs" || fail "Stockfish: $(paste "$tmp/fens" "$tmp/ours" "$tmp/theirs" | awk -F'\t' '$2 != $3' | head -3)"
[ "$(sed -n 's/^Tablebases DTZ: *\(-*[0-9]*\) (\([^F].*\)/\1/p' "$tmp/out" | wc -l)" = "$(wc -l <"$tmp/fens")" ] ||
    fail "Stockfish fails to read distances"

finish
