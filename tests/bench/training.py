#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Speed of network training on one thread: positions a second of processor time, loading left out, of programs `tabia` and,
with --peer, of RukChessTrainer, built from a folder of its sources for each number of hidden units. All read the same
positions. The programs take turns; medians, and ratios to the first."""
import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
from pathlib import Path

RESULTS = {"1-0": "1.0", "1/2-1/2": "0.5", "0-1": "0.0"}


def seconds(*command, **environment):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(c) for c in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   cwd=o.dir / "run", env={**os.environ, **environment})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def make_positions():
    """In bulletformat, and in the peer's form: the first two fields of a FEN, |score|result. Returns their number."""
    games, epd = o.dir / "games.db", o.dir / "positions.epd"
    tabia = o.tabia[0].resolve()
    seconds(tabia, "selfplay", "--db", games, "--games", o.games, "--nodes", 100)
    for to in (epd, o.dir / "positions.bullet"):
        seconds(tabia, "db", "export", games, to, "--filter", "tune", "--force")
    count = 0
    with open(epd) as lines, open(o.dir / "positions.txt", "w") as out:
        for count, line in enumerate(lines, 1):
            board, mover = line.split()[:2]
            out.write(f"{board} {mover} - -|0|{RESULTS[line.split(chr(34))[1]]}\n")
    return count


def build_peer(hidden, count):
    """Its sizes are in a header; the number of epochs becomes a variable of the environment."""
    folder = o.dir / f"peer-{hidden}"
    shutil.copytree(o.peer / "src", folder, dirs_exist_ok=True)
    text = (folder / "types.h").read_text()
    for name, value in {"N_HIDDEN": hidden, "THREADS": 1, "MAX_VALID_POSITIONS": count, "MAX_TRAIN_POSITIONS": count,
                        "MAX_EPOCHS": 'atoi(getenv("EPOCHS"))'}.items():
        text = re.sub(rf"#define {name} .*", lambda _: f"#define {name} {value}", text)
    (folder / "types.h").write_text(text)
    subprocess.run(["gcc", "-O3", "-flto", "-fopenmp", "-march=native", "-std=gnu17", "-include", "stdint.h", "-w",
                    *folder.glob("*.c"), "-lm", "-o", folder / "trainer"], check=True)
    return folder / "trainer"


def train(program, hidden, epochs):
    if program.name == "trainer":
        return seconds(program.resolve(), "-v", o.dir / "few.txt", "-t", o.dir / "positions.txt", EPOCHS=str(epochs))
    out = o.dir / "out.net"
    out.unlink(missing_ok=True)
    return seconds(program.resolve(), "train", "--bullet", o.dir / "positions.bullet", "--hidden", hidden, "--epochs", epochs,
                   "--validation", 0, "--threads", 1, "--quiet", "--out", out)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("tabia", type=Path, nargs="+", help="programs")
parser.add_argument("--peer", type=Path, metavar="DIR", help="sources of RukChessTrainer")
parser.add_argument("--dir", type=Path, required=True, help="folder for positions and programs")
parser.add_argument("--games", type=int, default=7500, metavar="N", help="games whose positions are taken (7500)")
parser.add_argument("--hidden", type=int, nargs="+", default=[64, 128, 256], metavar="N")
parser.add_argument("--epochs", type=int, default=5, metavar="N", help="of which the first counts as loading (5)")
parser.add_argument("--rounds", type=int, default=5, metavar="N")
o = parser.parse_args()
o.dir = o.dir.resolve()
(o.dir / "run").mkdir(parents=True, exist_ok=True)
(o.dir / "Nets").mkdir(exist_ok=True)  # where the peer writes, seen from run/
number = make_positions()
with open(o.dir / "positions.txt") as lines:
    (o.dir / "few.txt").write_text("".join(next(lines) for _ in range(1000)))
for units in o.hidden:
    programs = o.tabia + ([build_peer(units, number)] if o.peer else [])
    speed = [[] for _ in programs]
    for _ in range(o.rounds):
        for i, each in enumerate(programs):
            took = train(each, units, o.epochs) - train(each, units, 1)
            speed[i].append(number * (o.epochs - 1) / took)
    first = statistics.median(speed[0])
    for each, found in zip(programs, speed):
        print(f"{units:4} units, {number} positions: {statistics.median(found) / 1e6:.3f} M positions/s,"
              f" first / this {first / statistics.median(found):.2f}  {each}")
