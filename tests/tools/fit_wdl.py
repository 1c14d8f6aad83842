#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits the model of engine/uci/wdl.c to the games of a database: the constants there came from

    tabia selfplay --db wdl.db --games 400 --nodes 1500 --seed 3
    fit_wdl.py wdl.db

With the score s in centipawns, the side to move's view, and the material m, pawns 1, minor pieces 3, rooks 5, queens 9,
of both sides:

    win = 1 / (1 + exp((a - s) / b)),  loss = 1 / (1 + exp((a + s) / b)),  draw = 1 - win - loss,
    a = a0 + a1 m / 78,  b = b0 + b1 m / 78

The constants make the results of the games the most likely ones (coordinate search). Positions
without a score, with a mate score or beyond 1,000 centipawns do not count. Prints the constants, their mean
log-likelihood per position against that of the overall frequencies, and predictions against results by score."""
import collections
import math
import sqlite3
import sys

WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}


def read_cells(path):
    """{(material, score in steps of 10): [losses, draws, wins]} of the side to move."""
    cells = collections.defaultdict(lambda: [0, 0, 0])
    rows = sqlite3.connect(path).execute(
        "SELECT fen, score, result FROM positions JOIN games USING (game_id) WHERE abs(score) <= 1000")
    for fen, score, result in rows:
        board, stm = fen.split(" ")[:2]
        material = sum(WORTH.get(c.lower(), 0) for c in board)
        if stm == "b":
            score, result = -score, 2 - result
        cells[material, 10 * round(score / 10)][result] += 1
    return cells


def chances(x, material, score):
    a, b = x[0] + x[1] * material / 78, max(x[2] + x[3] * material / 78, 5.0)
    win = 1 / (1 + math.exp(min(50, max(-50, (a - score) / b))))
    loss = 1 / (1 + math.exp(min(50, max(-50, (a + score) / b))))
    return max(loss, 1e-9), max(1 - win - loss, 1e-9), max(win, 1e-9)


def log_likelihood(x, cells):
    return sum(n * math.log(p)
               for (material, score), counts in cells.items()
               for n, p in zip(counts, chances(x, material, score)) if n)


def climb(x, cells):
    """Coordinate search with shrinking steps: four constants need no more."""
    best, steps = log_likelihood(x, cells), [40.0, 40.0, 40.0, 40.0]
    while max(steps) > 0.2:
        for i in range(4):
            for sign in (1, -1):
                y = list(x)
                y[i] += sign * steps[i]
                value = log_likelihood(y, cells)
                if value > best:
                    best, x = value, y
                    steps[i] *= 1.5
                    break
            else:
                steps[i] *= 0.5
    return x, best


def main():
    cells = read_cells(sys.argv[1])
    total = [sum(c[i] for c in cells.values()) for i in range(3)]
    n = sum(total)
    x, best = climb([150.0, 0.0, 80.0, 0.0], cells)
    flat = sum(t * math.log(t / n) for t in total if t)
    print(f"a0 {x[0]:.0f}  a1 {x[1]:.0f}  b0 {x[2]:.0f}  b1 {x[3]:.0f} (m in 78ths)")
    print(f"{n} positions, log-likelihood {best / n:.4f} against {flat / n:.4f}")
    print("score      positions  win   draw  loss | predicted")
    for low in range(-500, 600, 100):
        here = [(k, c) for k, c in cells.items() if low - 50 <= k[1] < low + 50]
        count = sum(sum(c) for _, c in here)
        if not count:
            continue
        seen = [sum(c[i] for _, c in here) / count for i in (2, 1, 0)]
        expected = [sum(sum(c) * chances(x, *k)[i] for k, c in here) / count for i in (2, 1, 0)]
        print(f"{low:+5} ±50 {count:10}  " + "  ".join(f"{v:.2f}" for v in seen) + " | " +
              "  ".join(f"{v:.2f}" for v in expected))


main()
