# SPDX-License-Identifier: MIT
# What command tests begin with; sourced with their arguments: build folder, source folder.
set -u
build=$(cd "$1" && pwd) && source=$(cd "$2" && pwd) || exit 1
tabia=$build/tabia
export TABIA_DATA=${TABIA_DATA:-$source/../shared/data}
data=$TABIA_DATA
# Makes data for tests of other commands. With sanitizers it may be a build without, for time.
maker=${TABIA_MAKER:-$tabia} && [ -x "$maker" ] || maker=$tabia
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp" "$tmp".*' EXIT
: >"$tmp.failed"

# Repeated at the end: in a file it counts in subshells, too, and where output is captured.
fail() { echo "FAILED: $*" | tee -a "$tmp.failed" >&2; }

# outcome CODE PART COMMAND…: its exit code, and one line on standard error that contains PART, or none if PART is "".
# Its output is in $tmp/out and $tmp/err.
outcome() {
    local code=$1 part=$2 got
    shift 2
    "$@" >"$tmp/out" 2>"$tmp/err"
    got=$?
    [ $got = "$code" ] || fail "$*: exit code $got, not $code: $(cat "$tmp/err")"
    if [ -z "$part" ]; then
        [ ! -s "$tmp/err" ] || fail "$*: unexpected error: $(cat "$tmp/err")"
    else
        grep -qF -- "$part" "$tmp/err" || fail "$*: no \"$part\" in: $(cat "$tmp/err")"
        [ "$(wc -l <"$tmp/err")" = 1 ] || fail "$*: not one line of error: $(cat "$tmp/err")"
    fi
}

# A misspelt function is a failure, not a condition that does not hold; a program that is not installed is none.
command_not_found_handle() {
    case $1 in strace | zstd | sqlite3 | pgn-extract) ;; *) fail "$1: no such command" ;; esac
    return 127
}

# has_data NAME: whether the data beside the repository has that; a word if not, which .ci/run looks for.
has_data() {
    [ -r "$data/$1" ] || { echo "skipped: no $1 below TABIA_DATA"; return 1; }
}

# A build for finding faults, twenty times slower? What is there for its numbers may then do less.
sanitized() { grep -qa '__[at]san_init' "$tabia"; }

# ctrl_c_after OPTION… SECONDS COMMAND…: timeout(1) with Ctrl-C, which it sends twice: to the program and to its group. If
# the program has ended by then, LeakSanitizer may wait for ever: with --foreground there is no second one.
ctrl_c_after() {
    sanitized && set -- --foreground "$@"
    timeout --signal=INT "$@"
}

# wait_until PID COMMAND…: repeats the command until it succeeds, as long as the process PID runs: on a busy machine no
# number of seconds is enough.
wait_until() {
    local pid=$1
    shift
    until "$@"; do
        kill -0 "$pid" 2>/dev/null || return
        sleep 0.02
    done
}

# The last line of a test.
finish() {
    [ -s "$tmp.failed" ] && cat "$tmp.failed" && exit 1
    echo 'all right'
    exit 0
}
