#!/bin/bash
# SPDX-License-Identifier: MIT
# An installed tabia needs nothing of the source or the build; manual pages; completion in bash, zsh and fish.
#   test_install.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"

DESTDIR=$tmp/there cmake --install "$build" --prefix /opt/tabia >"$tmp/log" || fail "install: $(cat "$tmp/log")"
home=$tmp/there/opt/tabia
PATH=$home/bin:$PATH
cd "$tmp" || exit 1
[ "$(command -v tabia)" = "$home/bin/tabia" ] || fail 'tabia is not installed'
for file in share/doc/tabia/LICENSE share/man/man1/tabia-engine.1 share/tabia/configs/weights/classical.h; do
    [ -f "$home/$file" ] || fail "no $file"
done
[ "$(cd "$home" && echo lib*/tabia/*)" = "$(cd "$home" && echo lib*/tabia/tabia_sqlite.so)" ] || fail "lib: $(ls -R "$home"/lib*)"
[ "$(find "$home" -name selfplay.ini | wc -l)" = 1 ] || fail 'configs are not installed once'
grep -ohE '\]\([^):]*\)|src="[^":]*"' "$home"/share/doc/tabia/README.md | sed -E 's/^(\]\(|src=")//; s/(#.*)?[)"]$//' | sort -u >links
sed -E 's,^,docs/,; s,docs/\.\./,,' < <(grep -ohE '\]\([^):]*\)' "$home"/share/doc/tabia/docs/*.md | sed -E 's/^\]\(//; s/(#.*)?\)$//' | grep .) | sort -u >>links
[ "$(wc -l <links)" -gt 20 ] || fail 'no links in the documents'
while read -r link; do [ -e "$home/share/doc/tabia/$link" ] || fail "a document links to $link, which is not installed"; done <links
grep -rlF -e "$source" -e "$build" "$home/share" && fail 'a path of the build'

# The prefix is chosen when the build is configured: zsh's folder depends on it.
for goal in deb 'install PREFIX=/usr'; do
    make -n -C "$source" $goal | grep 'cmake --preset .* -DCMAKE_INSTALL_PREFIX="/usr" ' >out || fail "make $goal: no prefix"
done

# What users do first.
tabia selfplay --config "$home/share/tabia/configs/selfplay.ini" --db games.db --games 4 --nodes 100 --quiet >/dev/null || fail selfplay
for weights in $(tabia --complete search --weights '' | cut -f 1); do tabia search --weights $weights --depth 2 --quiet >/dev/null || fail "weights $weights"; done
cmp <(tabia-engine 'setoption name EvalFile value classical' eval) <(tabia-engine "setoption name EvalFile value $source/configs/weights/classical.h" eval) ||
    fail 'EvalFile classical'
plan() { tabia learn --config "$1" --dir d --dry-run | head -n 10; } # what follows depends on the machine
cmp <(plan demo) <(plan "$source/configs/demo.ini") || fail 'config demo'
cp "$source/configs/weights/classical.h" pesto
[ "$(tabia weights show ./pesto --json)" = "$(tabia weights show classical --json | sed 's/classical\.h/pesto/')" ] || fail 'a file with the name of weights'
tabia-engine 'go depth 2' | grep -q ^bestmove || fail engine
if command -v sqlite3 >/dev/null && ! sanitized; then
    got=$(sqlite3 games.db ".load $(echo "$home"/lib*/tabia/tabia_sqlite.so)" 'SELECT count(*) > 4 FROM tabia_positions, games USING (game_id)')
    [ "$got" = 1 ] || fail "extension: $got"
fi

# The source archive has what git tracks.
if command -v git >/dev/null && git -C "$source" rev-parse -q --verify HEAD >log 2>&1; then
    cpack --config "$build/CPackSourceConfig.cmake" -B "$tmp/packed" >log || fail "cpack: $(cat log)"
    tar tf packed/*.tar.gz | sed -n 's,^[^/]*/\(.*[^/]\)$,\1,p' | sort | diff - <(git -C "$source" ls-files | sort) || fail 'source archive'
fi

# The configuration says what the build lacks, and fails if that is asked for.
configure() { cmake -S "$source" -B configured -DTABIA_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON "$@" >log 2>&1; }
configure && grep -q '^ \* MPI, no MPI' log || fail "no summary: $(cat log)"
configure -DTABIA_MPI=ON && fail 'TABIA_MPI=ON passes without MPI'
grep -q 'TABIA_MPI=ON: no MPI' log || fail "TABIA_MPI=ON: $(cat log)"

# What a build needs is installed without questions, also through sudo, which passes no environment on.
mkdir stand-ins
printf '#!/bin/sh\necho 1000\n' >stand-ins/id
printf '#!/bin/sh\nexit 1\n' >stand-ins/dpkg-query
printf '#!/bin/sh\n[ "$1" = -n ] && shift\nexec env -i PATH="$PATH" "$@"\n' >stand-ins/sudo
cat >stand-ins/apt-get <<'END' # the first time another one has the lock
#!/bin/sh
echo "$DEBIAN_FRONTEND $*"
[ -e tried ] || { touch tried; echo "E: Could not get lock /var/lib/apt/lists/lock."; exit 1; }
END
chmod +x stand-ins/*
PATH=$tmp/stand-ins:$PATH sh "$source/cmake/install-packages.sh" deb 2>err || fail "install-packages.sh: $(cat err)"
grep -q '^Waiting' err || fail 'nothing is said of waiting'
printf 'noninteractive -o DPkg::Lock::Timeout=600 %s\n' update 'install -y --no-install-recommends file dpkg-dev' | cmp - build/apt-get.log || fail "apt-get: $(cat build/apt-get.log)"

# Manual pages: one for each command, with its options.
commands=$(tabia --complete '' | cut -f 1 | grep -vx help)
[ "$(wc -w <<<"$commands")" -ge 13 ] || fail "commands: $commands"
for command in $commands; do
    tabia "$command" --help=all | grep -oE '^      --[a-z0-9-]+' | tr -d ' -' | grep -vxE 'help|version' >options
    sed -n 's/^\.It Fl \([a-z0-9\\-]*\).*/\1/p' "$home/share/man/man1/tabia-$command.1" | tr -d '\\-' | cmp -s - options ||
        fail "options of the page of $command"
done
for page in "$home"/share/man/man1/*; do
    wanted='ENVIRONMENT FILES EXIT.STATUS SEE.ALSO'
    case $page in */tabia-xboard.1) wanted=${wanted/FILES /} ;; esac
    for title in $wanted; do grep -q "^.Sh $title$" "$page" || fail "$page: no ${title/./ }"; done
done
grep -L '^.Sh EXAMPLES$' "$home"/share/man/man1/* | grep -vE '/tabia-(bench|db|weights)-' && fail 'pages without examples'
tabia-engine uci | sed -n 's/^option name \(.*\) type .*/\1/p' >options
sed -n '/^\.Sh UCI OPTIONS/,/^\.El/s/^\.It Cm //p' "$home/share/man/man1/tabia-engine.1" >page
grep -q Syzygy options || sed -i /Syzygy/d page
cmp -s options page || fail "options of the engine's page: $(diff options page)"
! command -v mandoc >/dev/null || mandoc -Tlint -Wwarning "$home"/share/man/man1/* || fail mandoc

# completes WORDS… = CANDIDATES…: candidates for the last word.
completes() {
    local got
    got=$(tabia --complete "${@:1:$#-1}" | cut -f 1 | xargs)
    [ "$got" = "${*: -1}" ] || fail "candidates for ${*:1:$#-1}: $got"
}
completes se 'selfplay search'
completes help ga gauntlet
completes db s 'sql split sample shuffle'
completes db sql games.db --w --write
completes db digest games.db --w ''
completes gauntlet --tournament r roundrobin
completes gauntlet --db '' ''
completes perft --ep --epd
completes learn --from '' 'builtin classical tables pesto zero material'
completes gauntlet --a n network
completes selfplay --pool zero,ma zero,material
completes selfplay --adjudicate-win score=900,sides=o score=900,sides=one
completes gauntlet --engine '' "$(sed -n '/ player_keys\[\]/,/{0}/s/^    {"\([a-z.A-Z]*\)".*/\1=/p' "$source/cli/play/player_spec.c" | xargs)"
completes gauntlet --engine=cmd=x,prot --engine=cmd=x,proto=
completes db rescore games.db --engine weights=c weights=classical
completes gauntlet --engine none= ''

# As typed.
printf 'PS1="ready> "\n. %q\n' "$home/share/bash-completion/completions/tabia" >bashrc
printf 'PS1="ready> "\nfpath=(%q $fpath)\nautoload -U compinit\ncompinit -u -D\n' "$home"/share/zsh/*/ >.zshrc
typed() { python3 "$source/tests/tools/press_tab.py" "$@" || fail "$3: $1"; }
for shell in 'bash --noprofile --rcfile bashrc -i' 'zsh -i'; do
    command -v "${shell%% *}" >/dev/null || continue
    export TERM=dumb ZDOTDIR=$tmp
    typed 'tabia db dig' 'digest ' $shell
    typed 'tabia gauntlet --tournament round' 'roundrobin ' $shell
    typed 'tabia db info gam' 'games.db ' $shell
    typed 'tabia gauntlet --engine cmd=a,wei' 'cmd=a,weights=' $shell
    typed 'tabia gauntlet --engine weights=cl' 'weights=classical ' $shell
    typed 'tabia search --weights=cl' '--weights=classical ' $shell
done
if command -v fish >/dev/null; then
    # candidates LINE = CANDIDATES: what fish offers.
    export HOME=$tmp
    candidates() {
        got=$(fish -c "source $home/share/fish/vendor_completions.d/tabia.fish; complete -C '$1'" | cut -f 1 | xargs)
        [ "$got" = "$2" ] || fail "fish: $1: $got"
    }
    candidates 'tabia db dig' digest
    candidates 'tabia db sql x --w' --write
    candidates 'tabia db info gam' games.db
    candidates 'tabia gauntlet --engine cmd=a,wei' cmd=a,weights=
fi

# Nothing is left after `make uninstall`, and what others put there stays.
touch "$home/share/man/man1/another.1"
DESTDIR=$tmp/there sh "$source/cmake/uninstall.sh" "$build" || fail uninstall
[ "$(find "$tmp/there" -not -type d)" = "$home/share/man/man1/another.1" ] || fail "left: $(find "$tmp/there" -not -type d | head)"
[ -z "$(find "$tmp/there" -path '*share*tabia')" ] || fail "left: $(find "$tmp/there" -path '*share*tabia')"
finish
