#!/bin/bash
# SPDX-License-Identifier: MIT
# What docs/security.md promises of the programs: how they are compiled and linked, that no shell reads the command line
# of an engine, that no name controls the terminal.
#   test_security.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
cd "$tmp" || exit 1

# linked FILE TYPE: relocations are read-only before main(), no stack is executable, and addresses are TYPE (DYN: random).
linked() {
    readelf -hldW "$1" >elf || fail "readelf $1"
    grep -q "Type: *$2 " elf || fail "$1: not of type $2"
    grep -q GNU_RELRO elf && grep -qE 'FLAGS.*NOW|BIND_NOW' elf || fail "$1: relocations stay writable"
    grep -q 'GNU_STACK.* RW ' elf || fail "$1: executable stack"
    readelf -sW "$1" | grep -q __stack_chk_fail || fail "$1: no stack protector"
    grep -q '^CMAKE_BUILD_TYPE:.*=Debug' "$build/CMakeCache.txt" || readelf -sW "$1" | grep -qE '__[a-z]+_chk[@ ]' ||
        fail "$1: not fortified"
}

if sanitized; then
    echo "skipped: sanitizers are no hardening"
elif command -v readelf >/dev/null && readelf -h "$tabia" >/dev/null 2>&1; then
    linked "$tabia" DYN
    linked "$build/tabia_sqlite.so" DYN
    linked "$build/tabia-engine" EXEC
    # Functions that open connections to other machines, run shells (popen: tabia bench search --against),
    # or load code. GCC's OpenMP has dlopen, for accelerators, where it is linked statically.
    unneeded='connect|bind|listen|accept4?|getaddrinfo|gethostbyname|system'
    readelf -sW "$tabia" | grep -q ' gomp_' || unneeded+='|dlopen'
    readelf --dyn-syms -W "$tabia" | grep -oE " ($unneeded)@" &&
        fail "a function that tabia does not need"
else
    echo "skipped: no readelf, or no ELF"
fi

# Every word of an engine reaches it as it is written.
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>words\nexec "%s/tabia-engine"\n' "$build" >'engine;touch it'
chmod +x 'engine;touch it'
"$tabia" gauntlet --quiet --games 2 --nodes 10 --engine weights=builtin \
    --engine 'cmd=./engine;touch it,args=$(touch it) `touch it` "a; touch it" *' >out 2>err || fail "gauntlet: $(cat err)"
printf '%s\n' '$(touch' 'it)' '`touch' 'it`' 'a; touch it' '*' >expected
head -n 6 words | cmp - expected || fail "the engine's words were changed: $(head -n 6 words)"
[ -e it ] && fail "a shell read the engine's command line"

# A file that no program loader takes is not given to a shell, as execvp() would do.
echo 'touch it' >script && chmod +x script
"$tabia" gauntlet --quiet --games 2 --nodes 10 --engine weights=builtin --engine cmd=./script >out 2>err
[ $? = 5 ] || [ -s err ] || fail "a script without a loader: $(cat err)"
[ -e it ] && fail "a shell read a file without #!"

# Names that others chose
evil=$'E\e[31mvil\a'
clean() { grep -q "$(printf '[\001-\010\013-\037\177]')" "$1" && fail "$2: control characters: $(cat -v "$1")"; }
cat >named <<END
#!/bin/sh
while read -r word rest; do
    case \$word in
    uci) printf 'id name %s\noption name %s type spin\nuciok\n' '$evil' '$evil' ;;
    isready) echo readyok ;;
    go) printf 'bestmove %s\n' '$evil' ;;
    quit) exit ;;
    esac
done
END
chmod +x named
"$tabia" gauntlet --games 2 --nodes 10 --engine weights=builtin --engine cmd=./named --db named.db >out 2>&1
[ $? = 5 ] || fail "a match with $evil: $(cat -v out)"
clean out gauntlet
grep -qF 'builtin against E?[31mvil?' out || fail "the engine's name: $(cat -v out)"
grep -qF '"bestmove E?[31mvil?" is not a legal move' out || fail "the engine's move: $(cat -v out)"
"$tabia" gauntlet --games 2 --nodes 10 --engine weights=builtin --engine cmd=./named,option.X=1 >out 2>&1
grep -qF 'its options are E?[31mvil?' out || fail "the engine's options: $(cat -v out)"
printf '[White "%s"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 1-0\n' "$evil" >evil.pgn
"$tabia" db import evil.db evil.pgn >out 2>&1 || fail "db import: $(cat out)"
[ "$("$tabia" db sql evil.db 'SELECT name FROM players LIMIT 1')" = 'E?[31mvil?' ] || fail "the name in a PGN"
"$tabia" db sql --write named.db "UPDATE players SET name = 'x' || char(27) || '[2J'; UPDATE runs SET label = char(27)" ||
    fail "db sql"
for command in "db info named.db" "db card named.db" "db check named.db" "db export named.db - --format pgn"; do
    "$tabia" $command >out 2>&1 || fail "$command: $(cat -v out)"
    clean out "$command"
done
cp named.db "$evil.db"
cp "$source/engine/eval_weights.h" $'\xc2\x9b.h'
for command in 'db info' 'db upgrade' 'db merge new.db' 'tune --out o.h --iterations 1 --no-errors --keep-unscored --runs 1-9 --db'; do
    # shellcheck disable=SC2086
    "$tabia" $command "$evil.db" >out 2>&1
    clean out "$command of a name with control characters"
done
"$tabia" weights show $'\xc2\x9b.h' --json >out 2>&1 && grep -qF '"weights": "\u009b.h"' out || fail "C1 in JSON: $(cat -v out)"
"$tabia" report named.db --out page.html --quiet >out || fail report
clean page.html report

printf '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Kf1; id "%s";\n' "$evil" >evil.epd
"$tabia" bench suite evil.epd --nodes 50 >out || fail "bench suite"
clean out 'bench suite'
sed "1s|^/\*|/* $evil|" "$source/engine/eval_weights.h" >evil.h
"$tabia" weights show evil.h >out || fail "weights show"
clean out 'weights show'
"$tabia" gauntlet --a builtin --b zero --games 2 --nodes 50 --db rated.db --quiet >/dev/null || fail 'a match'
"$tabia" db sql --write rated.db "UPDATE players SET name = 'x' || char(27) || '[2J' || player_no" || fail "db sql"
"$tabia" elo --db rated.db >out || fail 'elo'
clean out elo

# No file is removed but our own: not one that a journal names, nor one that only looks like a temporary file of a process.
"$tabia" selfplay --db games.db --games 4 --nodes 50 --quiet >/dev/null || fail selfplay
echo precious >victim
python3 - games.db "$PWD/victim" <<'END'
import struct, sys
database, victim = sys.argv[1], sys.argv[2].encode()
data = open(database, "rb").read()
size = struct.unpack(">H", data[16:18])[0]
magic, nonce = bytes([0xD9, 0xD5, 5, 0xF9, 0x20, 0xA1, 0x63, 0xD7]), 0x1234
check = nonce + sum(data[i] for i in range(size - 200, 0, -200))
journal = (magic + struct.pack(">5I", 1, nonce, len(data) // size, 512, size)).ljust(512, b"\0")
journal += struct.pack(">I", 1) + data[:size] + struct.pack(">I", check & 0xFFFFFFFF)
journal += struct.pack(">I", 0x40000000 // size + 1) + victim + struct.pack(">II", len(victim), sum(victim)) + magic
open(database + "-journal", "wb").write(journal)
END
ln -s games.db link.db
for command in 'db info link.db' 'db info games.db' 'db check games.db' 'db merge rated.db games.db --mixed' 'elo --db games.db' 'tune --db games.db --out x.h'; do
    "$tabia" $command >out 2>&1
    [ $? = 4 ] && grep -q 'games.db-journal: a journal of several databases' out || fail "$command: $(cat out)"
    [ -e victim ] || fail "$command: a file that the journal names is gone"
done
rm -f games.db-journal link.db
for file in games.db-journal games.db-wal games.db-shm; do
    mkfifo $file
    timeout 20 "$tabia" db info games.db >out 2>&1
    [ $? = 4 ] && grep -q "$file: no regular file" out || fail "a pipe named $file: $(cat out)"
    rm $file
done

# A link under the temporary name of an output is not followed.
for command in 'export games.db o.pgn' 'sample games.db o.db --games 2'; do
    file=${command#* * }
    # shellcheck disable=SC2086
    (ln -s "$PWD/victim" "${file%% *}.new-$BASHPID" && exec "$tabia" db $command --quiet) >out 2>&1
    [ "$(cat victim)" = precious ] || fail "$command: followed a link under its temporary name"
done
echo notes >games.pgn.new-20241231
"$tabia" db export games.db games.pgn --quiet >/dev/null || fail 'db export'
[ -s games.pgn.new-20241231 ] || fail "a file that ends in a date is taken for a temporary one"

# Ctrl-C ends the reading of what never ends, at the first.
yes '' | head -c 64M | zstd -q >part
for _ in $(seq 500); do cat part; done >bomb.zst
mkfifo pipe
for command in 'db import x.db bomb.zst --format pgn' 'tune --epd bomb.zst --out z.h' 'tune --features bomb.zst --out z.h' \
    'train --epd bomb.zst --out z.net' 'elo --pgn bomb.zst' 'perft --epd bomb.zst' 'bench suite bomb.zst' \
    'gauntlet --a builtin --b zero --openings bomb.zst' 'spsa --params bomb.zst --db x.db' 'tune --epd pipe --out z.h' \
    'train --bullet pipe --out z.net' 'tune --db games.db --validation 0 --checkpoint pipe --out z.h' \
    'selfplay --db x.db --games 2 --nodes 2G' 'selfplay --db x.db --config pipe'; do
    ctrl_c_after --preserve-status -k 20 0.5 "$tabia" $command >out 2>&1
    [ $? = 130 ] || fail "$command: exit code $? on Ctrl-C: $(cat out)"
done
sleep 60 >pipe &
for command in 'db sql games.db' 'elo --pgn -' 'selfplay --db x.db --config pipe'; do
    ctrl_c_after --preserve-status -k 20 0.5 "$tabia" $command <pipe >out 2>&1
    [ $? = 130 ] || fail "$command: exit code $? on Ctrl-C as it waits: $(cat out)"
done
kill $!
finish
