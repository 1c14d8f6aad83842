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
    # Functions that open connections to other machines, or run shells (popen: tabia bench search --against)
    readelf --dyn-syms -W "$tabia" | grep -oE ' (connect|bind|listen|accept4?|getaddrinfo|gethostbyname|system|dlopen)@' &&
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
    uci) printf 'id name %s\nuciok\n' '$evil' ;;
    isready) echo readyok ;;
    go) printf 'bestmove %s\n' '$evil' ;;
    quit) exit ;;
    esac
done
END
chmod +x named
"$tabia" gauntlet --quiet --games 2 --nodes 10 --engine weights=builtin --engine cmd=./named --db named.db >out 2>&1
[ $? = 5 ] || fail "a match with $evil: $(cat -v out)"
clean out gauntlet
grep -q 'E?\[31mvil?' out || fail "the engine's name: $(cat -v out)"
printf '[White "%s"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 1-0\n' "$evil" >evil.pgn
"$tabia" db import evil.db evil.pgn >out 2>&1 || fail "db import: $(cat out)"
[ "$("$tabia" db sql evil.db 'SELECT name FROM players LIMIT 1')" = 'E?[31mvil?' ] || fail "the name in a PGN"
"$tabia" db sql --write named.db "UPDATE players SET name = 'x' || char(27) || '[2J'; UPDATE runs SET label = char(27)" ||
    fail "db sql"
for command in "db info named.db" "db check named.db" "db export named.db -"; do
    "$tabia" $command --format pgn >out 2>&1
    clean out "$command"
done
"$tabia" report named.db --out page.html --quiet >out || fail report
clean page.html report
finish
