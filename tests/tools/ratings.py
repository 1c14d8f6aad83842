#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ratings of the games of PGN files, without code of Tabia: the logistic model, in which the ratings sought are those at
which each player's expected points equal its points (A. E. Elo; the fixed point that Ordo also looks for). Errors are
found by the bootstrap: the pairs of games (same FEN, colours reversed) of every two players are drawn again with
replacement.

    ratings.py FILE.pgn…             prints name, rating (mean 0) and 95 % error of each player
    ratings.py --check JSON FILE…    compares with the output of `tabia elo --json`: within 0.01 Elo, errors within 20 %
"""
import json
import math
import random
import re
import sys

RESULTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


def read_games(paths):
    """(White, Black, White's points, FEN) of each finished game."""
    games = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            tags = {}
            for line in file:
                match = re.match(r'\[(\w+) "(.*)"\]$', line.strip())
                if match:
                    tags[match[1]] = match[2]
                elif not line.strip() and tags:
                    if tags.get("Result") in RESULTS:
                        games.append((tags["White"], tags["Black"], RESULTS[tags["Result"]], tags.get("FEN", "")))
                    tags = {}
    return games


def group(games):
    """What is drawn again as one: pairs, and games without a partner. Each is a list of games."""
    waiting, groups = {}, []
    for game in games:
        white, black, _, fen = game
        partners = waiting.get((black, white, fen))
        if partners:
            partners.pop(0).append(game)
        else:
            groups.append([game])
            waiting.setdefault((white, black, fen), []).append(groups[-1])
    return groups


def rate(groups, names):
    """Mean 0. Each player in turn gets the rating at which its expected points equal its points."""
    points, games = dict.fromkeys(names, 0.0), {name: {} for name in names}
    for group_ in groups:
        for white, black, score, _ in group_:
            points[white] += score
            points[black] += 1 - score
            for one, other in ((white, black), (black, white)):
                games[one][other] = games[one].get(other, 0) + 1
    elo = dict.fromkeys(names, 0.0)
    for _ in range(2000):
        moved = 0.0
        for name in names:
            expected = slope = 0.0
            for other, count in games[name].items():
                p = 1 / (1 + 10 ** ((elo[other] - elo[name]) / 400))
                expected += count * p
                slope += count * p * (1 - p) * math.log(10) / 400
            step = max(-100.0, min(100.0, (points[name] - expected) / slope))
            elo[name] += step
            moved = max(moved, abs(step))
        if moved < 1e-7:
            break
    mean = sum(elo.values()) / len(elo)
    return {name: elo[name] - mean for name in names}


def errors(groups, names, samples=200):
    rng = random.Random(1)
    found = {name: [] for name in names}
    pairings = {}
    for group_ in groups:
        pairings.setdefault(frozenset(group_[0][:2]), []).append(group_)
    for _ in range(samples):
        drawn = [g for pairing in pairings.values() for g in rng.choices(pairing, k=len(pairing))]
        for name, elo in rate(drawn, names).items():
            found[name].append(elo)
    result = {}
    for name, values in found.items():
        mean = sum(values) / len(values)
        result[name] = 1.96 * math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1))
    return result


def main():
    check = sys.argv[2] if sys.argv[1] == "--check" else None
    games = read_games(sys.argv[3:] if check else sys.argv[1:])
    names = sorted({name for game in games for name in game[:2]})
    groups = group(games)
    elo, elo95 = rate(groups, names), errors(groups, names)
    if not check:
        for name in sorted(names, key=elo.get, reverse=True):
            print(f"{name:24} {elo[name]:+8.1f} {elo95[name]:6.1f}")
        return
    with open(check, encoding="utf-8") as file:
        listed = {player["name"]: player for player in json.load(file)["players"]}
    assert sorted(listed) == names, (sorted(listed), names)
    for name in names:
        assert abs(listed[name]["rating"] - elo[name]) < 0.01, (name, listed[name]["rating"], elo[name])
        assert abs(listed[name]["rating95"] / elo95[name] - 1) < 0.20, (name, listed[name]["rating95"], elo95[name])
    print(f"{len(names)} ratings of {len(games)} games agree")


main()
