#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia gauntlet --a-rev, --b-rev: builds and plays two revisions of a repository; no files remain.
#   test_revisions.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
command -v git >/dev/null && command -v make >/dev/null || { echo "no git or no make: skipped"; exit 77; }
export XDG_CACHE_HOME=$tmp/cache TMPDIR=$tmp/tmp GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
mkdir "$TMPDIR"

# tidy WHEN: no worktree and no temporary folder remain.
tidy() {
    [ "$(git -C "$repo" worktree list | wc -l)" = 1 ] || fail "$1: worktrees are left"
    [ -z "$(ls "$TMPDIR")" ] || fail "$1: left in the temporary folder: $(ls "$TMPDIR")"
    [ -z "$(find "$tmp/cache" -name '*.part' 2>/dev/null)" ] || fail "$1: half a program is left"
}

# A repository whose engine is a script around ours: the second revision uses fewer nodes.
repo=$tmp/repo
git init -q "$repo" && cd "$repo" || exit 1
git config user.name t && git config user.email t@example.org
printf '$(EXE): engine.sh\n\techo built >>"%s"\n\tcp engine.sh $(EXE) && chmod +x $(EXE)\n' "$tmp/builds" >Makefile
printf '#!/bin/sh\nexec "%s"\n' "$build/tabia-engine" >engine.sh
git add . && git commit -qm one && git tag good
printf '#!/bin/sh\nsed -u "s/^go .*/go nodes 5/" | "%s"\n' "$build/tabia-engine" >engine.sh
git commit -qam two
printf 'all:\n\techo -Werror\n\t@echo "engine.c:1: error: no such thing"; exit 1\n' >Makefile
git commit -qam broken && git tag broken
printf 'x:\n$(EXE):\n\ttrue\n' >Makefile
git commit -qam nothing && git tag nothing

out=$("$tabia" gauntlet --json --a-rev good --b-rev "HEAD~2" --nodes 2000 --games 6 --db "$tmp/m.db" 2>"$tmp/err") ||
    fail "exit code $?: $(cat "$tmp/err")"
grep -qF "\"a\": \"good-$(git rev-parse --short=7 good)\", \"b\": \"HEAD~2-$(git rev-parse --short=7 HEAD~2)\"" <<<"$out" ||
    fail "names: $out"
[ "$(sed -n 's/.*"losses": \([0-9]*\).*/\1/p' <<<"$out" | head -1)" -le 2 ] || fail "2,000 nodes lose against 5: $out"
tidy "after a match"
[ "$(wc -l <"$tmp/builds")" = 2 ] || fail "not two builds"

# Built before; from another folder, by commit; against weights.
out=$(cd / && "$tabia" gauntlet --quiet --json --repo "$repo" --a-rev "$(git -C "$repo" rev-parse good)" --b zero --nodes 50 \
    --games 2) || fail "exit code $?"
[ "$(wc -l <"$tmp/builds")" = 2 ] || fail "what was built is built again"

# A relative TMPDIR, and another folder than the repository's; keys for both; a revision against itself.
out=$(cd "$tmp" && TMPDIR=tmp "$tabia" gauntlet --quiet --json --repo repo --a-rev good --b-rev good --build-command 'make EXE="$EXE"' \
    --each nodes=9,option.Hash=7,timemargin=5 --games 2 --db each.db 2>"$tmp/err") || fail "relative TMPDIR: $(cat "$tmp/err")"
good=good-$(git rev-parse --short=7 good)
grep -qF "\"a\": \"$good\", \"b\": \"$good-2\"" <<<"$out" || fail "a revision against itself: $out"
[ "$("$tabia" db sql "$tmp/each.db" "SELECT count(*) FROM players WHERE config ->> 'nodes_soft' = 9
    AND config ->> 'option_1' = 'Hash=7' AND config ->> 'margin_ms' = 5")" = 2 ] || fail "--each of revisions"
tidy "after a relative TMPDIR"

# Worktrees of the user stay, also those on a disk that is not there.
git worktree add -q "$tmp/usb" -b usb && mv "$tmp/usb" "$tmp/away" || exit 1
"$tabia" gauntlet --quiet --a-rev good --b zero --nodes 50 --games 2 >"$tmp/out" 2>&1 || fail "beside a worktree: $(cat "$tmp/out")"
"$tabia" gauntlet --quiet --a-rev nonsense --b zero --nodes 50 --games 2 >"$tmp/out" 2>&1 && fail "a revision that is none"
mv "$tmp/away" "$tmp/usb"
git -C "$tmp/usb" status >"$tmp/out" 2>&1 || fail "a worktree was pruned: $(cat "$tmp/out")"
git worktree remove --force "$tmp/usb"

# refuses CODE PART ARGS…
refuses() {
    outcome "$1" "$2" "$tabia" gauntlet --quiet "${@:3}" --games 2 --nodes 10
    tidy "${*:3}"
}
refuses 3 'no revision nosuch in .: ' --a-rev nosuch --b-rev good
refuses 3 'no revision nosuch in .: ' --a-rev broken --b-rev nosuch # before the first is built, which fails
refuses 3 "$tmp is not in a git repository; --repo DIR names one" --a-rev good --b-rev good --repo "$tmp"
refuses 1 'engine.c:1: error: no such thing' --a-rev good --b-rev broken
refuses 1 'made no program' --a-rev good --b-rev nothing
refuses 1 "'exit 7'" --a-rev good --b-rev good --build-command 'exit 7'
refuses 1 'made no program' --a-rev good --b-rev good --build-command 'sh -c "kill -s PIPE \$\$"; [ $? -gt 128 ]'
refuses 1 'made no program' --a-rev good --b-rev good --build-command 'mkdir "$EXE"'
refuses 2 '--a does not go with --a-rev' --a zero --a-rev good --b zero
refuses 2 '--each: a revision has its own name and cmd' --a-rev good --b-rev good --each name=x
refuses 2 '--each: whitepov needs proto=xboard' --a-rev good --b-rev good --each whitepov=on
refuses 2 '--repo needs --a-rev or --b-rev' --a zero --b zero --repo .
printf '[gauntlet]\na-rev = good\nb-rev = good\nrepo = .\nbuild-command = false\n' >"$tmp/revisions.ini"
"$tabia" gauntlet --quiet --config "$tmp/revisions.ini" --a zero --b zero --games 2 --nodes 10 >/dev/null ||
    fail "weights over revisions: exit code $?"

# Ctrl-C during the build.
"$tabia" gauntlet --quiet --a-rev good --b-rev good --build-command 'touch building; sleep 60' --games 2 2>"$tmp/err" &
built() { [ -n "$(find "$TMPDIR" -name building)" ]; }
wait_until $! built
kill -INT $!
wait $!
[ $? = 130 ] || fail "not interrupted: $(cat "$tmp/err")"
tidy "after Ctrl-C"

finish
