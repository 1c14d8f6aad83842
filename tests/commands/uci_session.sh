# SPDX-License-Identifier: MIT
# Sessions with a UCI engine and what their output must and must not have; sourced by tests in place of prelude.sh.
. "$(dirname "$0")/prelude.sh"
engine=$build/tabia-engine

# session NAME: runs the lines of standard input, ends, leaves the output in $tmp/out. "sleep N" waits; "await N" waits for the
# N-th bestmove of the session, however slow the machine (ten seconds at most).
session() {
    name=$1
    : >"$tmp/out"
    while IFS= read -r line; do
        case $line in
        sleep\ *) sleep "${line#sleep }" ;;
        await\ *)
            for _ in {1..200}; do
                [ "$(grep -c '^bestmove' "$tmp/out")" -ge "${line#await }" ] && continue 2
                sleep 0.05
            done
            touch "$tmp/late"
            ;;
        *) printf '%s\n' "$line" ;;
        esac
    done | timeout 20 "$engine" >"$tmp/out" 2>"$tmp/err"
    local code=${PIPESTATUS[1]}
    [ "$code" = 0 ] || fail "$name: exit code $code"
    rm "$tmp/late" 2>/dev/null && fail "$name: a bestmove did not come"
    [ -s "$tmp/err" ] && fail "$name: standard error: $(head -3 "$tmp/err")"
}
prints() { grep -qE -- "$1" "$tmp/out" || fail "$name: no line /$1/"; }
lacks() { grep -qE -- "$1" "$tmp/out" && fail "$name: unwanted line /$1/: $(grep -E -- "$1" "$tmp/out" | head -1)"; }
counts() { # N PATTERN
    local n
    n=$(grep -cE -- "$2" "$tmp/out")
    [ "$n" = "$1" ] || fail "$name: $n lines /$2/, not $1"
}
