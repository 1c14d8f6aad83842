#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a generation of `tabia learn` costs after 10, 100 and 1,000 generations of small games: a step of the loop that reads
all games so far costs a run the square of its length. Means of the last ten generations, processor seconds; self-play has
the page that was written before it. `page` is `tabia report` alone, which also checks the database."""
import argparse
import json
import resource
import subprocess
from pathlib import Path

SETTINGS = "--from zero --games 40 --nodes 10 --gauntlet-games 8 --gauntlet-nodes 10 --final-games 0 --nodes-growth 1 --quiet"


def cpu(command):
    """Its processor seconds and output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tabia", nargs="+", help="programs to compare")
    parser.add_argument("--dir", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--generations", type=int, nargs="+", default=[10, 100, 1000], metavar="N")
    parser.add_argument("--threads", type=int, default=1)
    o = parser.parse_args()
    o.dir.mkdir(exist_ok=True)
    print("program  generations  self-play     fit   match    page")
    for count in o.generations:
        for i, tabia in enumerate(o.tabia, 1):
            folder = str(o.dir / str(i))
            run = [tabia, "learn", *SETTINGS.split(), "--threads", str(o.threads), "--dir", folder]
            _, text = cpu([*run, "--generations", str(count), "--json"])
            last = json.loads(text)["generations"][-10:]
            stages = [sum(g[key] for g in last) / len(last) for key in ("cpu_selfplay", "cpu_tune", "cpu_gauntlet")]
            page, _ = cpu([tabia, "report", folder, "--out", folder + ".html"])
            print(f"{i:7}  {count:11}  {stages[0]:9.3f} {stages[1]:7.3f} {stages[2]:7.3f} {page:7.3f}", flush=True)


main()
