# SPDX-License-Identifier: MIT
# The commands that write, on small files; sourced after prelude.sh, in $tmp. What they start from is in $tmp/base.

ln -s "$build/fake_engine" engine
engine_path=$tmp/engine
engine="cmd=$engine_path,nodes=20,stall=5s,init=5s"
declare -A args=(
    [selfplay]="selfplay --db a.db --games 6 --nodes 40 --seed 3 --threads 1"
    [continue]="selfplay --db g.db --games 9 --nodes 40 --seed 3 --threads 1"
    [match]="gauntlet --a builtin --b material --games 6 --max-plies 30 --nodes 20 --seed 3 --db m.db --pgn m.pgn --threads 1"
    [pgn]="gauntlet --a builtin --b material --games 4 --max-plies 30 --nodes 20 --seed 3 --pgn old.pgn --threads 1"
    [engines]="gauntlet --engine name=a,weights=zero,nodes=20 --engine name=b,$engine --games 4 --max-plies 20 --seed 3 --db m.db --threads 1"
    [learn]="learn --from zero --dir d --generations 2 --games 8 --nodes 20 --nodes-growth 1 --gauntlet-games 4 --gauntlet-nodes 20 --final-games 4 --iterations 3 --validation 0 --seed 7 --threads 1"
    [tune]="tune --db g.db --out old.h --validation 0.2 --iterations 3 --freeze *_PST --threads 1"
    [checkpoint]="tune --db g.db --out old.h --validation 0.2 --iterations 12 --no-errors --checkpoint state --threads 1"
    [train]="train --db g.db --out old.net --hidden 16 --epochs 3 --batch 64 --checkpoint state --threads 1"
    [spsa]="spsa --params scales --db s.db --iterations 3 --games 4 --nodes 20 --max-plies 30 --out old.txt --weights-out old.h --threads 1"
    [import]="db import a.db g.pgn.zst --threads 1"
    [add]="db import g.db other.pgn --threads 1"
    [export]="db export g.db old.pgn --force --threads 1"
    [compressed]="db export g.db old.epd.zst --force --threads 1"
    [merge]="db merge g.db other.db"
    [new]="db merge a.db g.db other.db"
    [split]="db split g.db a.db b.db --fractions .5,.5"
    [sample]="db sample g.db a.db --games 3"
    [dedup]="db dedup twice.db a.db"
    [rescore]="db rescore g.db a.db --weights material --nodes 40 --threads 1"
    [materialize]="db materialize compact.db --threads 1"
    [vacuum]="db vacuum g.db"
    [upgrade]="db upgrade v1.db"
    [shuffle]="db shuffle g.epd old.epd --seed 3 --force"
    [report]="report g.db --out old.html"
    [weights]="weights emit builtin --out old.h"
    [openings]="openings --out old.epd --count 5 --threads 1"
)
commands="selfplay continue match pgn engines learn tune checkpoint train spsa import add export compressed merge new split sample dedup
    rescore materialize vacuum upgrade shuffle report weights openings"

# Text that differs between equal runs: times, rates and dates.
timeless() { sed -E '/^$|^\[(Date|UTC|Time|.*Time)/d; s/[0-9.]+ ?(s|seconds|games\/s)\b//g' "$@"; }

# untouched DATABASE: it is that of $tmp/base.
untouched() { [ ! -e $1-wal ] && [ ! -e $1-journal ] && cmp -s $1 ../base/$1; }

contents() { "$tabia" db digest $1 && "$tabia" db sql $1 'SELECT count(*), sum(score) FROM positions'; }

# The files of this folder as text that is equal for equal games and weights.
result() {
    local file
    for file in a.db b.db g.db m.db s.db compact.db v1.db d/learn.db; do
        if untouched $file; then
            cat ../$file.contents
        elif [ -e $file ]; then
            contents $file
        fi
    done
    for file in m.pgn old.pgn old.h old.txt old.net old.epd old.epd.zst; do
        [ ! -e $file ] || { zstd -dcf $file 2>/dev/null || cat $file; } | timeless | sha256sum
    done
    [ ! -e d ] || (cd d && sha256sum best.h weights/*.h && timeless results.txt | sha256sum && ls)
    [ ! -e old.html ] || tail -n 1 old.html
}

mkdir base && cd base || exit 1
must() { "$@" >"$tmp/out" 2>&1 || { echo "FAILED: $*: $(cat "$tmp/out")"; exit 1; }; }
must "$tabia" selfplay --db g.db --games 6 --nodes 40 --seed 3 --threads 1 --quiet
must "$tabia" selfplay --db other.db --games 4 --nodes 40 --seed 4 --threads 1 --quiet
must "$tabia" selfplay --db compact.db --games 6 --nodes 40 --seed 3 --threads 1 --quiet --compact
must "$tabia" db export g.db g.pgn.zst --quiet
must "$tabia" db export g.db g.epd --quiet
sed -i '13,$d' g.epd # each position may need a file of its own to be shuffled
must "$tabia" db export other.db other.pgn --quiet
must "$tabia" db merge twice.db g.db
must "$tabia" db import twice.db other.pgn --quiet
must "$tabia" db merge twice.db other.db
must sqlite3 v1.db <"$source/tests/data/version_1.sql"
for file in *.db; do contents $file >../$file.contents 2>&1; done
for file in old.h old.txt old.net old.epd old.epd.zst old.pgn old.html; do echo "; old" >$file; done
cd ..

# A new folder with what the commands start from.
fresh() {
    cd "$tmp" && rm -rf work && cp -r base work && cd work || exit 1
}
