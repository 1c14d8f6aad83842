#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Standard errors of `tabia tune` against a bootstrap: draws the games of a file of positions anew, with replacement,
and fits each draw. Prints the ratio of stated to bootstrapped error over the weights that the data settle.

  bootstrap_errors.py TABIA FILE.epd [DRAWS]     FILE: tabia db export games.db FILE.epd; 50 draws
"""
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

SETTLED = 0.8  # the least share of a weight that the data, not the prior, determine


def games_of(path):
    """Lists of lines with the same id, which stands last but one: FEN c9 "1-0"; id "run game"; …"""
    games = {}
    for line in pathlib.Path(path).read_text().splitlines():
        start = line.index(' id "')
        end = line.index('"', start + 5)
        games.setdefault(line[start + 5 : end], []).append((line[: start + 5], line[end:]))
    return list(games.values())


def fit(tabia, games, folder):
    """The weights of a fit to these games: name, half -> value, stated error, share settled by the data."""
    positions = pathlib.Path(folder) / "draw.epd"
    with positions.open("w") as out:
        for number, game in enumerate(games):
            out.writelines(f"{before}{number}{after}\n" for before, after in game)
    command = [tabia, "tune", "--epd", positions, "--out", positions.with_suffix(".h"), "--start", "material", "--json"]
    command += ["--validation", "0", "--k", "1", "--prior", "20", "--mirror", "tied", "--quiet"]
    weights = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["weights"]
    keys = ("cp", "error", "told")
    return {(name, half): [w[key][half] for key in keys] for name, w in weights.items() for half in (0, 1)}


def main():
    tabia, path, draws = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 50
    games, rng = games_of(path), random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        stated = fit(tabia, games, folder)
        drawn = [fit(tabia, rng.choices(games, k=len(games)), folder) for _ in range(draws)]
    ratios = []
    for key, (_, error, settled) in stated.items():
        if settled < SETTLED:
            continue
        spread = statistics.stdev(draw[key][0] for draw in drawn if key in draw)
        if spread > 0:
            ratios.append(error / spread)
    if not ratios:
        sys.exit("the data settle no weight")
    quarters = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else [ratios[0]] * 3
    print(
        f"{len(games)} games, {draws} draws, {len(ratios)} weights: stated / bootstrapped error "
        f"{quarters[1]:.2f} (median), {quarters[0]:.2f} to {quarters[2]:.2f} (quartiles)"
    )


main()
