#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia elo: figures as text and JSON, and what it refuses.
#   test_elo.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"

# shows PATTERN ARGS…: exit code 0 and output that matches.
shows() {
    local pattern=$1 out
    shift
    out=$("$tabia" elo "$@" 2>&1) || fail "elo $*: exit code $?"
    grep -qE -- "$pattern" <<<"$out" || fail "elo $*: no \"$pattern\" in: $out"
    ! grep -qi 'nan\|inf' <<<"$out" || fail "elo $*: $out"
}

# refuses PART ARGS…: exit code 2, one line that contains PART, nothing on standard output.
refuses() {
    local part=$1 out err
    shift
    err=$("$tabia" elo "$@" 2>&1 >/dev/null)
    [ $? = 2 ] || fail "elo $*: not exit code 2"
    out=$("$tabia" elo "$@" 2>/dev/null)
    [ -z "$out" ] || fail "elo $*: prints $out"
    grep -qF -- "$part" <<<"$err" || fail "elo $*: no \"$part\" in: $err"
}

shows '^Elo +-15\.7 ± 30\.5$' --wdl 76 123 89
shows '^nElo +-20\.8 ± 40\.1$' --wdl 76 123 89
shows '^LOS +15\.5 %$' --wdl 76 123 89
shows '"games": 288, "wins": 76, "draws": 123, "losses": 89, ' --json --wdl 76 123 89
shows '"elo": -15\.69352071, "elo95": 30\.45800072, "elo_low": -46\.2723542, "elo_high": 14\.64364723, "elo_interval": "normal"' --json --wdl 76 123 89
shows '"elo": 55\.57978042, ' --json --ptnml 34 54 63 64 75
shows '"llr": 2\.250367704, "llr_lower": -2\.944438979, "llr_upper": 2\.944438979, "decision": "continue"' \
    --json --ptnml 365 16618 36229 16974 390 --sprt elo0=0,elo1=2
shows '"llr": 2\.131067812, ' --json --ptnml 10789 19328 33806 19402 10543 \
    --sprt elo0=-3,elo1=1,model=logistic
shows 'LLR +120\.55 .*H1 accepted$' --wdl 4250 0 0 --sprt elo0=0,elo1=10
shows '"decision": "H0"' --json --ptnml 0 0 20000 0 0 --sprt elo0=0,elo1=5,model=logistic
shows '"elo": 0, "elo95": 6\.350210605, "elo_low": -6\.350210605, "elo_high": 6\.350210605, "elo_interval": "likelihood", "nelo": null' \
    --json --ptnml 0 0 200 0 0
shows '"elo": null, "elo95": null, "elo_low": 570\.0282451, "elo_high": null, ' --json --ptnml 0 0 0 0 100
shows '"elo_low": null, "elo_high": null, "elo_interval": null, ' --json --wdl 0 0 0
# Few pairs: no ±, but an interval, and words.
shows '^Elo +\+190\.8 \[-348, \+554\]$' --ptnml 0 0 0 2 0
shows 'too few pairs for ±: 0 of 2 differ from the most frequent result,' --ptnml 0 0 0 2 0
shows '^LOS +89\.9 %$' --ptnml 0 0 0 2 0
shows '^Elo +\+0\.0 \[-307, \+307\]$' --ptnml 0 0 3 0 0
shows '^Elo +\+1040\.4 \[\+557, \+1853\]$' --ptnml 0 0 0 1 99
shows 'too few games for ±: 1 of 3 ' --wdl 2 1 0
shows '"elo": null' --json --wdl 0 0 0
shows '^Elo +–$' --wdl 0 0 0
shows '^Elo +>\+' --wdl 100 0 0

refuses 'either --wdl W D L or --ptnml'
refuses '--wdl does not go with --ptnml' --wdl --ptnml 1 2 3
refuses '--wdl needs 3 counts, not 2' --wdl 1 2
refuses '--ptnml needs 5 counts, not 3' --ptnml 1 2 3
refuses '"x" is not a count' --wdl 1 2 x
refuses '"1.5" is not a count' --wdl 1 2 1.5
refuses 'elo0 must be below elo1' --wdl 1 2 3 --sprt elo0=5,elo1=0
refuses 'normalized bounds must be within' --wdl 1 2 3 --sprt elo0=0,elo1=900

finish
