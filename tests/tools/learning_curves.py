#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Learning curves for the documents.

learning_curves.py NAME=FILE.json[:A-B]...   CSV of what tests/bench/learn.py --json printed: a row for each checkpoint and
                                             seed, of generations A to B
learning_curves.py --draw FILE.csv           the picture: Elo against core-minutes, the latter on a logarithmic axis
"""
import csv
import json
import math
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 660, 330, 58, 12, 34, 42
LOW, HIGH, STEP = -600, 450, 200  # Elo; what lies beyond is drawn at the edge
COLOURS = ("#0b5cad", "#6cb6ff"), ("#a84f00", "#f0a04b"), ("#1a7f37", "#57c77a")
DASHES = "", "7 4", "2 3"


def rows(arguments):
    for argument in arguments:
        name, path = argument.split("=", 1)
        path, _, span = path.partition(":")
        first, last = map(int, span.split("-")) if span else (0, sys.maxsize)
        for checkpoint in json.load(open(path))["checkpoints"]:
            for run in checkpoint["runs"]:
                if not first <= run["generation"] <= last:
                    continue
                yield {
                    "run": name,
                    "seed": run["seed"],
                    "core_minutes": round(run["cpu_seconds"] / 60, 2),
                    "generation": run["generation"],
                    "learned_games": run["learned_games"],
                    "learned_positions": run["learned_positions"],
                    "match_games": run["games"],
                    **{key: "" if run[key] is None else round(run[key], 1) for key in ("elo", "elo_low", "elo_high")},
                }


def print_csv(arguments):
    table = list(rows(arguments))
    writer = csv.DictWriter(sys.stdout, table[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)


def draw(path):
    table = list(csv.DictReader(open(path)))
    names = list(dict.fromkeys(row["run"] for row in table))
    last = max(float(row["core_minutes"]) for row in table)
    doublings = math.ceil(math.log2(last) * 10 + 1) / 10

    def x(minutes):
        return LEFT + (WIDTH - LEFT - RIGHT) * max(0.0, math.log2(minutes)) / doublings

    def y(elo):
        elo = min(max(elo, LOW), HIGH)
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (elo - LOW) / (HIGH - LOW)

    light = "".join(f";--c{i}:{c[0]}" for i, c in enumerate(COLOURS))
    dark = "".join(f";--c{i}:{c[1]}" for i, c in enumerate(COLOURS))
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        "<title>Elo against PeSTO's tables by core-minutes of learning</title>",
        "<style>",
        f":root{{--ground:#fff;--ink:#1b1f24;--soft:#57606a;--rule:#d0d7de{light}}}",
        f"@media screen and (prefers-color-scheme:dark){{:root{{--ground:#0f1419;--ink:#e6edf3;--soft:#9aa7b4;--rule:#343b44{dark}}}}}",
        "svg{font:12px system-ui,sans-serif;fill:var(--ink);background:var(--ground)}",
        ".end{text-anchor:end}.mid{text-anchor:middle}.rule{stroke:var(--rule)}.axis{stroke:var(--soft)}.soft{fill:var(--soft)}",
        "</style>",
    ]
    for elo in range(LOW, HIGH + 1, STEP):
        out.append(f'<path class="rule" d="M{LEFT} {y(elo):.1f}H{WIDTH - RIGHT}"/>')
        out.append(f'<text class="end" x="{LEFT - 6}" y="{y(elo) + 4:.1f}">{elo}</text>')
    out.append(f'<path class="axis" d="M{LEFT} {y(0):.1f}H{WIDTH - RIGHT}"/>')
    out.append(f'<text class="soft end" x="{WIDTH - RIGHT}" y="{y(0) + 14:.1f}">PeSTO\'s tables = 0</text>')
    for doubling in range(int(doublings) + 1):
        at = x(2**doubling)
        out.append(f'<path class="axis" d="M{at:.1f} {HEIGHT - BOTTOM}v5"/>')
        out.append(f'<text class="mid" x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}">{2**doubling}</text>')
    out.append(f'<text class="mid" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}">core-minutes from zero weights</text>')
    out.append(f'<text class="mid" transform="translate(13 {(HEIGHT - BOTTOM + TOP) / 2}) rotate(-90)">Elo</text>')
    for i, name in enumerate(names):
        points = sorted(((float(r["core_minutes"]), r) for r in table if r["run"] == name), key=lambda point: point[0])
        colour, dash = f"var(--c{i})", f' stroke-dasharray="{DASHES[i]}"' if DASHES[i] else ""
        ends = [(x(m), y(float(r["elo_low"] or LOW)), y(float(r["elo_high"] or HIGH)), y(float(r["elo"] or r["elo_low"] or r["elo_high"]))) for m, r in points]
        for at, low, high, _ in ends:
            out.append(f'<path stroke="{colour}" d="M{at:.1f} {low:.1f}V{high:.1f}"/>')
        line = "L".join(f"{at:.1f} {middle:.1f}" for at, _, _, middle in ends)
        out.append(f'<path fill="none" stroke="{colour}" stroke-width="2"{dash} d="M{line}"/>')
        out += [f'<circle fill="{colour}" cx="{at:.1f}" cy="{middle:.1f}" r="3"/>' for at, _, _, middle in ends]
        left = LEFT + i * 205
        out.append(f'<path stroke="{colour}" stroke-width="2"{dash} d="M{left} 16h24"/><text x="{left + 30}" y="20">{name}</text>')
    print("\n".join(out) + "\n</svg>")


if len(sys.argv) == 3 and sys.argv[1] == "--draw":
    draw(sys.argv[2])
elif len(sys.argv) > 1 and all("=" in argument for argument in sys.argv[1:]):
    print_csv(sys.argv[1:])
else:
    sys.exit(__doc__)
