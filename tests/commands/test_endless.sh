#!/bin/bash
# SPDX-License-Identifier: MIT
# Databases whose trees give rows for ever, because their pages share their children: every command ends by itself or
# on the first interrupt.
#   test_endless.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
cd "$tmp" || exit 1

cat >endless.py <<'EOF'
"""endless.py FILE ROOT PAYLOAD: the tree with this root page gets four levels of pages with 400 equal children each."""
import struct
import sys

name, root, payload = sys.argv[1], int(sys.argv[2]), bytes.fromhex(sys.argv[3])
data, size = bytearray(open(name, "rb").read()), 8192


def page(child):
    cell = struct.pack(">I", child) + payload
    top = size - 400 * len(cell)
    pointers = b"".join(struct.pack(">H", top + i * len(cell)) for i in range(400))
    kind = 5 if len(payload) == 1 else 2  # of a table or of an index
    head = struct.pack(">BHHHBI", kind, 0, 400, top, 0, child) + pointers
    return head + bytes(top - len(head)) + 400 * cell


at, pages = (root - 1) * size, len(data) // size
data += data[at:at + size]
for level in range(1, 5):
    data += page(pages + level)
data[at:at + size] = page(pages + 5)
data[28:32] = struct.pack(">I", pages + 5)
data[92:96] = data[24:28]
open(name, "wb").write(data)
EOF

"$tabia" gauntlet --a tables --b material --games 6 --nodes 40 --seed 5 --db good.db --quiet >/dev/null || fail "gauntlet"
interrupts=0
sanitized && seconds=1 || seconds=.4 # in which a command comes to the endless tree

# ends TREE PAYLOAD COMMAND...: the command on bad.db, which has an endless tree.
ends() {
    local code tree=$1 payload=$2
    shift 2
    rm -f bad.db* out.*
    cp good.db bad.db
    python3 endless.py bad.db "$("$tabia" db sql bad.db "SELECT rootpage FROM sqlite_schema WHERE name = '$tree'")" "$payload" ||
        fail "endless.py"
    ctrl_c_after --kill-after=20 $seconds "$tabia" "$@" --quiet >out 2>err
    code=$?
    [ $code = 124 ] && interrupts=$((interrupts + 1))
    case $code in
    0 | 1 | 3 | 4 | 124) ;; # 124: ended after the interrupt
    *) fail "$tree: $*: exit code $code: $(head -c 300 err)" ;;
    esac
}

for command in 'db info bad.db' 'db digest bad.db' 'db check bad.db' 'db export bad.db out.pgn' 'db export bad.db - --format epd' \
    'db materialize bad.db' 'db vacuum bad.db' 'db merge out.db bad.db' 'db dedup bad.db out.db' \
    'db split bad.db out.a out.b --fractions 0.5,0.5' 'tune --score-only --weights zero --db bad.db' \
    'gauntlet --a tables --b material --games 8 --nodes 40 --seed 5 --db bad.db'; do
    # shellcheck disable=SC2086
    ends games 01 $command
    # shellcheck disable=SC2086
    ends sqlite_autoindex_games_1 0704010101010000 $command
done
[ $interrupts -gt 0 ] || fail "no command was interrupted: the files are not endless"
! sanitized || finish # what follows measures time
# The first Ctrl-C of a command, at each moment of its processor time, leaves it a second of that, on one thread.
cat >interrupted.py <<'EOF'
"""interrupted.py MOMENTS COMMAND...: prints what is wrong."""
import os
import signal
import subprocess
import sys
import time

tick = os.sysconf("SC_CLK_TCK")
for moment in map(float, sys.argv[1].split(",")):
    child = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    used = 0.0
    while used < moment and os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.01)
        with open(f"/proc/{child.pid}/stat") as stat:
            used = sum(map(int, stat.read().rpartition(")")[2].split()[11:13])) / tick
    os.kill(child.pid, signal.SIGINT)
    _, status, usage = os.wait4(child.pid, 0)
    code, after = os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime - used
    if code == 130:
        open("interrupted", "a").write("x")
    if code not in (0, 130) or after > 1:
        print(f"after {moment} s: exit code {code}, {after:.2f} s of processor")
EOF
# ends_in_a_second MOMENTS COMMAND…
ends_in_a_second() {
    local wrong
    wrong=$(OMP_NUM_THREADS=1 python3 interrupted.py "$@") && [ -z "$wrong" ] || fail "${*:2}: $wrong"
}
awk 'BEGIN { split("1-0 0-1 1/2-1/2", r, " ")
    for (i = 0; i < 1999; i++) for (k = 1; k < 4; k++)
        printf "[White \"p%d\"]\n[Black \"p%d\"]\n[Result \"%s\"]\n\n%s\n\n", i, i + 1, r[k], r[k] }' >"$tmp/chain.pgn"
ends_in_a_second .05,.3,1 "$tabia" elo --pgn "$tmp/chain.pgn" --white-advantage
awk 'BEGIN { srand(1); print "@columns 4000"
    for (i = 0; i < 20000; i++) {
        c = int(rand() * 600)
        printf "%s p:%d g:%d", i % 3 ? "1-0" : "0-1", i % 25, i / 4
        for (k = 0; k < 6; k++) { printf " %d:%d", c, 1 + i % 2; c += 1 + int(rand() * 600) }
        print "" } }' >"$tmp/wide.features"
ends_in_a_second .1,.5,1.5 "$tabia" tune --features "$tmp/wide.features" --out "$tmp/wide.txt" --threads 1 --quiet --no-errors
# Two million positions of features, a million of bulletformat, and 13,122 games.
{
    echo '@columns 40'
    awk 'BEGIN { srand(2); for (i = 0; i < 1e5; i++) print (rand() < .5 ? "1-0" : "0-1"), "p:" i % 25,
        int(rand() * 20) ":1", 20 + int(rand() * 20) ":1" }' >rows
    for ((i = 0; i < 20; i++)); do cat rows; done
} >many.features
"$tabia" db export good.db many.bullet --format bullet --quiet >/dev/null && "$tabia" db export good.db many.pgn --quiet >/dev/null ||
    fail "db export"
while [ "$(stat -c %s many.bullet)" -lt 32000000 ]; do cat many.bullet many.bullet >all && mv all many.bullet; done
for ((i = 0; i < 7; i++)); do cat many.pgn many.pgn many.pgn >all && mv all many.pgn; done
"$tabia" db import many.db many.pgn --quiet >/dev/null || fail "db import"
for command in '.7,1,1.3,1.6,2 tune --features many.features --out o.txt --no-errors' '.2,.5,.8,1 train --bullet many.bullet --out o.net' \
    '.1 db import other.db many.pgn' '.1 db check many.db' '.1 db export many.db out.pgn' \
    '.1 db merge merged.db many.db' '.1 report many.db --out o.html' '.1 db materialize many.db'; do
    # shellcheck disable=SC2086
    ends_in_a_second ${command%% *} "$tabia" ${command#* } --quiet
done
[ "$(stat -c %s interrupted)" -ge 15 ] || fail "too few commands ran long enough: $(cat interrupted)"
sed '1s/.*/@columns 16384/' "$tmp/wide.features" >"$tmp/wider.features"
outcome 1 'the limit is 4 GiB' "$tabia" tune --features "$tmp/wider.features" --out "$tmp/wide.txt" --quiet --no-errors
truncate -s 64G "$tmp/zeros.bin"
outcome 3 'has the key of' "$tabia" selfplay --db "$tmp/zeros.db" --games 2 --nodes 10 --openings "$tmp/zeros.bin" --quiet

finish
