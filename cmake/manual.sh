#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes the manual pages of tabia and its commands.
#
#   manual.sh TABIA FOLDER
set -eu
mkdir -p "$2"
for command in $("$1" --complete "" | cut -f 1); do
    [ "$command" = help ] || "$1" --manual "$command" >"$2/tabia-$command.1"
done
"$1" --manual >"$2/tabia.1"
