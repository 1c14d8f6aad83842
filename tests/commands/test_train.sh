#!/bin/bash
# SPDX-License-Identifier: MIT
# Networks from the command line: an independent reader agrees on random ones; tabia train gives the same network with
# any number of threads; matches, self-play and the engine take it; bad files and misplaced networks are refused.
#   test_train.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
cd "$tmp" || exit 1

# ---- Random networks, evaluated from the description of their file
"$maker" openings --out fens.epd --count 40 --random-plies 30 --opening-max-score 100000 --seed 3 --quiet >/dev/null ||
    fail "openings: $?"
for network in "64 8 5 16" "32 2 5 1" "16 1 5" "64 1 5" "512 1 5" "1024 8 5 4"; do
    read -r hidden buckets _ <<<"$network"
    sizes="$hidden $buckets"
    # shellcheck disable=SC2086
    python3 "$source/tests/tools/network.py" make any.net $network
    # shellcheck disable=SC2086
    python3 "$source/tests/tools/network.py" eval any.net $sizes <fens.epd >judged
    {
        echo "setoption name EvalFile value $tmp/any.net"
        while read -r a b c d _; do printf 'position fen %s\neval\n' "$a $b $c $d 0 1"; done <fens.epd
    } | "$build/tabia-engine" | sed -n 's/^Evaluation: \(-\?[0-9]*\) cp.*/\1/p' >ours
    [ "$(wc -l <ours)" = 40 ] && cmp -s judged ours || fail "$network: $(diff judged ours | head -n 4)"
done

# Without its header such a network is refused, until its layout is given; the arrays of C are its numbers.
python3 - any.net bare.bin >kings <<'PY'
import struct, sys
data = open(sys.argv[1], "rb").read()
print(*data[32:64], sep=",")
open(sys.argv[2], "wb").write(data[(64 + struct.unpack("<I", data[28:32])[0] + 63) // 64 * 64 :])
PY
"$tabia" weights show bare.bin >out 2>&1 && fail "a network of unknown layout: $(cat out)"
grep -q 'king buckets needs a header (tabia weights pack)' out || fail "a network of unknown layout: $(cat out)"
"$tabia" weights pack bare.bin --kings "$(cat kings)" --out packed.net && "$tabia" weights emit packed.net --out packed.c ||
    fail "weights pack: $?"
outcome 3 'packed.net: has its header already' "$tabia" weights pack packed.net --out again.net
for net in any packed; do
    { echo "setoption name EvalFile value $tmp/$net.net" && sed -n 's/^\(.* [wb] [^ ]* [^ ]*\).*/position fen \1 0 1\neval/p' fens.epd; } |
        "$build/tabia-engine" | grep ^Evaluation: >$net.eval
done
[ "$(wc -l <packed.eval)" = 40 ] && cmp any.eval packed.eval || fail "a packed network has other values"
python3 - packed.c bare.bin <<'PY' || fail "weights emit: other numbers"
import re, struct, sys
arrays = re.findall(r"int16_t [^=]*= \{([^}]*)\}", open(sys.argv[1]).read())
numbers = [int(n) for a in arrays for n in re.findall(r"-?\d+", a)]
assert len(arrays) == 4 and struct.pack(f"<{len(numbers)}h", *numbers) == open(sys.argv[2], "rb").read()[: 2 * len(numbers)]
PY

# ---- The one of configs/: it sees a queen more than its side to move has
"$tabia" search --weights "$source/configs/weights/network.net" --fen '3qk3/8/8/8/8/8/8/4K3 w - - 0 1' --depth 4 --json >one.json &&
    python3 -c 'import json; r = json.load(open("one.json")); assert r["score"] < -500, r' || fail "network.net: $(cat one.json)"

# ---- Training
"$maker" selfplay --db g.db --games 60 --nodes 60 --seed 3 --quiet >/dev/null || fail "selfplay: $?"
for threads in 1 3; do
    "$tabia" train --db g.db --out t$threads.net --hidden 32 --epochs 3 --threads $threads --seed 5 --json --quiet >$threads.json ||
        fail "train: $?"
done
cmp -s t1.net t3.net || fail "other threads, another network"
# The same games in two databases
"$maker" selfplay --db g1.db --games 25 --nodes 60 --seed 3 --quiet >/dev/null &&
    "$maker" selfplay --db g2.db --first-game 25 --games 35 --nodes 60 --seed 3 --quiet >/dev/null || fail "selfplay: $?"
"$tabia" train --db g1.db --db g2.db --out two.net --hidden 32 --epochs 3 --seed 5 --quiet >/dev/null || fail "train, two databases: $?"
cmp -s <(tail -c 40000 t1.net) <(tail -c 40000 two.net) || fail "two databases, another network"
grep -aq '^source: g1.db, g2.db, min-ply 4, max-score 2000$' two.net || fail "the sources of a network: $(grep -a source two.net)"
[ "$(grep -a ^dataset: two.net)" = "$(grep -a ^dataset: t1.net)" ] || fail "two databases, another digest"
# Mirrored or not; some generations of a run
"$tabia" train --db g.db --out plain.net --hidden 32 --epochs 3 --seed 5 --no-mirror --quiet >/dev/null || fail "train --no-mirror: $?"
cmp -s t1.net plain.net && fail "--no-mirror is the same"
grep -aq '^settings: .* mirror' t1.net && grep -aq '^settings: .* no-mirror' plain.net || fail "mirroring is not named"
# Scores mixed with those of the rest of the game, which are named, and are nothing when each counts alone
"$tabia" train --db g.db --out k.net --hidden 32 --epochs 3 --seed 5 --k 1.6 --quiet >/dev/null || fail "train --k: $?"
for td in 0 .7; do "$tabia" train --db g.db --out td$td.net --hidden 32 --epochs 3 --seed 5 --k 1.6 --td $td --quiet >/dev/null || fail "train --td $td: $?"; done
cmp -s k.net td0.net && ! cmp -s <(tail -c 40000 k.net) <(tail -c 40000 td.7.net) || fail "train --td: the numbers"
grep -aq '^settings: .*, td 0.7,' td.7.net && ! grep -aq '^settings: .*, td' k.net || fail "train --td: $(grep -a ^settings: td.7.net k.net)"
"$tabia" train --db g.db --out no.net --td .7 --quiet >/dev/null 2>err
[ $? = 2 ] && grep -q -- '--td needs --k above 0' err || fail "--td without --k: $(cat err)"
# From another network, which may grow: without a rate it has the same values
still=(train --db g.db --from t1.net --epochs 1 --rate 1e-9 --decay 0 --seed 5 --quiet)
"$tabia" "${still[@]}" --out same.net >/dev/null && "$tabia" "${still[@]}" --hidden 64 --buckets 4 --out grown.net >/dev/null || fail "train --from: $?"
cmp -s <(tail -c 49000 t1.net) <(tail -c 49000 same.net) || fail "--from: other numbers"
[ "$(stat -c %s grown.net)" -gt $((2 * $(stat -c %s same.net) - 4096)) ] || fail "--from --hidden 64: $(stat -c %s grown.net) bytes"
for fen in '3qk3/8/8/8/8/8/8/4K3 w - -' 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -'; do
    for net in t1 grown; do "$build/tabia-engine" "setoption name EvalFile value $net.net" "position fen $fen" eval >$net.eval; done
    cmp t1.eval grown.eval || fail "--from --hidden 64: $(cat t1.eval grown.eval)"
done
# King buckets: kings on files e to h keep the values; the same network with any number of threads and after a kill
"$tabia" "${still[@]}" --king-buckets 8 --out grown.net >/dev/null || fail "train --from --king-buckets: $?"
for fen in '3qk3/8/8/8/8/8/8/4K3 w - -' 'r1bq1r2/1pp2pk1/p1np1n1p/3Np1p1/4P3/3P1N2/PPP1QPP1/2KR3R b - -'; do
    for net in t1 grown; do "$build/tabia-engine" "setoption name EvalFile value $net.net" "position fen $fen" eval >$net.eval; done
    [ "${fen%%/*}" = 3qk3 ] && expected=0 || expected=1 # a king on c1
    cmp -s t1.eval grown.eval
    [ $? = $expected ] || fail "--from --king-buckets: $(cat t1.eval grown.eval)"
done
"$tabia" weights show grown.net | grep -q '^A network of 32 hidden units, king buckets: 8, ' || fail "weights show of king buckets"
sanitized && epochs=8 || epochs=20
kings=(train --db g.db --hidden 32 --king-buckets 4 --epochs $epochs --seed 5 --batch 512 --quiet)
"$tabia" "${kings[@]}" --out whole.net >/dev/null && "$tabia" "${kings[@]}" --out parts.net --checkpoint state >/dev/null &
until [ -s state ]; do sleep .01; done
cp state kept && wait $! && cp kept state || fail "train --king-buckets: $?"
"$tabia" "${kings[@]}" --out parts.net --checkpoint state --threads 2 >/dev/null && cmp -s whole.net parts.net || fail "--king-buckets from a checkpoint"
grep -aq '^settings: king-buckets 4, ' whole.net && ! grep -aq mirror whole.net || fail "$(grep -a settings: whole.net)"
"$tabia" train --db g.db --from whole.net --out same.net --epochs 1 --rate 1e-9 --decay 0 --quiet >/dev/null || fail "--from with king buckets"
cmp -s <(tail -c 190000 whole.net) <(tail -c 190000 same.net) || fail "--from with king buckets: other numbers"
"$tabia" train --db g.db --from whole.net --king-buckets 0 --out no.net --quiet >/dev/null 2>err
[ $? = 3 ] && grep -q 'has other king buckets' err || fail "--from with king buckets: $(cat err)"
"$tabia" train --db g.db --king-buckets 8 --no-mirror --out no.net --quiet >/dev/null 2>err
[ $? = 2 ] && grep -q 'mirror' err || fail "--no-mirror with king buckets: $(cat err)"
"$tabia" selfplay --db k.db --games 4 --nodes 40 --weights whole.net --quiet >/dev/null || fail "selfplay with king buckets: $?"
"$tabia" db sql k.db "SELECT header FROM weights" >kept.h
"$tabia" weights diff kept.h whole.net >shown && [ "$(grep -c -- '->' shown)" = 0 ] || fail "king buckets as text: $(cat shown)"
"$tabia" "${still[@]}" --hidden 64 --buckets 4 --out grown.net >/dev/null || fail "train --from: $?"
grep -aq "^from: sha256 [0-9a-f]\{64\}$" grown.net || fail "the network that a training began with is not named"
"$tabia" train --db g.db --from t1.net --hidden 16 --out no.net --quiet >/dev/null 2>err
[ $? = 3 ] && grep -q 'has 32 hidden units of screlu, 1 output buckets' err || fail "--from with fewer units: $(cat err)"
"$tabia" train --db g.db --from material --out no.net --quiet >/dev/null 2>err
[ $? = 3 ] && grep -q 'material is not a network' err || fail "--from material: $(cat err)"
"$tabia" train --db g.db --out no.net --generations 3-4 --quiet >/dev/null 2>err
[ $? = 3 ] && grep -q 'g.db' err || fail "train --generations: $(cat err)"
"$tabia" train --db g.db --out no.net --validation 1e-7 --quiet >/dev/null 2>err && fail "train --validation 1e-7"
grep -q 'too few games to hold out 1e-07 of them; set --validation 0' err || fail "train --validation: $(cat err)"
# Killed after an epoch, and continued with another number of threads; positions in a file instead of memory
sanitized && epochs=12 || epochs=60
many=(train --db g.db --hidden 32 --epochs $epochs --seed 5 --quiet --checkpoint state)
"$tabia" "${many[@]}" --out whole.net >/dev/null || fail "train --checkpoint: $?"
[ ! -e state ] || fail "a checkpoint stays"
"$tabia" "${many[@]}" --out parts.net >/dev/null &
until [ -s state ]; do sleep .01; done
{ kill -9 $! && wait $!; } 2>/dev/null
cp state kept
"$tabia" "${many[@]}" --out parts.net --threads 2 --scratch . >/dev/null || fail "train from a checkpoint: $?"
cmp -s whole.net parts.net || fail "a checkpoint leads to another network"
cp kept state
"$tabia" "${many[@]}" --out parts.net --json >parts.json || fail "train from a checkpoint: $?"
python3 - $epochs <<'END' || fail "the rate of a resumed training: $(cat parts.json)"
import json, sys
r, done = json.load(open("parts.json")), float(open("kept").read().split("\n")[1])
assert done >= 1 and abs(r["positions_per_second"] * r["train_seconds"] / r["positions"] - (int(sys.argv[1]) - done)) < 0.1, (done, r)
END
cp kept state
"$tabia" "${many[@]}" --out no.net --seed 6 >/dev/null 2>err
[ $? = 2 ] && grep -q 'belongs to a fit of other positions or settings' err || fail "another training's checkpoint: $(cat err)"
sed -i 2s/.*/61/ state
"$tabia" "${many[@]}" --out no.net >/dev/null 2>err && fail "a damaged checkpoint is taken"
grep -q 'state: the checkpoint is damaged' err || fail "$(cat err)"
python3 - <<'END' || fail "the sum of a checkpoint"
lines, total = open("state", "rb").read().splitlines(keepends=True), 0xcbf29ce484222325
for byte in b"".join(lines[:-1]):
    total = (total ^ byte) * 0x100000001b3 % 2**64
open("state", "wb").write(b"".join(lines[:-1]) + b"sum %016x\n" % total)
END
"$tabia" "${many[@]}" --out no.net >/dev/null 2>err && fail "an epoch that is not there"
grep -q 'state:2: no epoch of this training' err || fail "$(cat err)"
rm state
grep -aq 'dataset: [0-9]* positions of 60 games, sha256 [0-9a-f]*' t1.net || fail "no provenance"
python3 -c 'import json; r = json.load(open("1.json")); assert r["hidden"] == 32 and 0 < r["validation_loss"] < .3, r' ||
    fail "$(cat 1.json)"
"$tabia" db export g.db g.epd --quiet >/dev/null || fail "export: $?"
"$tabia" train --epd g.epd --out e.net --hidden 16 --buckets 4 --activation crelu --epochs 1 --quiet >out || fail "train --epd: $?"
grep -q '^output buckets  *4$' out || fail "train prints $(cat out)"
# Few steps: said.
"$tabia" train --epd g.epd --out e.net --hidden 16 --epochs 2 --json >out 2>err || fail "train --epochs 2: $(cat err)"
grep -q '"steps": 2,' out && grep -q '^warning: 2 steps hardly train a network; a smaller --batch' err || fail "few steps: $(cat out err)"
"$tabia" train --epd g.epd --out e.net --hidden 16 --epochs 2 --batch 16 --json >out 2>err || fail "train --batch 16: $(cat err)"
[ "$(grep -o '"steps": [0-9]*' out | cut -c10-)" -gt 200 ] && ! grep -q steps err || fail "many steps: $(cat out err)"
# Without scores the target is the result: said.
sed 's/ ce [^;]*;//' g.epd >bare.epd
"$tabia" train --epd bare.epd --out e.net --hidden 16 --epochs 1 >out 2>err || fail "train without scores: $(cat err)"
grep -q "^warning: $(grep -c . bare.epd) of .* positions have no search score: .* without --lambda 0.1\$" err ||
    fail "train without scores: $(cat err)"
# The same positions as EPD and as bulletformat, whose order is that of the file: the same network.
"$tabia" db export g.db g.bullet --filter tune --quiet >/dev/null && "$tabia" db export g.db t.epd --filter tune --quiet >/dev/null ||
    fail "export: $?"
sed -i 's/ id "[^"]*";//' t.epd # which position is of which game
one=(--hidden 16 --epochs 2 --validation 0 --quiet --json)
"$tabia" train --bullet g.bullet --out b.net "${one[@]}" >b.json || fail "train --bullet: $?"
"$tabia" train --epd t.epd --out te.net "${one[@]}" >te.json || fail "train --epd: $?"
grep -aq '^loss: [0-9.]*, held out [0-9.]*$' t1.net && grep -aq '^loss: [0-9.]*$' te.net ||
    fail "losses of networks: $(grep -a loss: t1.net te.net)"
python3 - <<'PY' || fail "bulletformat: $(cat b.json) EPD: $(cat te.json)"
import json
b, e = (json.load(open(f)) for f in ("b.json", "te.json"))
assert b["games"] is None and e["games"] == e["positions"]
assert b["positions"] == e["positions"] > 100 and abs(b["k"] - e["k"]) < 1e-9 * e["k"], (b, e)
PY
# A curve of pieces: what is left out adds up, in each of the sources; a pipe cannot be read twice.
curve=(--pieces-32 1 --pieces-17 3)
for from in '--bullet g.bullet' '--epd t.epd' '--db g.db'; do # shellcheck disable=SC2086
    "$tabia" train $from --out pieces.net "${one[@]}" "${curve[@]}" >pieces.json || fail "train $from ${curve[*]}: $?"
    python3 - <<'PY' || fail "train $from ${curve[*]}: $(cat pieces.json)"
import json
a, p = (json.load(open(f)) for f in ("b.json", "pieces.json"))
assert p["positions"] > 50 and p["dropped"]["pieces"] > 50 and a["positions"] == p["positions"] + p["dropped"]["pieces"], (a, p)
PY
    grep -aq "^source: ${from#* }, .*pieces-32 1, pieces-17 3\$" pieces.net || fail "the source of a network: $(grep -a source: pieces.net)"
done
for option in --require-quiet --keep-checks --keep-noisy; do
    "$tabia" train --bullet g.bullet --out no.net $option >out 2>err
    [ $? = 2 ] && grep -q -- "$option does not go with --bullet" err || fail "train --bullet $option: $(cat err)"
done
for from in --bullet --epd; do
    "$tabia" train $from /dev/stdin --out no.net "${curve[@]}" < <(cat g.bullet) >out 2>err
    [ $? = 2 ] && grep -q '/dev/stdin: --pieces-32, .* read their source twice' err || fail "$from from a pipe: $(cat err)"
done
python3 -c 'b = bytearray(open("g.bullet", "rb").read()); b[26::32] = bytes([1]) * (len(b) // 32); open("draws.bullet", "wb").write(b)'
"$tabia" train --bullet draws.bullet --drop-drawn --out no.net >out 2>err && fail "draws alone are taken"
"$tabia" train --bullet g.bullet --drop-drawn --epochs 1 --hidden 16 --out plays.net --quiet >out || fail "train --drop-drawn: $?"
grep -q '^games  *–$' out || fail "games of bulletformat: $(head -n 1 out)"
grep -aq '^dataset: [0-9]* positions, sha256' plays.net || fail "games of bulletformat: $(grep -a dataset: plays.net)"
grep -aq '^source: g.bullet, drop-drawn$' plays.net || fail "filters of a network: $(grep -a source plays.net)"
grep -q 'no position passes the filters; left out: [0-9]* of drawn games$' err || fail "draws alone: $(cat err)"
printf '[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 d6 4. O-O 1-0\n' >plain.pgn
"$tabia" db import plain.db plain.pgn --quiet >/dev/null || fail "db import: $?"
"$tabia" train --db plain.db --min-ply 0 --out no.net >out 2>err && fail "games without scores are taken"
grep -q 'left out: 7 without a search score; --keep-unscored reads them$' err || fail "no scores: $(cat err)"
"$tabia" train --db plain.db --min-ply 0 --keep-unscored --validation 0 --hidden 16 --epochs 1 --out plays.net >out 2>err ||
    fail "train --keep-unscored: $(cat err)"
grep -q '^warning: K is 2, because no scores predict the results; --k sets it$' err && grep -aq '^k: 2.000000$' plays.net ||
    fail "K without scores: $(cat err)"
head -c 100 g.bullet >cut.bullet
"$tabia" train --bullet cut.bullet --out no.net >out 2>err && fail "a cut file is taken"
grep -q 'cut.bullet' err || fail "$(cat err)"
printf '\377' | dd of=g.bullet bs=1 seek=100 conv=notrunc status=none
"$tabia" train --bullet g.bullet --out no.net >out 2>err && fail "a damaged position is taken"
grep -q 'g.bullet, byte 96: no position in bulletformat' err || fail "$(cat err)"

# ---- Use: the same games again from the database, where the network is kept
match=(gauntlet --engine name=net,weights=t1.net,nodes=60 --engine name=old,weights=builtin,nodes=60 --games 6 --seed 2 --quiet)
"$tabia" "${match[@]}" --db m.db >one || fail "gauntlet: $?"
rm -f again.db
"$tabia" "${match[@]}" --db again.db --threads 3 >two || fail "gauntlet: $?"
[ "$("$tabia" db digest m.db)" = "$("$tabia" db digest again.db)" ] || fail "other games with other threads"
"$tabia" db check m.db --quiet >/dev/null || fail "check: $?"
# Games of a match are read where its run is named.
for command in 'train --hidden 16 --epochs 1 --validation 0 --out plays.net' 'tune --validation 0 --out plays.h'; do
    # shellcheck disable=SC2086
    "$tabia" $command --db again.db --quiet >out 2>err
    [ $? = 3 ] && grep -q 'again.db: has only games of matches; name their runs: --runs 1-1$' err || fail "$command: $(cat err)"
    # shellcheck disable=SC2086
    "$tabia" $command --db again.db --runs 1 --quiet >out 2>err || fail "$command --runs: $(cat err)"
done
"$tabia" "${match[@]}" --db m.db >two && cmp -s one two || fail "a match that is done: $(diff one two)"
"$tabia" selfplay --db s.db --games 4 --nodes 40 --weights t1.net --quiet >/dev/null || fail "selfplay with a network: $?"
[ "$("$tabia" db sql s.db "SELECT header LIKE '%EVAL_NETWORK(32, 1, 1, 400)%' FROM weights" | tail -n 1)" = 1 ] ||
    fail "the database does not keep the network"

# ---- Shown as tables; a network that is kept as text as well
"$tabia" weights show t1.net >shown || fail "weights show: $?"
grep -q '^A network of 32 hidden units' shown && grep -q '^pawn  mg' shown || fail "weights show: $(head -n 9 shown)"
"$tabia" db sql s.db "SELECT header FROM weights" >kept.h
"$tabia" weights show kept.h | diff <(sed 1,/^pawn/d shown) <(sed 1,/^pawn/d /dev/stdin) || fail "weights show of the text"
"$tabia" weights diff t1.net t3.net >shown && [ "$(grep -c -- '->' shown)" = 0 ] || fail "weights diff: $(cat shown)"

# A pawn on the first rank, the first input, is in no table.
python3 - <<'END'
net = bytearray(open("t1.net", "rb").read())
net[len(net) - 49408] ^= 1
open("pawn.net", "wb").write(net)
END
[ "$("$tabia" weights diff t1.net pawn.net)" = 'the tables are the same, the networks differ' ] &&
    "$tabia" weights diff t1.net pawn.net --json | grep -q '"same": false' || fail "weights diff of networks"

# ---- Refusals
refuses() { # PART COMMAND…
    local part=$1
    shift
    "$tabia" "$@" >out 2>err
    local code=$?
    [ $code = 3 ] || [ $code = 2 ] || fail "$*: exit code $code"
    grep -qF -- "$part" err || fail "$*: $(cat err)"
    [ "$(wc -l <err)" = 1 ] || fail "$*: $(cat err)"
}
head -c 1000 t1.net >cut.net
refuses 'a network of 32 hidden units has' selfplay --db no.db --games 2 --nodes 20 --weights cut.net
head -c 3000 bare.bin >odd.net
refuses 'no network is 3000 bytes long' search --weights odd.net --depth 2
refuses 't1.net is a network; this needs a weights header' tune --db g.db --start t1.net --out no.h
refuses '--db FILE, --epd FILE or --bullet FILE is needed' train --out no.net
refuses 'hidden units are a multiple of 16' train --db g.db --out no.net --hidden 24
refuses 'absent.db' train --db absent.db --out no.net
[ ! -e no.db ] && [ ! -e no.h ] && [ ! -e no.net ] || fail "a refused command wrote $(ls no.*)"
printf 'setoption name EvalFile value %s\nposition startpos\neval\n' "$tmp/cut.net" | "$build/tabia-engine" >out
grep -q 'info string error: .*cut.net' out && grep -q '^MATERIAL' out || fail "the engine keeps its weights: $(cat out)"
finish
