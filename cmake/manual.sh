#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes the manual pages of tabia, its commands and their verbs.
#
#   manual.sh TABIA FOLDER
set -eu
mkdir -p "$2"
for command in $("$1" --complete "" | cut -f 1); do
    [ "$command" != help ] || continue
    "$1" --manual "$command" >"$2/tabia-$command.1"
    for verb in $("$1" --complete "$command" "" | cut -f 1); do
        "$1" --manual "$command" "$verb" >"$2/tabia-$command-$verb.1"
    done
done
"$1" --manual >"$2/tabia.1"
