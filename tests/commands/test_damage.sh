#!/bin/bash
# SPDX-License-Identifier: MIT
# Files with changed bytes or a missing end, in many places: `db check` reports it in one line or accepts the file, and no
# command crashes.
#   test_damage.sh BUILD SOURCE [PLACES]
. "$(dirname "$0")/prelude.sh"
places=${3:-60}
cd "$tmp" || exit 1
found=0 harmless=0

# survives WHAT: no command crashes on bad.db, with the damage WHAT.
survives() {
    local code command
    "$tabia" db check bad.db --quiet --threads 1 >out 2>err
    code=$?
    case $code in
    0) harmless=$((harmless + 1)) ;;
    1 | 3 | 4) found=$((found + 1)) ;;
    *) fail "$1: db check: exit code $code: $(head -c 300 err)" ;;
    esac
    [ $code = 0 ] || [ "$(wc -l <err)" = 1 ] || fail "$1: db check: not one line: $(head -c 300 err)"
    for command in 'info bad.db' 'digest bad.db' 'export bad.db - --format epd'; do
        # shellcheck disable=SC2086
        "$tabia" db $command --quiet --threads 1 >/dev/null 2>err
        code=$?
        case $code in
        0 | 1 | 3 | 4) ;;
        *) fail "$1: db $command: exit code $code: $(head -c 300 err)" ;;
        esac
    done
}

"$tabia" selfplay --db good.db --games 12 --nodes 40 --seed 9 --quiet >/dev/null || fail "selfplay"
size=$(stat -c %s good.db)
RANDOM=11
for i in $(seq "$places"); do
    cp good.db bad.db
    # A fifth of the changes are in the first page, where every byte has a meaning.
    at=$((i % 5 ? (RANDOM * 32768 + RANDOM) % size : RANDOM % 600))
    printf -v byte '\\x%02x' $((RANDOM % 256))
    printf "$byte" | dd of=bad.db bs=1 seek=$at conv=notrunc status=none
    survives "byte $at"
done
[ $found -ge $((places / 5)) ] || fail "only $found of $places changed bytes were found"
for _ in $(seq $((places / 6))); do
    cp good.db bad.db
    truncate -s $(((RANDOM * 32768 + RANDOM) % size)) bad.db
    survives "cut to $(stat -c %s bad.db)"
    cp good.db bad.db
    noise=$((RANDOM % (size / 512)))
    bytes=
    for _ in $(seq 1536); do
        printf -v byte '\\x%02x' $((RANDOM % 256)) # not in a subshell, which would draw its own numbers
        bytes+=$byte
    done
    printf "$bytes" | dd of=bad.db bs=512 seek=$noise conv=notrunc status=none
    survives "noise from block $noise on"
done

# A file without its end: the remaining games are saved.
"$tabia" selfplay --db long.db --games 60 --nodes 40 --seed 9 --quiet >/dev/null || fail "selfplay"
cp long.db bad.db
truncate -s $(($(stat -c %s long.db) * 3 / 4)) bad.db
"$tabia" db check bad.db --quiet >out 2>err
[ $? = 4 ] || fail "cut to three quarters: db check: not exit code 4: $(cat out err)"
"$tabia" db export bad.db saved.pgn --quiet >out 2>err
[ $? = 1 ] || fail "cut to three quarters: db export: not exit code 1: $(cat out err)"
saved=$(grep -c '^\[Result ' salvaged-saved.pgn)
{ [ "$saved" -gt 20 ] && [ "$saved" -lt 60 ]; } || fail "cut to three quarters: $saved games of 60 saved"
grep -q "$saved games saved" err || fail "cut to three quarters: the number of saved games is not reported: $(cat err)"

[ ! -e saved.pgn ] || fail "cut to three quarters: the salvaged games have the name of a whole export"
cp salvaged-saved.pgn before
"$tabia" db export bad.db saved.pgn --quiet >out 2>err
[ $? = 4 ] || fail "salvaged file exists: not exit code 4: $(cat out err)"
cmp -s before salvaged-saved.pgn || fail "a salvaged file was replaced"

# Games of a match are saved as those of a match: no training data.
"$tabia" gauntlet --a builtin --b zero --games 60 --nodes 40 --max-plies 60 --db match.db --quiet >out || fail "gauntlet"
truncate -s -16384 match.db
"$tabia" db export match.db match.pgn --quiet >out 2>err
[ $? = 1 ] && grep -q '^\[Event "Tabia gauntlet"\]' salvaged-match.pgn || fail "a damaged match: $(cat out err)"
"$tabia" db export match.db match.epd --filter tune --quiet >out 2>err
[ $? = 1 ] && [ ! -s salvaged-match.epd ] || fail "games of a damaged match for a fit: $(cat out err)"

# A read error that passes is no damage: the export ends with exit code 4 and leaves every file as it was.
if strace -o /dev/null true 2>/dev/null; then
    "$tabia" db export long.db whole.pgn --quiet >out || fail "export"
    rm -f salvaged-* && cp whole.pgn good.pgn
    for n in 1 2 3 4 5 6 8 10 12; do
        # The sanitizer's search for leaks does not work under strace.
        ASAN_OPTIONS=detect_leaks=0 strace -f -o /dev/null -P "$PWD/long.db" -e "inject=read,pread64:error=EIO:when=$n" \
            "$tabia" db export long.db good.pgn --force --quiet >out 2>err
        code=$?
        [ $code = 0 ] || [ $code = 4 ] || fail "EIO at read $n: exit code $code: $(cat err)"
        cmp -s whole.pgn good.pgn || fail "EIO at read $n: another file in place of the good one"
        ! compgen -G 'salvaged-*' >out || fail "EIO at read $n: salvaged: $(cat err)"
    done
else
    echo "no strace: passing read errors are not tested"
fi

# Wrong games in a file that SQLite finds correct
altered() { # EXIT-CODE SQL
    cp good.db bad.db
    "$tabia" db sql bad.db --write "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; $2" ||
        fail "cannot do: $2"
    "$tabia" db check bad.db --quiet >out 2>err
    [ $? = "$1" ] || fail "$2: db check: not exit code $1: $(cat out err)"
    survives "$2"
}
altered 1 "UPDATE games SET moves = zeroblob(length(moves)) WHERE game_id = 3"
altered 4 "UPDATE games SET result = 77 WHERE game_id = 3"
altered 1 "UPDATE games SET reason = 99 WHERE game_id = 3"
altered 4 "UPDATE games SET moves = x'0102', ply_count = 1000000 WHERE game_id = 3"
altered 1 "UPDATE games SET start_fen = 'nowhere' WHERE game_id = 3"
altered 4 "UPDATE games SET start_fen = hex(zeroblob(5000)) WHERE game_id = 3"
altered 1 "UPDATE games SET run_id = 7 WHERE game_id = 3"
altered 1 "DELETE FROM positions WHERE game_id = 3 AND ply = 5"
altered 1 "UPDATE positions SET fen = '' WHERE game_id = 3 AND ply = 5"

echo "$found damages found, $harmless harmless"
finish
