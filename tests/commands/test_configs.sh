#!/bin/bash
# SPDX-License-Identifier: MIT
# Every file in configs/ is read without an error, with its keys after semicolons too. That of a command's name has every
# option of the command, with its default. With the two that play, games are played as they stand.
#   test_configs.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"

# The INI file is read before the command line is applied: a bad option there ends it without running anything.
understood() {
    "$tabia" "$1" --config "$2" --threads no 2>"$tmp/err"
    grep -qF -- '--threads needs a whole number' "$tmp/err" || fail "$3: $(cat "$tmp/err")"
}

for file in "$source"/configs/*.ini; do
    command=$(sed -n 's/^\[\(.*\)\]$/\1/p' "$file")
    understood "$command" "$file" "$file"
    sed 's/^;//' "$file" >"$tmp/all.ini"
    understood "$command" "$tmp/all.ini" "$file without its semicolons"
    [ "$file" = "$source/configs/$command.ini" ] || continue
    "$tabia" "$command" --help=all | python3 -c '
import re, sys
text = open(sys.argv[1]).read()
keys = dict(re.findall("^;?([a-z0-9-]+) = (.*)$", text, re.M))
rows = re.findall(r"^ +(?:-\w, )?--([a-z0-9-]+)\b(.*(?:\n {20,}\S.*)*)", sys.stdin.read(), re.M)
assert len(rows) > 10, "help not understood"
for name, rest in rows:
    default = re.search(r"\(default (.*?)\)$", " ".join(rest.split()))
    if name in ("config", "help", "version"):
        continue
    assert name in keys, f"{name} is not named"
    if default and not re.search(f"^;{name} =", text, re.M):
        assert set(keys[name].split(",")) <= set(default[1].split(",")), f"{name} = {keys[name]}, but its default is {default[1]}"
' "$file" 2>"$tmp/err" || fail "$file: $(tail -n 1 "$tmp/err")"
done

# plays COMMAND ARGS…
plays() {
    "$tabia" "$1" --config "$source/configs/$1.ini" --quiet --games 2 --nodes 20 --threads 1 "${@:2}" \
        >/dev/null 2>"$tmp/err" || fail "$1.ini: exit code $?: $(cat "$tmp/err")"
}

plays gauntlet --a zero --b zero
plays selfplay --db "$tmp/games.db"

finish
