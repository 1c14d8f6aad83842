# SPDX-License-Identifier: MIT
# Sessions with a UCI engine and what their output must and must not have; sourced by tests in place of prelude.sh.
. "$(dirname "$0")/prelude.sh"
engine=$build/tabia-engine

# session NAME: runs the lines of standard input ("sleep N" waits), ends, leaves the output in $tmp/out.
session() {
    name=$1
    while IFS= read -r line; do
        case $line in
        sleep\ *) sleep "${line#sleep }" ;;
        *) printf '%s\n' "$line" ;;
        esac
    done | timeout 20 "$engine" >"$tmp/out" 2>"$tmp/err"
    local code=${PIPESTATUS[1]}
    [ "$code" = 0 ] || fail "$name: exit code $code"
    [ -s "$tmp/err" ] && fail "$name: standard error: $(head -3 "$tmp/err")"
}
wants() { grep -qE -- "$1" "$tmp/out" || fail "$name: no line /$1/"; }
lacks() { grep -qE -- "$1" "$tmp/out" && fail "$name: unwanted line /$1/: $(grep -E -- "$1" "$tmp/out" | head -1)"; }
counts() { # N PATTERN
    local n
    n=$(grep -cE -- "$2" "$tmp/out")
    [ "$n" = "$1" ] || fail "$name: $n lines /$2/, not $1"
}
