# SPDX-License-Identifier: MIT
# What command tests begin with; sourced with their arguments: build folder, source folder.
set -u
build=$(cd "$1" && pwd) && source=$(cd "$2" && pwd) || exit 1
tabia=$build/tabia
data=${TABIA_DATA:-$source/../shared/data}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# The last line of a test.
finish() {
    [ $failures = 0 ] && echo 'all right' || echo "$failures failures"
    exit $((failures > 0))
}
