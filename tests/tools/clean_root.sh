#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs the Debian package into a new Debian root, uses it there and removes it. Needs root and debootstrap.
#
#   clean_root.sh PACKAGE.deb ROOT [MIRROR]    an existing ROOT is used as it is
set -eu
package=$1 root=$2
[ -e "$root" ] || debootstrap --variant=minbase bookworm "$root" ${3:+"$3"}
cp "$package" "$root/tmp/tabia.deb"
mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive bash -euc "$1"; }
files() { find "$root" -xdev -name '*tabia*' -not -path "$root/tmp/*" -not -path "$root/var/*" -not -path "$root/proc/*" -printf '%P\n'; }

[ -z "$(files)" ] || { echo "already there: $(files)"; exit 1; }
inside 'apt-get update && apt-get install -y --no-install-recommends /tmp/tabia.deb sqlite3' >/dev/null
files
inside '
    cd /usr/share/doc/tabia
    [ -f copyright ]
    [ -f docs/cli.md ]
    gzip -dc changelog.gz | grep -q "^tabia ("
    for page in tabia tabia-learn tabia-engine; do gzip -t /usr/share/man/man1/$page.1.gz; done
    [ "$(dpkg-query -W -f "\${Description}" tabia | wc -l)" -ge 3 ]
    cd /tmp && rm -f games.db new.h
    tabia --version
    tabia-engine bench | tail -n 2
    tabia selfplay --config /usr/share/tabia/configs/selfplay.ini --db games.db --games 20 --nodes 500 --quiet
    tabia db check games.db
    tabia tune --db games.db --out new.h --prior 100 --quiet
    tabia gauntlet --a new.h --b zero --games 4 --nodes 200 --quiet
    tabia gauntlet --engine cmd=tabia-engine,nodes=200 --engine weights=zero,nodes=200 --games 2 --quiet
    sqlite3 games.db ".load $(dpkg -L tabia | grep tabia_sqlite)" "SELECT count(*) FROM games JOIN tabia_positions USING (game_id)"
    apt-get purge -y tabia >/dev/null'
[ -z "$(files)" ] || { echo "left behind: $(files)"; exit 1; }
echo "installed, used and removed"
