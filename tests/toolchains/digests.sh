#!/bin/bash
# SPDX-License-Identifier: MIT
# The same bytes from every toolchain: builds of other compilers, levels of optimisation, instruction sets and machines
# play, fit, and write and read games. What they write must be what BUILD (build/release) writes.
#   digests.sh BUILD [VARIANT...]     all variants, or these; exit code 77 if packages for one are missing
# Variants are the rows of `variants`, or folders with a build. Machines other than this one run under qemu-user.
set -uo pipefail
[ $# -ge 1 ] || { sed -n '5,6s/^# //p' "$0" && exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd) && reference=$(cd "$1" && pwd) || exit 1
shift
work=$source/build/toolchains
small=(-DTABIA_TESTS=OFF -DTABIA_MPI=OFF -DTABIA_FATHOM=OFF)
export NO_COLOR=1 OMP_WAIT_POLICY=passive

# name compiler type flags native openmp; the last two are those with another machine
variants="
gcc-O0          gcc   Debug   -O0 OFF ON
gcc-O3          gcc   Release -O3 ON  ON
gcc-serial      gcc   Release -O3 OFF OFF
clang-O0        clang Debug   -O0 OFF OFF
clang-O3        clang Release -O3 ON  ON
aarch64         -     Release -O2 OFF ON
s390x           -     Release -O2 OFF ON
"

# sysroot MACHINE ARCHITECTURE: the libraries of another machine, from Debian's archive, below build/toolchains. They
# are only unpacked: nothing is installed.
sysroot() {
    local dir=$work/sysroot-$1 options package
    [ -e "$dir/complete" ] && return
    mkdir -p "$dir"/{lists/partial,debs/partial,root} && : >"$dir/status" || return 1
    options=(-o "APT::Architecture=$2" -o "APT::Architectures=$2" -o "Dir::State::Lists=$dir/lists"
        -o "Dir::State::status=$dir/status" -o "Dir::Cache=$dir" -o Debug::NoLocking=1 -o APT::Sandbox::User=root)
    apt-get "${options[@]}" -qq update &&
        (cd "$dir/debs" && apt-get "${options[@]}" -qq download libsqlite3-dev libsqlite3-0 libpopt-dev libpopt0 \
            libinih-dev libinih1 libzstd-dev libzstd1 nettle-dev libnettle8 libarchive-dev liblzma-dev liblz4-dev libbz2-dev \
            zlib1g-dev) || return 1
    for package in "$dir"/debs/*.deb; do dpkg-deb -x "$package" "$dir/root" || return 1; done
    rm -rf "$dir/lists" "$dir/debs" && touch "$dir/complete"
}

# build NAME COMPILER TYPE FLAGS NATIVE OPENMP: builds work/NAME/tabia and sets `tabia` to its command.
build() {
    local dir=$work/$1
    local options=("-DCMAKE_BUILD_TYPE=$3" "-DCMAKE_C_FLAGS_${3^^}=$4" "-DTABIA_NATIVE=$5" "-DTABIA_OPENMP=$6")
    tabia=("$dir/tabia")
    if [ "$2" = - ]; then
        local architecture=$1
        [ "$1" = aarch64 ] && architecture=arm64
        local libraries # that the static libarchive needs
        libraries=$(printf '%s ' "$work/sysroot-$1/root/usr/lib/$1-linux-gnu"/lib{lzma,lz4,bz2,zstd,z}.a)
        command -v "$1-linux-gnu-gcc" "qemu-$1-static" >/dev/null ||
            { echo "no gcc-$1-linux-gnu, or no qemu-user-static"; return 77; }
        sysroot "$1" "$architecture" || { echo "no packages of $architecture"; return 77; }
        options+=("-DCMAKE_TOOLCHAIN_FILE=$here/cross.cmake" "-DTABIA_MACHINE=$1"
            "-DTABIA_SYSROOT=$work/sysroot-$1/root"
            "-DCMAKE_C_STANDARD_LIBRARIES=$libraries")
        tabia=("qemu-$1-static" -L "/usr/$1-linux-gnu" "$dir/tabia")
    else
        command -v "$2" >/dev/null || { echo "no $2"; return 77; }
        options+=("-DCMAKE_C_COMPILER=$2")
    fi
    { cmake -G Ninja -S "$source" -B "$dir" "${small[@]}" "${options[@]}" && cmake --build "$dir" --target tabia; } \
        >"$dir.log" 2>&1 || { tail -n 20 "$dir.log"; return 1; }
}

t() { "${tabia[@]}" "$@" --quiet --threads 2; }

# produce DIR FIRST: plays, fits, writes and reads with `tabia`. The files go to the new folder DIR. FIRST is the folder
# of BUILD, whose files are read: by BUILD itself, too.
produce() (
    rm -rf "$1" && mkdir -p "$1" && cd "$1" || exit 1
    first=$2
    set -e
    # Own games, a match, a book, learning
    {
        t selfplay --db own.db --games 12 --nodes 150 --seed 7
        t selfplay --db own.db --games 6 --nodes 100 --seed 8 --double-chess960 --compact
        t gauntlet --db own.db --a builtin --b material --games 6 --nodes 100
        t openings --out book.epd.zst --count 12
        t learn --dir learn --from zero --generations 2 --games 20 --nodes 40 --final-games 2
    } >/dev/null
    cp learn/best.h learned.h
    t db digest own.db >digests
    t db digest learn/learn.db >>digests
    # Fits, and what they say. Standard errors of 778 weights take a minute under qemu: those of pawns are enough.
    t tune --db own.db --start material --no-errors --out own.h --json >own.json
    t tune --db own.db --start material --freeze '[KNBRQ]*_PST' --out pawns.h --json >pawns.json
    t tune --db own.db --terms classical --optimiser lbfgs --iterations 5 --no-errors --out all.h --json >all.json
    t tune --db own.db --freeze '*_PST' --folds 3 --prior auto --loss cross-entropy --out few.h --json >few.json
    t weights emit all.h --out all.c >/dev/null
    t train --db own.db --out own.net --hidden 16 --epochs 3 --batch 64 >/dev/null
    # Games that BUILD stored, its weights and its exports
    t db check "$first/own.db" >checked
    for format in pgn plain epd viri bullet; do
        t db export "$first/own.db" "own.$format" >/dev/null
        t db export "$first/own.db" "own.$format.zst" >/dev/null
        [ "$format" != bullet ] || continue
        t db import "$format.db" "$first/own.$format.zst" >/dev/null
        t db digest "$format.db" >>digests
    done
    t tune --epd "$first/own.epd" --no-errors --out epd.h --json >epd.json
    t tune --db "$first/own.db" --score-only --weights "$first/own.h" --json >score.json
    # Statistics
    t elo --ptnml 3 10 20 12 4 --sprt elo0=0,elo1=5 --json >elo.json
    t elo --ptnml 0 0 0 1 99 --json >elo-few.json
)

# like_reference NAME: judges the files of a variant. Databases differ in dates and uuids, JSON in times.
like_reference() {
    local dir=$work/$1.files
    sed -i -E 's/"(seconds|nps|core_minutes)": [0-9.e+-]+/"\1": 0/g' "$dir"/*.json
    diff -rq -x '*.db*' -x learn "$work/reference.files" "$dir"
}

# compare NAME: what `tabia` makes; counts failures.
compare() {
    if produce "$work/$1.files" "$work/reference.files" && like_reference "$1"; then
        local count
        count=$(find "$work/$1.files" -maxdepth 1 -type f ! -name '*.db*' | wc -l)
        echo "$1: $count equal files, $((SECONDS - started)) s"
    else
        echo "$1: failed"
        failures=$((failures + 1))
    fi
}

mkdir -p "$work" || exit 1
failures=0 skipped=0
tabia=("$reference/tabia")
produce "$work/reference.files" "$work/reference.files" || exit 1
like_reference reference
chosen=("$@")
[ $# -gt 0 ] || mapfile -t chosen < <(awk 'NF {print $1}' <<<"$variants")
for name in "${chosen[@]}"; do
    started=$SECONDS
    if [ -x "$name/tabia" ]; then
        tabia=("$(cd "$name" && pwd)/tabia")
        compare "$(basename "$name")"
        continue
    fi
    row=$(awk -v name="$name" '$1 == name' <<<"$variants")
    [ -n "$row" ] || { echo "no variant $name"; exit 2; }
    read -ra words <<<"$row"
    build "${words[@]}"
    case $? in
    0) ;;
    77) skipped=$((skipped + 1)) && continue ;;
    *) failures=$((failures + 1)) && continue ;;
    esac
    compare "$name"
done
[ $failures = 0 ] || exit 1
[ $skipped = 0 ] || exit 77
