#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Strength against the cost of learning. Runs of `tabia learn` with the settings of FILE.ini differ in their seeds and have
the same budget of core time. At doubling costs the weights that were the best then play a match against a reference. A
generation counts from the cost at which it ended. The same command continues in its folder and plays no game twice.
tests/tools/learning_curves.py draws what --json prints."""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

FIGURES = "games wins draws losses ptnml score draw_ratio pair_ratio elo elo95 elo_low elo_high elo_interval nelo nelo95 los llr"
GENERATIONS_MOST = 9999  # of `tabia learn`


def core_seconds(text):
    number = re.fullmatch(r"([0-9.]+)c([smh])", text)
    if not number:
        raise argparse.ArgumentTypeError(f"{text} is not core time, such as 30cm")
    return float(number[1]) * {"s": 1, "m": 60, "h": 3600}[number[2]]


def read_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tabia", help="the program")
    parser.add_argument("config", metavar="FILE.ini", help="settings of the runs, in its section [learn]")
    parser.add_argument("--dir", type=Path, required=True, help="folder of the runs and matches")
    parser.add_argument("--budget", type=core_seconds, required=True, metavar="TIME", help="core time of a run, such as 30cm")
    parser.add_argument("--checkpoint", type=core_seconds, default=60, metavar="TIME", help="core time of the first match (1cm)")
    parser.add_argument("--against", required=True, metavar="W", help="weights that all others play")
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="number of runs, from --seed on (3)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the first run and of the matches (1)")
    parser.add_argument("--games", type=int, default=400, metavar="N", help="games of a match, an even number (400)")
    parser.add_argument("--nodes", type=int, default=5000, metavar="N", help="soft limit of nodes a move in matches (5000)")
    parser.add_argument("--openings", metavar="FILE", help="start positions of the matches, as in gauntlet")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="number of threads (all processors)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    return parser.parse_args()


def run(o, command, *arguments):
    """The JSON of a command of tabia; its failure ends the script. Ctrl-C is the command's, which then ends."""
    words = [o.tabia, command, *map(str, arguments), "--json", "--threads", str(o.threads)] + ["--quiet"] * o.quiet
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as child:
        while child.returncode is None:
            try:
                printed, _ = child.communicate()
            except KeyboardInterrupt:
                pass
    if child.returncode != 0:
        sys.exit(child.returncode)
    return json.loads(printed)


def learn(o, seed):
    """The generations of a run, proved ones alone."""
    result = run(o, "learn", "--config", o.config, "--dir", o.dir / f"seed-{seed}", "--seed", seed,
                 "--budget", f"{o.budget}cs", "--generations", GENERATIONS_MOST, "--final-games", 0,
                 "--strength-games", 0)  # fmt: skip
    return [g for g in result["generations"] if g["stage"] == "proved"]


def point(o, seed, generations, budget):
    """What the run had reached at this cost, and its match against the reference."""
    found = {"seed": seed, "generation": 0, "learned_games": 0, "learned_positions": 0, "cpu_seconds": 0}
    cpu = 0
    for g in generations:
        cpu += g["cpu_selfplay"] + g["cpu_tune"] + g["cpu_gauntlet"]
        if cpu > budget:
            break
        found["cpu_seconds"] = cpu
        found["learned_games"] += g["games"]
        found["learned_positions"] += g["plies"]
        if g["accepted"]:
            found["generation"] = g["generation"]
    name = f"gen-{found['generation']:03}"
    weights = o.dir / f"seed-{seed}" / "weights" / f"{name}.net"
    if not weights.exists():
        weights = weights.with_suffix(".h")
    match = run(o, "gauntlet", "--engine", f"name=seed-{seed} {name},weights={weights}",
                "--engine", f"name={Path(o.against).name},weights={o.against}", "--db", o.dir / "matches.db",
                "--games", o.games, "--nodes", o.nodes, "--seed", o.seed,
                *(["--openings", o.openings] if o.openings else []))  # fmt: skip
    return found | {key: match[key] for key in FIGURES.split()}


def print_row(budget, seed, p):
    elo, low, high = ("–" if p[key] is None else f"{p[key]:+.1f}" for key in ("elo", "elo_low", "elo_high"))
    print(f"{budget / 60:12.2f}{seed:>8}{p['generation']:12}{p['learned_games']:10}{p['learned_positions']:12}{elo:>9} [{low}, {high}]")


def print_table(o, checkpoints):
    print(f"against {o.against}: {o.games} games each at {o.nodes} nodes a move\n")
    print("core-minutes    seed  generation     games   positions      Elo")
    for c in checkpoints:
        for p in c["runs"]:
            print_row(c["budget"], p["seed"], p)
        if o.seeds > 1:
            print_row(c["budget"], "median", c["median"])


def main():
    o = read_options()
    budgets = []
    while not budgets or budgets[-1] < o.budget:
        budgets.append(min(2 * budgets[-1] if budgets else o.checkpoint, o.budget))
    o.dir.mkdir(parents=True, exist_ok=True)
    runs = {seed: learn(o, seed) for seed in range(o.seed, o.seed + o.seeds)}
    checkpoints = []
    for budget in budgets:
        points = [point(o, seed, generations, budget) for seed, generations in runs.items()]
        median = sorted(points, key=lambda p: p["wins"] + p["draws"] / 2)[(o.seeds - 1) // 2]
        checkpoints.append({"budget": budget, "median": median, "runs": points})
    if o.json:
        print(json.dumps({"against": o.against, "seeds": o.seeds, "nodes": o.nodes, "checkpoints": checkpoints}))
    else:
        print_table(o, checkpoints)


main()
