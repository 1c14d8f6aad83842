#!/bin/bash
# SPDX-License-Identifier: MIT
# The page in a browser: all rules of axe-core, contrast in charts, no console error, nothing loaded, nothing wider than
# the window, at 390 and 1280 pixels, in light and dark. Install the judges with `npm i axe-core playwright-core` in any
# folder, and set TABIA_JUDGES to that folder. Screenshots stay in the folder SHOTS, if it is given.
#   test_report_page.sh BUILD SOURCE [SHOTS]
. "$(dirname "$0")/prelude.sh"
shots=${3:+$(cd "$3" && pwd)}
for module in axe-core playwright-core; do
    [ -d "${TABIA_JUDGES:-}/node_modules/$module" ] || { echo "skipped: no $module below TABIA_JUDGES"; exit 77; }
done
for program in node chromium; do
    command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
ln -s "$(cd "$TABIA_JUDGES" && pwd)/node_modules" "$tmp/" && cd "$tmp" || exit 1

# judge PAGE: its problems are the output.
judge() { CHROMIUM=$(command -v chromium) node "$source/tests/tools/page_judge.mjs" "$@" >judged 2>&1; }

"$tabia" learn --from zero --games 60 --nodes 50 --gauntlet-games 20 --gauntlet-nodes 50 --final-games 10 --generations 3 \
    --dir run --quiet >/dev/null || fail "learn: $?"
"$tabia" tune --db run/learn.db --out new.h --quiet >/dev/null || fail "tune: $?"
"$tabia" report run --reference builtin --out page.html || fail "report: $?"
judge page.html $shots || fail "$(grep -v 'rules of axe hold' judged)"
[ "$(grep -c 'rules of axe hold' judged)" = 4 ] || fail "not judged four times: $(cat judged)"

# The judge finds what is wrong.
sed -e 's/--ink:#1b1f24/--ink:#aaa/' -e 's/--a:#0b5cad/--a:#ccc/' -e 's/<html lang="en">/<html>/' page.html >wrong.html
judge wrong.html && fail 'the judge finds nothing wrong'
for problem in 'axe color-contrast' 'axe html-has-lang' 'text 2' 'mark 1'; do
    grep -qF "light: $problem" judged || fail "the judge does not find: $problem"
done
finish
