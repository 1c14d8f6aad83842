#!/bin/sh
# SPDX-License-Identifier: MIT
# Removes the files that the last `cmake --install` of a build copied below DESTDIR, and then empty folders of ours.
#
#   uninstall.sh BUILD
set -eu
manifest=$1/install_manifest.txt
[ -r "$manifest" ] || { echo "uninstall.sh: no $manifest: this build installed nothing" >&2; exit 1; }
while read -r file || [ -n "$file" ]; do
    [ ! -e "${DESTDIR:-}$file" ] || echo "-- Removing: ${DESTDIR:-}$file"
    rm -f "${DESTDIR:-}$file"
done <"$manifest"
sed -n 's|\(.*/tabia\)/.*|\1|p' "$manifest" | sort -u | while read -r folder; do
    find "${DESTDIR:-}$folder" -depth -type d -exec rmdir {} \; 2>/dev/null || true
done
