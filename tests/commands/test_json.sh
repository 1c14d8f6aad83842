#!/bin/bash
# SPDX-License-Identifier: MIT
# --json prints exactly the keys and types of docs/json.md. Slow benches are not run: their keys are searched in their
# source.
#   test_json.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
cd "$tmp" || exit 1

# The output of each command is a file in out/; its first line is the section of the page.
mkdir out
runs=0

# says CODE SECTION ARGS…: runs `tabia ARGS --json` for that section.
says() {
    local code=$1 section=$2 file
    shift 2
    file=out/$((runs += 1))
    echo "$section" >"$file"
    "$tabia" "$@" --quiet --json >>"$file" 2>err
    local got=$?
    [ $got = "$code" ] || fail "tabia $*: exit code $got, not $code: $(cat err)"
}

must() { "$tabia" "$@" --quiet >/dev/null 2>err || fail "tabia $*: $(cat err)"; }

for i in $(seq 12); do
    echo "4k3/pp4pp/8/8/8/8/PP4PP/3QK3 w - - c9 \"1-0\"; id \"q$i\";"
    echo "4k3/ppq3pp/8/8/8/8/PP4PP/4K3 b - - c9 \"0-1\"; id \"r$i\";"
    echo "4k3/pp4pp/2n5/8/8/2N5/PP4PP/4K3 w - - c9 \"1/2-1/2\"; id \"n$i\";"
done >small.epd
grep n1 small.epd >draws.epd
printf '%s\n' '@columns 1' '1-0 g:a 0:1' '0-1 g:b 0:-1' '1-0 g:c 0:1' '0-1 g:d 0:1' >small.features
echo '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; c7 "Ra8#"; c8 "10";' >suite.epd
echo 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 401' >perft.epd

# ---- Games, fits, matches
says 0 selfplay selfplay --db a.db --games 8 --nodes 50 --weights material
must selfplay --db b.db --games 4 --depth 1 --weights material --seed 2
says 0 tune tune --epd small.epd --start material --out a.h --folds 2 --prior auto --freeze '*_PST'
says 0 tune tune --epd small.epd --start material --out b.h --loss noise-floor --freeze '*_PST'
says 0 tune tune --epd draws.epd --start material --out b.h --validation 0 --freeze '*_PST'
says 0 tune tune --features small.features --out weights.txt --validation 0
says 0 'tune --score-only' tune --score-only --epd small.epd --weights material
says 0 'weights show' weights show a.h
says 0 'weights diff' weights diff material a.h
says 0 gauntlet gauntlet --a material --b zero --depth 1 --games 4 --sprt elo0=0,elo1=100 --report-every 2
says 0 gauntlet gauntlet --engine weights=material --engine weights=zero --engine name=x,weights=zero \
    --depth 1 --rounds 1 --white-advantage
says 1 'gauntlet --compliance' gauntlet --compliance "'$build/fake_engine' illegal"
says 0 learn learn --from material --dir learned --generations 1 --games 20 --nodes 50 --gauntlet-games 2 \
    --gauntlet-nodes 50 --final-games 2
says 0 'learn --dry-run' learn --from material --dir planned --generations 1 --nodes 50 --dry-run
echo 'rfp_margin, int, 130, 20, 200, 9, 0.02' >margin.txt
says 0 spsa spsa --params margin.txt --db spsa.db --iterations 2 --games 2 --nodes 50
says 0 train train --db a.db --out a.net --hidden 16 --epochs 1
says 0 'weights show' weights show a.net
says 0 report report learned --out page.html
must gauntlet --a material --b zero --depth 1 --games 4 --sprt elo0=0,elo1=100 --db tested.db
says 0 report report tested.db --out page.html
says 0 report report spsa.db --out page.html
must tune --db a.db --start classical --terms classical --freeze '*_PST' --out c.h
says 0 report report a.db --out page.html
for counts in '0 0 0' '5 0 0' '0 0 5' '3 4 5'; do
    # shellcheck disable=SC2086
    says 0 elo elo --wdl $counts
done
says 0 elo elo --ptnml 0 0 7 0 0 --sprt elo0=0,elo1=5
says 0 elo elo --ptnml 1 2 7 2 2
must gauntlet --a material --b zero --nodes 50 --games 8 --pgn rated.pgn
echo '[White "x"] [Black "zero"] [Result "1-0"]' >>rated.pgn
says 0 'elo --pgn' elo --pgn rated.pgn --white-advantage

# ---- Databases
says 0 'db info' db info learned/learn.db
says 0 'db card' db card learned/learn.db
says 0 'db check' db check a.db
says 0 'db materialize' db materialize a.db
says 0 'db digest' db digest a.db
says 0 'db merge' db merge all.db a.db b.db
says 0 'db export' db export all.db all.epd
says 0 'db import' db import again.db all.epd
says 0 'db split' db split all.db one.db two.db
says 0 'db sample' db sample all.db some.db --games 3
says 0 'db dedup' db dedup all.db less.db
says 0 'db dedup --report' db dedup all.db --report
says 0 'db rescore' db rescore a.db scored.db --weights zero --nodes 20
says 0 'db shuffle' db shuffle all.epd shuffled.epd
says 0 'db vacuum' db vacuum all.db
says 0 'db upgrade' db upgrade all.db
[ "$("$tabia" db sql a.db 'SELECT 1 AS x' --json)" = '[{"x": 1}]' ] || fail 'db sql is no array of rows'
for product in 'db export all.db - --format epd' 'db shuffle all.epd -' 'openings --out - --count 2 --random-plies 2' \
    'weights emit material'; do
    # shellcheck disable=SC2086
    "$tabia" $product --quiet --json >product 2>err || fail "$product: $(cat err)"
    [ -s product ] && ! grep -q '^{' product || fail "$product: an object in the product"
done

# ---- The engine
says 0 openings openings --out book.epd --count 3
says 0 search search --depth 3
says 0 'search --compare' search --depth 3 --compare --nodes 5000
says 0 search search --fen '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1'
says 0 search search --fen '4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1' --nodes 1
grep -q '"score": [1-9][0-9]*, "depth": 0' "out/$runs" || fail "a search of one node has no score: $(cat "out/$runs")"
says 0 perft perft --depth 2 --divide
says 1 'perft --epd' perft --epd perft.epd
says 0 'bench store' bench store --positions 2000
says 0 'bench suite' bench suite suite.epd --nodes 1000
says 0 'bench tune' bench tune small.epd --weights tables --rounds 1

python3 - "$source" out/* <<'PY' || fail 'docs/json.md'
import json, re, sys
from pathlib import Path

source, runs = Path(sys.argv[1]), sys.argv[2:]
unrun = {'bench search': 'search.c', 'bench perft': 'perft.c', 'bench selfplay': 'selfplay.c',
         'bench gauntlet': 'gauntlet.c', 'bench threads': 'threads.c',
         'bench train': 'train.c'}
wrong = []


class Row:
    """A key of a section: players[].name has the path players, [], name. `included`: the section of what it holds."""

    def __init__(self, key, kind, meaning):
        link = re.match(r'\[([^]]*)\]\(#', meaning)
        self.path = tuple(re.findall(r'\[\]|[^.\[\]]+', key))
        self.kind, self.included, self.printed = kind, link and link[1].capitalize(), False


def read_page(text):
    """{section: [Row]} and [(section, sample)]. A section is a heading; where a table has a column of verbs or benches,
    one for each of these."""
    sections, samples, heading, columns, owners = {}, [], '', None, []
    for block in re.split(r'^(```json\n.*?^```)$', text, flags=re.M | re.S):
        if block.startswith('```'):
            samples.append((heading, block[len('```json'):-len('```')]))
            continue
        for line in block.splitlines():
            cells = [cell.strip() for cell in line.strip('|').split('|')]
            if line.startswith('#'):
                heading = line.lstrip('# ')
            if not line.startswith('|'):
                columns = None
            elif not columns:
                columns, owners = cells, [heading]
            elif '---' not in line:
                *owner, keys, kind, meaning = cells
                if owner and owner[0]:
                    owners = [f'{heading} {name}' for name in re.findall('`([^`]+)`', owner[0])]
                for name in owners:
                    sections.setdefault(name, []).extend(
                        Row(key, kind, meaning) for key in re.findall('`([^`]+)`', keys) or [''])
    return sections, samples


sections, samples = read_page((source / 'docs/json.md').read_text())


def expand(section, before=()):
    """(path, Row) of a section and of those that it includes."""
    for row in sections[section]:
        path = before + row.path
        if row.path:
            yield path, row
        if row.included:
            yield from expand(row.included, path + (('[]',) if row.kind.startswith('array') else ()))


def matches(pattern, path):
    return all(step in ('*', name) for step, name in zip(pattern, path))


def fits(value, kind):
    if kind.startswith('array of '):
        return isinstance(value, list) and all(fits(v, kind[len('array of '):]) for v in value)
    if ' or ' in kind:
        return any(fits(value, k) for k in kind.split(' or '))
    if isinstance(value, bool):
        return kind == 'bool'
    return isinstance(value, {'int': int, 'number': (int, float), 'bool': bool, 'string': str, 'object': dict,
                              'null': type(None)}[kind])


def check_key(section, path, value, rows):
    name = f'{section}: {".".join(path).replace(".[]", "[]")}'
    row = next((r for pattern, r in rows if len(pattern) == len(path) and matches(pattern, path)), None)
    if row:
        row.printed = True
        if not fits(value, row.kind):
            wrong.append(f'{name} is not {row.kind}')
    elif not any(len(pattern) > len(path) and matches(pattern, path) for pattern, _ in rows):
        wrong.append(f'{name} is printed and not in docs/json.md')


def check(section, value, rows, path=()):
    """The keys of an object and of those inside it; a bench's rounds and their spread have the keys of its object."""
    for key, inner in value.items():
        at = path + (key,)
        check_key(section, at, inner, rows)
        same = section.startswith('bench ') and key in ('rounds', 'least', 'greatest')
        if isinstance(inner, dict):
            check(section, inner, rows, path if same else at)
        for element in inner if isinstance(inner, list) else []:
            if isinstance(element, dict):
                check(section, element, rows, path if same else at + ('[]',))


def strict(pairs):
    keys = [key for key, _ in pairs]
    wrong.extend(f'{key} stands twice in an object' for key in set(keys) if keys.count(key) > 1)
    return dict(pairs)


def parse(text):
    return json.loads(text, object_pairs_hook=strict, parse_constant=lambda name: wrong.append(f'{name}: {text}'))


for run in runs:
    section, *lines = Path(run).read_text().splitlines()
    if not lines:
        wrong.append(f'{section}: nothing is printed')
    for line in lines:
        check(section, parse(line), list(expand(section)))

def written_keys(file):
    """By calls that write a key, and by rows of tables of fields, which look like rows of settings."""
    text = re.sub(r'const Setting \w+\[\] = \{.*?\n\};', '', file.read_text(), flags=re.S)
    return {call or row for call, row in re.findall(r'\b(?:json_\w+|fields_json_array|path_string|match_object|weights_json)\(&?[\w.>-]+, "(\w+)"'
                          r'|{"(\w+)",\s+(?:FIELD\(|\.kind)', text)}


for section, rows in sections.items():
    if section in unrun:
        keys = written_keys(source / 'cli/bench' / unrun[section])
        if re.search('bench_rounds_(json|report)', (source / 'cli/bench' / unrun[section]).read_text()):
            keys |= written_keys(source / 'cli/bench/support.c')
        named = {row.path[-1] for row in rows}
        wrong += [f'{section}: {key} is written and not in docs/json.md' for key in sorted(keys - named)]
        wrong += [f'{section}: {key} is in docs/json.md and not written' for key in sorted(named - keys)]
    else:
        wrong += [f'{section}: {".".join(row.path).replace(".[]", "[]")} is in docs/json.md and never printed'
                  for row in rows if row.path and not row.printed]

# What every run of a section printed, its sample has too.
always = {}
for run in runs:
    section, *lines = Path(run).read_text().splitlines()
    for line in lines:
        keys = set(parse(line))
        always[section] = always.get(section, keys) & keys
for section, sample in samples:
    value = parse(sample)
    check(section, value, list(expand(section)))
    wrong += [f'the sample of {section} lacks {key}' for key in sorted(always.get(section, set()) - set(value))]
if len(samples) < 5:
    wrong.append(f'only {len(samples)} samples are found')

# All keys that commands can write, also those not printed here; record.c writes to the database.
written = {key: file.name for file in (source / 'cli').glob('*/*.c') if file.name not in ('json.c', 'record.c')
           for key in written_keys(file)}
named = {step for rows in sections.values() for row in rows for step in row.path}
wrong += [f'{name} writes {key}, which is not in docs/json.md' for key, name in written.items() if key not in named]
if len(written) < 150:
    wrong.append(f'only {len(written)} keys are found in the sources')

for line in dict.fromkeys(wrong):
    print(line)
sys.exit(bool(wrong))
PY

finish
