#!/bin/bash
# SPDX-License-Identifier: MIT
# The examples of the help texts, run as they stand, with the files that earlier ones make. One that would take long is
# interrupted after a second.
#   test_help_examples.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
cd "$tmp" || exit 1

mkdir bin
ln -s "$tabia" "$build/tabia-engine" bin
ln -s "$build/tabia-engine" bin/stockfish
ln -s "$build/tabia-engine" engine
echo 'UCI_Elo, int, 1300, 1150, 2150, 150, 0.05' >options.txt
PATH=$tmp/bin:$PATH

# What the examples make when they run to their end, and two files that the documents describe.
tabia selfplay --db games.db --games 10 --nodes 5000 --quiet >made || fail "games.db: $?"
tabia selfplay --db part2.db --first-game 10k --games 2 --nodes 5000 --quiet >made || fail "part2.db: $?"
tabia gauntlet --engine name=deep,weights=builtin,nodes=100 --engine name=quick,weights=zero,nodes=50 --games 4 \
    --pgn games.pgn --quiet >made || fail "games.pgn: $?"
tabia openings --out book.epd.zst --count 20 --quiet >made || fail "book.epd.zst: $?"
cp "$source/configs/weights/classical.h" new.h
echo 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400' >suite.epd
tabia db export games.db counted.epd --quiet >made || fail "counted.epd: $?"
echo '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;' >wac.epd
ln -s "$source/configs" configs
tabia gauntlet --a builtin --b material --games 4 --nodes 50 --db games.db --quiet >made || fail "a match: $?"
tabia learn --from zero --dir finished --generations 1 --games 60 --nodes 50 --final-games 4 --quiet >made || fail "run: $?"
python3 "$source/tests/tools/count_features.py" counted.epd >counts.features || fail "counts.features: $?"

# runs COMMAND: the shell runs it as it is typed; it ends well or can be interrupted.
count=0
runs() {
    echo "$1" >example
    timeout --preserve-status -s INT 1 bash example >out 2>err </dev/null
    local code=$?
    [ $code = 0 ] || [ $code = 130 ] || fail "exit code $code: $1: $(cat err)"
    count=$((count + 1))
}

for command in learn spsa selfplay openings db tune train weights gauntlet elo perft search bench report; do
    [ $command = report ] && rm -r run && mv finished run
    tabia $command --help | sed '1,/^Examples:$/d' >examples
    [ -s examples ] || fail "$command has no examples"
    example=
    while IFS= read -r line; do
        [[ $line = '  tabia '* ]] && [ -n "$example" ] && runs "$example" && example=
        example+=${line#  }$'\n'
    done < <(grep -v -e '^$' -e mpirun -e '--a-rev' examples) # those need other programs: test_mpi.sh, test_revisions.sh
    runs "$example"
done
[ $count -ge 40 ] || fail "only $count examples"

finish
