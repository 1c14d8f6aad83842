#!/bin/bash
# SPDX-License-Identifier: MIT
# OpenBench's DATAGEN without its server: openings from the engine, games, and archives as the client makes them
# (AndyGrant/OpenBench, Client/genfens.py, pgn_util.py); `tabia db import` of the archive has every move and score.
#   test_datagen.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
for tool in bzip2 gzip xz lz4 tar; do
    command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
cp "$build/tabia-engine" "$tmp/" && cd "$tmp" || exit 1

# book N EXTRA: prints N openings from each of two processes, as EPD.
book() {
    local seed
    for seed in 1518347210 18446744073; do
        timeout 15 ./tabia-engine "genfens $1 seed $seed book None $2" quit
    done | sed -n 's/^info string genfens \(.*\) \([0-9]*\) \([0-9]*\)$/\1 hmvc \2; fmvn \3;/p' >book.epd
    [ "$(wc -l <book.epd)" = $((2 * $1)) ] || fail "genfens $*: $(wc -l <book.epd) openings"
}

# pack HOW <PGN: filters PGN as the client does: some tags, and in comments the score (compact) or score,
# depth/selective depth, milliseconds and nodes (verbose; ours has no nodes).
pack() {
    awk -v how="$1" '
        /^\[(Event|Site|Date|Round|White|Black|Result|FEN|TimeControl|Variant) / {print; next}
        /^\[/ {next}
        /^$/ {if (text != "") print text "\n"; else print ""; text = ""; next}
        {text = text (text == "" ? "" : " ") $0}
        END {if (text != "") print text}' |
        sed -E 's/(^| )[0-9]+\.+ /\1/g' |
        if [ "$1" = compact ]; then
            sed -E 's/\{([-+]?M?[0-9.]+)\/[^}]*\}/{\1}/g'
        else
            sed -E 's/\{([-+]?M?[0-9.]+)\/([0-9]+) ([0-9]+)\.([0-9]{3})s[^}]*\}/{\1 \2\/\2 \3\4 300}/g'
        fi
}

# datagen NAME EXTRA: twelve games, two from each of six openings; the import equals the games.
datagen() {
    local name=$1 extra=$2 how want got
    book 3 "$extra"
    "$tabia" gauntlet --engine name=dev,cmd=./tabia-engine,nodes=300 --engine name=base,cmd=./tabia-engine,nodes=300 \
        --games 12 --openings book.epd --order random --seed 7 --pgn "$name.pgn" --threads 2 --quiet >/dev/null 2>err ||
        fail "$name: no match: $(cat err)"
    "$tabia" db import "$name.db" "$name.pgn" --quiet >/dev/null
    want=$("$tabia" db digest --moves "$name.db")
    for how in verbose compact; do
        pack $how <"$name.pgn" | bzip2 >7.1.0.pgn.bz2
        tar -cf 7.pgn.tar 7.1.0.pgn.bz2 && rm 7.1.0.pgn.bz2
        tar -xf 7.pgn.tar
        rm -f back.db
        "$tabia" db import back.db 7.1.0.pgn.bz2 --quiet >out 2>err || fail "$name, $how: $(cat err)"
        got=$("$tabia" db digest --moves back.db)
        [ -n "$got" ] && [ "$got" = "$want" ] || fail "$name, $how: other moves or scores came back: $(cat out)"
        "$tabia" db check back.db --quiet >/dev/null || fail "$name, $how: db check"
    done
    # Guards against scores lost on both sides: most moves have one.
    got=$("$tabia" db sql back.db 'SELECT sum(score <> 32767) > 0.8 * count(*) FROM tabia_positions')
    [ "$got" = 1 ] || fail "$name: moves without scores"
    pack verbose <"$name.pgn" | bzip2 >times.pgn.bz2
    "$tabia" db import times.db times.pgn.bz2 --quiet >/dev/null
    got=$("$tabia" db sql times.db 'SELECT count(*), sum(clock IS NOT NULL) FROM games WHERE nodes > 0')
    [ "$got" = '12|12' ] || fail "$name: games with nodes and times: $got"
    rm times.db
}

datagen standard ''
datagen frc frc

# Concatenated, truncated and damaged archives
pack compact <standard.pgn >games
half=$(($(stat -c %s games) / 2))
for packing in bzip2:bz2 gzip:gz xz:xz "lz4 -q:lz4"; do
    packer=${packing%:*} ending=pgn.${packing#*:}
    { head -c "$half" games | $packer; tail -c +$((half + 1)) games | $packer; } >two.$ending
    "$tabia" db import two.db two.$ending --quiet >/dev/null
    [ "$("$tabia" db digest --moves two.db)" = "$("$tabia" db digest --moves standard.db)" ] || fail "$packer: two streams in a file"
    head -c 3000 two.$ending >cut.$ending
    "$tabia" db import cut.db cut.$ending --quiet >out 2>err
    [ $? = 3 ] && grep -q "cut.$ending: cut off" err || fail "cut off: $(cat err)"
    { head -c 2000 two.$ending; printf spoilt; tail -c +2007 two.$ending; } >bad.$ending
    "$tabia" db import bad.db bad.$ending --quiet >out 2>err
    [ $? = 3 ] && grep -q "bad.$ending" err || fail "spoilt: $(cat err)"
    [ ! -e bad.db ] || [ "$("$tabia" db sql bad.db 'SELECT count(*) FROM games')" = 0 ] || fail "games of a spoilt archive"
    rm two.db
done
for ending in bz2 gz xz lz4; do
    "$tabia" db export standard.db out.pgn.$ending --quiet >out 2>err
    [ $? = 2 ] && [ ! -e out.pgn.$ending ] && grep -q 'files are not written in' err || fail "an export named .$ending: $(cat err)"
done
finish
