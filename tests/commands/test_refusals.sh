#!/bin/bash
# SPDX-License-Identifier: MIT
# An option that the verb or mode of a command does not use is refused by name, and nothing is written. An INI
# file may hold keys for other verbs.
#   test_refusals.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
cd "$tmp" || exit 1

# refuses SENTENCE COMMAND ARGS...: exit code 2 ($code), one line that contains SENTENCE, no file.
refuses() {
    local sentence=$1 files
    shift
    files=$(ls)
    "$tabia" "$@" >"$tmp.out" 2>"$tmp.err"
    [ $? = "${code:-2}" ] && grep -qF -- "$sentence" "$tmp.err" || fail "tabia $*: $(cat "$tmp.out" "$tmp.err")"
    [ "$(wc -l <"$tmp.err")" = 1 ] || fail "tabia $*: more than one line of error"
    [ ! -s "$tmp.out" ] || fail "tabia $*: prints $(cat "$tmp.out")"
    [ "$(ls)" = "$files" ] || fail "tabia $*: wrote $(ls)"
}

"$tabia" selfplay --db g.db --games 6 --nodes 50 --quiet >/dev/null || fail "selfplay: $?"
echo 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c9 "1-0";' >p.epd

# Verbs
refuses 'check does not use --fractions; it is for: split' db check g.db --fractions 1,2
refuses 'check does not use --games; it is for: split sample' db check g.db --games 7
refuses 'check does not use --mixed' db check g.db --mixed
refuses 'check does not use --filter' db check g.db --filter foo
refuses 'info does not use --format' db info g.db --format json
refuses 'sql does not use --report' db sql g.db 'SELECT 1' --report
refuses 'import does not use --positions' db import g.db games.pgn --positions 9
refuses 'export does not use --keep-going' db export g.db x.pgn --keep-going
refuses 'digest does not use --header' db digest g.db --header
refuses 'merge does not use --write' db merge m.db g.db --write
refuses 'vacuum does not use --moves' db vacuum g.db --moves
refuses 'split does not use --positions' db split g.db a.db b.db --positions 3
refuses '--fractions does not go with --games' db split g.db a.db b.db --fractions 1,1 --games 3
refuses 'unknown verb "chekc"; did you mean check?' db chekc g.db
refuses 'usage: tabia db split FILE OUT OUT' db split g.db a.db

# What is likely meant
refuses 'did you mean tabia db export?' export
refuses 'did you mean tabia weights emit?' emit
refuses '(see tabia help weights emit)' weights emit
refuses '(see tabia help bench suite)' bench suite --depth 5
refuses 'did you mean tabia --version?' version
refuses 'unexpected argument "g.db"; did you mean --db g.db?' tune g.db
refuses 'did you mean --epd p.epd?' train p.epd
refuses 'did you mean --a x.h --b y.h?' gauntlet x.h y.h
refuses 'did you mean --depth 5?' perft 5
refuses 'k1 is no square, such as g1' weights show builtin --king k1
refuses 'a program is cmd=stockfish' gauntlet --engine stockfish --engine weights=zero --games 2
refuses 'did you mean tabia db info g.db?' db g.db
refuses 'the database comes first: tabia db import g.db list.pgn' db import list.pgn g.db
refuses 'the database comes first: tabia db sql FILE "DELETE FROM games"' db sql 'DELETE FROM games'
refuses 'or two players: --engine cmd=PROGRAM --engine weights=W' gauntlet --engine stockfish
refuses 'x.parquet: unknown file extension; convert it to .csv' db import g.db x.parquet
refuses 'tabia tune makes headers' train --db g.db --out x.h
echo PAR1 >x.parquet
code=3 refuses 'x.parquet: a Parquet file; convert it' tune --epd x.parquet --out x.h
refuses 'h.db: unknown file extension; the database comes first' db import games.pgn h.db
refuses 'export .csv' db export g.db x.parquet
refuses 'wins, draws and losses are --wdl' elo 76 123 89
refuses 'tabia train makes networks' tune --db g.db --out x.net
[ "$("$tabia" perft --fen startpos --depth 2 | cut -d' ' -f1)" = 400 ] || fail 'perft --fen startpos'
refuses 'show does not use --order; it is for: emit' weights show zero --order a1
refuses 'emit does not use --colour' weights emit zero --colour
refuses '--order must be a1 or a8, not "b1"' weights emit zero --order b1
refuses 'unknown verb "shwo"; did you mean show?' weights shwo zero
refuses 'usage: tabia weights diff A B' weights diff zero
refuses 'gauntlet does not use --nodes; it is for: selfplay suite' bench gauntlet --nodes 5
refuses 'usage: tabia bench tune FILE' bench tune p.epd p.epd
refuses 'missing verb' bench

refuses '--json does not go with --format' db sql g.db 'SELECT 1' --json --format csv
refuses '--json does not go with --header' db sql g.db 'SELECT 1' --json --header

# Shares that leave a part out
for fractions in 0,0 1,0 0,1; do
    refuses 'every part needs a share above 0' db split g.db a.db b.db --fractions $fractions
done

# Modes
refuses '--emit does not go with --score-only' tune --score-only --epd p.epd --emit x.h
refuses '--diff does not go with --score-only' tune --score-only --epd p.epd --diff
for option in checkpoint=y start=zero prior=auto folds=5 optimiser=adam patience=3 freeze=MATERIAL out=x.h loss=cross-entropy; do
    refuses "--${option%=*} does not go with --score-only" tune --score-only --epd p.epd --$option
done
refuses '--no-errors does not go with --score-only' tune --score-only --epd p.epd --no-errors
refuses '--weights needs --score-only' tune --epd p.epd --out x.h --weights zero
refuses '--validation does not go with --folds' tune --epd p.epd --out x.h --folds 2 --validation .3
refuses '--patience needs a --validation part' tune --epd p.epd --out x.h --folds 2 --patience 3
refuses '--army does not go with a start' tune --epd p.epd --out x.h --start "$source/configs/weights/classical.h" --army 5000
refuses '--late-lambda needs --late-from above 0' learn --from zero --dir d --generations 1 --late-from 0 --late-lambda .3
refuses 'no folder is named' tune --epd p.epd --out x.h --scratch ''
refuses '--emit-order needs --emit' tune --epd p.epd --out x.h --emit-order a1
refuses '--noise-floor needs --loss' tune --epd p.epd --out x.h --noise-floor .1
refuses '--noise-floor needs --loss noise-floor' tune --epd p.epd --out x.h --loss mse --noise-floor .1
refuses '--window does not go with --epd' tune --epd p.epd --out x.h --window 3
refuses '--resolve does not go with --features' tune --features f --out x --resolve
refuses '--terms does not go with --features' tune --features f --out x --no-errors --terms classical
refuses '--epd does not go with --features' tune --epd p.epd --features f --out x
refuses '--window does not go with --generations' tune --db g.db --out x.h --window 3 --generations 1
refuses '--loss must be mse, cross-entropy or noise-floor, not "msee"; did you mean mse?' \
    tune --epd p.epd --out x.h --loss msee
refuses '--divide does not go with --epd' perft --epd p.epd --divide
refuses '--max-nodes needs --epd' perft --depth 2 --max-nodes 5
refuses '--order needs --openings' selfplay --db x.db --games 1 --nodes 20 --order random
code=1 refuses './t.net is named for two outputs' train --db g.db --out t.net --checkpoint ./t.net
code=1 refuses 'both.pgn is named for two outputs' gauntlet --a zero --b zero --games 2 --nodes 50 --pgn both.pgn --epd both.pgn
code=1 refuses 'new.db is an input' gauntlet --a zero --b zero --games 2 --nodes 50 --db new.db --pgn new.db
printf '[openings]\ncount = 2\n[db]\nquiet = true\n[gauntlet]\na = zero\nb = zero\npgn = own.ini\n' >own.ini
cp own.ini kept.ini
code=1 refuses '--out ./own.ini is the INI file of --config' openings --config own.ini --out ./own.ini
code=1 refuses '--pgn own.ini is the INI file of --config' gauntlet --config own.ini --games 2 --nodes 20
code=1 refuses 'own.ini is the INI file of --config' db export --config own.ini g.db own.ini --format plain
cmp own.ini kept.ini || fail 'an INI file is changed'
printf '[selfplay] games = 2\n' >x.ini
code=3 refuses 'x.ini:1: a [section] stands alone on its line' selfplay --db x.db --config x.ini
code=3 refuses '/dev/stdin: no regular file' db import x.db /dev/stdin --format pgn < <(echo)
refuses '--opening-start needs --openings' openings --out x.epd --count 1 --opening-start 3
refuses '--chess960 does not go with --double-chess960' learn --from zero --dir d --generations 1 --games 2 --chess960 --double-chess960
refuses '--event needs --pgn' gauntlet --a zero --b zero --games 2 --nodes 20 --event x
refuses '--pgn-fields needs --pgn' gauntlet --a zero --b zero --games 2 --nodes 20 --pgn-fields min
refuses '--a does not go with --each' gauntlet --each nodes=5 --a zero --b zero
refuses '--build-command needs --a-rev or --b-rev' gauntlet --a zero --b zero --games 2 --nodes 20 --build-command true
for rule in random-move:random-until:0.1 vary-margin:vary-until:30; do
    IFS=: read -r what until value <<<"$rule"
    for command in 'selfplay --db x.db --games 1 --nodes 20' 'learn --from zero --dir d --generations 1 --games 2'; do # shellcheck disable=SC2086
        refuses "--$what needs --$until above 0" $command --$what $value --$until 0
        [[ $what = vary-margin || $command = selfplay* ]] || continue # learn has random moves by default
        refuses "--$until needs --$what" $command --$until 5
    done
done
refuses '--first-random-move needs --first-random-until above 0' learn --from zero --dir d --generations 1 --first-random-until 0
refuses '--sprt needs --gauntlet-games above 0' learn --from zero --dir d --generations 1 --sprt elo0=0,elo1=5
refuses '--hash is for engines in this process; programs have --each option.Hash=MB' \
    gauntlet --engine "name=x,cmd=$build/tabia-engine" --engine "name=y,cmd=$build/tabia-engine" --hash 64
for limit in nodes=20 depth=2 tc=1; do
    refuses "--${limit%=*} is for players without a limit" gauntlet --engine weights=zero,nodes=10 \
        --engine name=other,weights=zero,st=1 --games 2 "--$limit"
done
refuses '--log needs an external engine' gauntlet --a zero --b zero --games 2 --nodes 20 --log logs
refuses '--stop-on-fault needs an external engine' gauntlet --a zero --b zero --games 2 --nodes 20 --stop-on-fault

# Values that would switch something off or leave nothing
refuses '--rate must be from 1e-09 to 1, not 0' train --db g.db --out t.net --rate 0
for rule in win draw; do
    refuses 'plies must be from 1 to 32000, not 0' gauntlet --a zero --b zero --games 2 --nodes 20 --adjudicate-$rule plies=0
done
refuses '--pgn-fields: min leaves all comments out; give it alone' \
    gauntlet --a zero --b zero --games 2 --nodes 20 --pgn y.pgn --pgn-fields nodes,min
refuses '--filter: min-ply must not be above max-ply' db export g.db y.epd --filter min-ply=50,max-ply=20
refuses '--filter: min-phase must not be above max-phase' db export g.db y.epd --filter min-phase=9,max-phase=8
refuses '--min-ply must not be above --max-ply' tune --db g.db --out x.h --min-ply 50 --max-ply 20
for key in stall init; do
    refuses 'stall and init need cmd=PROGRAM' gauntlet --engine weights=zero,$key=5s --engine weights=material
done

# Words as other programs take them
refuses 'unknown option -engine; options begin with two dashes; did you mean --engine?' \
    gauntlet -engine cmd=sf -engine cmd=old
refuses 'unknown option -e; options begin with two dashes; names of fastchess' gauntlet -e
refuses 'unexpected argument "format=epd"; --openings takes FILE alone' gauntlet --a zero --b zero --openings file=x.epd format=epd
refuses '--pgn takes FILE alone, without "file=": --pgn x.pgn' gauntlet --a zero --b zero --pgn file=x.pgn
refuses 'unknown option --srand; names of fastchess and cutechess-cli: gauntlet.md of the documents' gauntlet --srand 1
refuses 'unexpected argument "nodes=1000"; join pairs by commas: cmd=sf,nodes=1000' \
    gauntlet --engine cmd=sf nodes=1000 --engine weights=zero
refuses 'cmd=sf nodes=1000: no such file; pairs are joined by commas: cmd=sf,nodes=1000' \
    gauntlet --engine 'cmd=sf nodes=1000' --engine weights=zero
refuses 'unexpected argument "b=1" (see' gauntlet --games=4 b=1
refuses 'name: the name is empty' gauntlet --engine 'name= ,weights=zero' --engine weights=zero
refuses "cmd: the program's name is empty" gauntlet --engine name=x,cmd= --engine weights=zero
refuses '--db does not go with --epd; give one of them' tune --db g.db --epd p.epd --out x.h
for command in 'gauntlet --a zero --b zero' 'elo --wdl 1 2 3'; do # shellcheck disable=SC2086
    refuses '--sprt: "0,5" has no keys; write elo0=X,elo1=Y' $command --sprt 0,5
    refuses '--sprt: both elo0=X and elo1=Y are needed, joined by a comma' $command --sprt elo0=0 elo1=5
done
refuses 'usage: tabia weights show W; W is builtin, classical' weights show

# Files that another command or option takes
echo '[Event "x"]' >x.pgn
refuses 'g.db is a database; tabia db merge m.db g.db adds its games' db import m.db g.db
refuses '--epd x.pgn: a file of games; tabia db import games.db x.pgn makes a database' tune --epd x.pgn --out x.h
refuses '--epd g.db: a database; use --db g.db' tune --epd g.db --score-only
refuses 'x.pgn exists already; name a new file, or replace it by --force' db export g.db x.pgn
[ "$(cat x.pgn)" = '[Event "x"]' ] || fail 'a refused export replaces the file'
"$tabia" db export g.db x.pgn --force --quiet >/dev/null || fail "export --force: $?"
[ "$(grep -c '^\[Event ' x.pgn)" = 6 ] || fail 'export --force does not replace the file'
refuses 'there is only 1 opening without random plies' selfplay --db x.db --games 2 --nodes 20 --openings p.epd

# A file of settings for another command
code=3 refuses 'gauntlet.ini: the keys are in [gauntlet], none in [selfplay]' \
    selfplay --config "$source/configs/gauntlet.ini" --db x.db --games 2 --nodes 20

# A few bytes that stand for a line without an end
head -c 200M /dev/zero | tr '\0' a | zstd -q >long.epd.zst
code=3 refuses 'long.epd.zst: a line of more than 64 MB' tune --epd long.epd.zst --out y.h

code=3 refuses 'folder/: the name of a folder' selfplay --db folder/ --games 2 --nodes 20
[ ! -e folder ] || fail 'a refused name was taken without its stroke'

# Outputs that are databases or inputs
cp g.db was.db
printf '%s\n' "$(cat p.epd)" "$(cat p.epd)" >two.epd
for command in 'tune --db g.db --out g.db' 'tune --db g.db --out y.h --emit g.db' 'train --db g.db --out g.db' 'report g.db --out g.db' \
    'spsa --params scales --db s.db --weights-out g.db --iterations 1' 'weights show builtin --out g.db' 'db shuffle p.epd g.db --format epd --force' \
    'db export g.db g.db --format pgn --force' 'openings --out g.db --count 2'; do # shellcheck disable=SC2086
    code=1 refuses 'g.db is a database, or its log, and is not replaced' $command
done
for log in wal shm journal; do
    code=1 refuses "g.db-$log is a database, or its log, and is not replaced" db export g.db g.db-$log --format pgn
done
cmp -s g.db was.db || fail 'a refused output changed the database'
for command in 'train --epd two.epd --out two.epd' 'tune --epd two.epd --out two.epd' 'db shuffle two.epd two.epd' \
    'openings --openings two.epd --out two.epd --count 1' 'spsa --params two.epd --db s.db --out two.epd' \
    'report g.db --reference two.epd --out two.epd'; do # shellcheck disable=SC2086
    code=1 refuses 'two.epd is an input, and is not replaced' $command
done
code=1 refuses 'y.h is named for two outputs' tune --db g.db --out y.h --emit y.h
for command in 'train --db g.db' 'openings --count 1000000' 'report g.db'; do # shellcheck disable=SC2086
    code=1 refuses 'no/y.out: cannot be written: no writable folder no/' $command --out no/y.out
done
# Outputs that are folders: nothing is read, fitted or played before.
mkdir -p folder.epd taken/results.json page/report.html
for command in 'train --db g.db --out folder.epd' 'openings --count 1000000 --out folder.epd' 'report g.db --out folder.epd' \
    'db export g.db folder.epd --force' 'db shuffle p.epd folder.epd --force' 'learn --from zero --dir taken --budget 1h' \
    'learn --from zero --dir page --budget 1h'; do # shellcheck disable=SC2086
    code=1 refuses ': cannot be written: it is a folder' $command
done
for dir in taken page; do [ "$(ls $dir | wc -l)" = 1 ] || fail "refused, but $dir was used: $(ls $dir)"; done
for command in 'tune --db g.db --out -' 'train --db g.db --out -' 'report g.db --json --out -'; do # shellcheck disable=SC2086
    code=2 refuses '--out needs a file: standard output gets the result' $command
done
code=2 refuses '--emit needs a file' tune --db g.db --out y.h --emit -
code=2 refuses '--out needs a file' spsa --params p.epd --db s.db --out -
for command in 'tune --db g.db --out' 'train --db g.db --out' 'spsa --params scales --db s.db --weights-out'; do # shellcheck disable=SC2086
    code=2 refuses 'y.h.zst: weights are not written compressed' $command y.h.zst
    code=2 refuses 'y.h.gz: files are not written in gzip; use .zst' $command y.h.gz
done
code=2 refuses 'y.c.bz2: files are not written in bzip2' tune --db g.db --out y.h --emit y.c.bz2
code=3 refuses '--decay needs generations of tabia learn' tune --db g.db --out y.h --decay 0.5
code=3 refuses 'g.db has 6 games, fewer than --games 7' db split g.db p.db q.db --games 7
code=2 refuses '--checkpoint needs a file' train --db g.db --out y.net --checkpoint -
code=2 refuses '--weights-out needs a file' spsa --params scales --db s.db --weights-out - --iterations 1
"$tabia" report g.db --out page.html && "$tabia" report g.db --out - | cmp -s - page.html || fail 'a page on standard output'
if [ -e /proc/self/fd/1 ]; then # what standard output goes to is not replaced
    ln -s /proc/self/fd/1 stream
    { echo first && "$tabia" weights emit builtin --out stream && echo last; } >together || fail 'weights emit to standard output'
    { echo first && "$tabia" weights emit builtin && echo last; } | cmp - together || fail 'not all is in the redirected file'
    "$tabia" db export g.db stream --format epd --quiet >>together || fail 'db export to standard output'
    grep -q last together && [ "$(wc -l <together)" -gt 500 ] && [ -L stream ] || fail 'the redirected file was replaced'
    rm stream together
fi
ln -s g.db same.db
code=2 refuses 'same.db: named twice' train --db g.db --db same.db --out y.net
code=2 refuses './p.epd: named twice' elo --pgn p.epd ./p.epd
code=1 refuses 'the name of an output is empty' tune --db g.db --out ''
code=3 refuses 'none.db' db merge new.db none.db

# A database whose header says that its text is UTF-16
cp g.db u.db
printf '\2' | dd of=u.db bs=1 seek=59 conv=notrunc status=none
code=4 refuses 'u.db: its text is not UTF-8' db info u.db

# Settings that are no text or have no end
printf '[train]\nhidden=32\0more\n' >nul.ini
code=3 refuses 'nul.ini:2: not a text file: it has a NUL byte' train --config nul.ini --epd p.epd --out y.net
code=3 refuses '/dev/zero:1: not a text file' train --config /dev/zero --epd p.epd --out y.net
yes '; x' | head -n 20000 >long.ini
code=3 refuses 'too many lines for settings' train --config long.ini --epd p.epd --out y.net

# A pipe without a writer or without a reader: the first signal ends the wait.
mkfifo pipe
ctrl_c_after -k 20 .3 "$tabia" tune --db g.db --iterations 1000000 --patience 1000000 --out pipe >"$tmp.out" 2>"$tmp.err"
[ $? = 124 ] || fail 'a signal during the fit does not end the wait after it'
few='--epd p.epd --validation 0 --hidden 16 --epochs 1'
for command in 'train --out y.net --epd pipe' 'tune --epd pipe --score-only' 'elo --pgn pipe' \
    'gauntlet --a pipe --b zero --games 2 --nodes 20' 'selfplay --db y.db --openings pipe --games 2 --nodes 20' \
    'train --config pipe --epd p.epd --out y.net' "train $few --out pipe" \
    "train $few --out y.net --checkpoint pipe" 'tune --epd p.epd --validation 0 --iterations 1 --out pipe' \
    'tune --epd p.epd --validation 0 --iterations 1 --out y.h --checkpoint pipe' 'db export g.db pipe --format epd' \
    'report g.db --out pipe' 'weights emit builtin --out pipe' 'openings --count 2 --out pipe' \
    'gauntlet --a zero --b zero --games 2 --nodes 20 --pgn pipe'; do
    # shellcheck disable=SC2086
    ctrl_c_after -k 20 1 "$tabia" $command >"$tmp.out" 2>"$tmp.err"
    [ $? = 124 ] || fail "$command: did not wait, or the first signal does not end it: $(cat "$tmp.err")"
    rm -f y.db*
done
for command in 'db export g.db pipe --format epd' 'openings --count 2 --out pipe' 'gauntlet --a zero --b zero --games 2 --nodes 20 --pgn pipe' \
    "gauntlet --engine cmd=$build/tabia-engine,log=pipe --engine cmd=$build/tabia-engine,name=b --games 2 --nodes 20"; do
    # shellcheck disable=SC2086
    ctrl_c_after --preserve-status -k 20 1 "$tabia" $command >"$tmp.out" 2>"$tmp.err"
    got=$?
    { [ $got = 130 ] && grep -q ': interrupted$' "$tmp.err"; } || fail "$command: exit code $got, $(cat "$tmp.err")"
done
code=4 refuses 'pipe: cannot be read: it is no regular file' db info pipe
rm pipe

# A section of an INI file serves all verbs and modes; the command line overrides what it excludes.
printf '[db]\nfractions = 1,2\nmixed = yes\n[tune]\nemit = x.h\ndiff = yes\nfolds = 3\nvalidation = .2\nloss = cross-entropy\nemit-order = a1\n' >all.ini
"$tabia" db check g.db --config all.ini --quiet >/dev/null || fail "db check with an INI file: $?"
"$tabia" tune --score-only --epd p.epd --config all.ini >/dev/null 2>"$tmp.err" ||
    fail "tune --score-only with an INI file: $(cat "$tmp.err")"
[ ! -e x.h ] || fail 'tune --score-only wrote x.h'
code=3 refuses '1 game is too few for 3 folds' tune --epd p.epd --config all.ini --out y.h

# Too little stack, for the main thread or for OpenMP's. A soft limit is raised.
if ! sanitized; then
    (ulimit -s 64 && code=1 refuses 'a stack of 64 KiB is too small' selfplay --db s.db --games 2 --nodes 20)
    (ulimit -s 64 && "$build/tabia-engine" bench) | grep -q 'error: a stack of 64 KiB is too small' || fail 'stack: tabia-engine bench'
    code=1 OMP_STACKSIZE=64k refuses 'OMP_STACKSIZE=64k is too small' selfplay --db s.db --games 2 --nodes 20
    (ulimit -Ss 64 && "$tabia" selfplay --db s.db --games 2 --nodes 20 --quiet --threads 2 >/dev/null) || fail "soft limit of the stack: $?"
fi

finish
