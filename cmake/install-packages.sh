#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that a job needs and that are missing: as root, or through sudo without a password.
# Else prints the command to run.
#
#   install-packages.sh JOB…    jobs: build test ci deb mingw arm64 s390x
set -eu

mkdir -p build
packages=""
for job in "$@"; do
    case $job in
    build) packages="$packages gcc cmake ninja-build pkgconf libsqlite3-dev libpopt-dev libinih-dev libzstd-dev libarchive-dev zlib1g-dev nettle-dev libfathom-dev" ;;
    test) packages="$packages check libsubunit-dev sqlite3 zstd bzip2 xz-utils lz4 python3 stockfish pgn-extract polyglot libopenmpi-dev openmpi-bin strace" ;;
    ci) packages="$packages clang libomp-dev clang-format clang-tidy git phalanx mandoc zsh fish lintian" ;;
    deb) packages="$packages file dpkg-dev" ;;
    mingw) packages="$packages gcc-mingw-w64-x86-64-posix wine64" ;;
    s390x) packages="$packages gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user-static" ;;
    arm64) packages="$packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static" ;;
    *) echo "install-packages.sh: unknown job '$job'" >&2; exit 2 ;;
    esac
done

command -v dpkg-query >/dev/null 2>&1 || exit 0 # not Debian: CMake reports what is missing

missing=""
for package in $packages; do
    case $(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null) in
    ii*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif sudo -n true 2>/dev/null; then
    as_root="sudo"
else
    echo "Some packages are missing. Please run:" >&2
    echo "    sudo apt-get install -y$missing" >&2
    for package in $missing; do
        case $package in libfathom-dev) ;; *) exit 1 ;; esac
    done
    exit 0 # the build does without it
fi

log=build/apt-get.log
apt() { $as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=600 "$@"; }

# A fresh machine updates itself: apt-get waits for the end of that, but not for the lock of the lists.
update() {
    tries=100
    until apt update >"$log" 2>&1; do
        grep -q 'Could not get lock' "$log" && [ $tries -gt 0 ] || return 1
        [ $tries -lt 100 ] || echo "Waiting up to 10 minutes for another package manager" >&2
        tries=$((tries - 1))
        sleep 6
    done
}

echo "Installing:$missing" >&2
if ! { update && apt install -y --no-install-recommends $missing >>"$log" 2>&1; }; then
    tail -n 5 "$log" >&2
    echo "apt-get failed ($log has all of it). Please run:" >&2
    echo "    sudo apt-get install -y$missing" >&2
    exit 1
fi
