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

"$tabia" gauntlet --a builtin --b material --games 6 --nodes 40 --seed 5 --db good.db --quiet >/dev/null || fail "gauntlet"
interrupts=0

# ends TREE PAYLOAD COMMAND...: the command on bad.db, which has an endless tree.
ends() {
    local code tree=$1 payload=$2
    shift 2
    rm -f bad.db* out.*
    cp good.db bad.db
    python3 endless.py bad.db "$("$tabia" db sql bad.db "SELECT rootpage FROM sqlite_schema WHERE name = '$tree'")" "$payload" ||
        fail "endless.py"
    ctrl_c_after --kill-after=20 1 "$tabia" "$@" --quiet >out 2>err
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
    'gauntlet --a builtin --b material --games 8 --nodes 40 --seed 5 --db bad.db'; do
    # shellcheck disable=SC2086
    ends games 01 $command
    # shellcheck disable=SC2086
    ends sqlite_autoindex_games_1 0704010101010000 $command
done
[ $interrupts -gt 0 ] || fail "no command was interrupted: the files are not endless"
finish
