#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Features of labelled positions for `tabia tune --features`, without code of Tabia: material,
pseudo-legal mobility by piece, bishop pair, doubled pawns. Reads EPD lines (FEN4 c9 "result"; id
"game";) from the files named or standard input, writes the text format of docs/foreign-features.md."""
import fileinput
import re

NAMES = ["PAWN", "KNIGHT", "BISHOP", "ROOK", "QUEEN", "MOB_KNIGHT", "MOB_BISHOP", "MOB_ROOK", "MOB_QUEEN",
         "BISHOP_PAIR", "DOUBLED_PAWN"]
STEPS = {
    "n": [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)],
    "b": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
    "r": [(1, 0), (-1, 0), (0, 1), (0, -1)],
}
STEPS["q"] = STEPS["b"] + STEPS["r"]
PHASE = {"n": 1, "b": 1, "r": 2, "q": 4}


def read_board(field):
    board = {}
    for y, row in enumerate(field.split("/")):
        x = 0
        for c in row:
            if c.isdigit():
                x += int(c)
            else:
                board[x, 7 - y] = c
                x += 1
    return board


def mobility(board, square, piece):
    count = 0
    for dx, dy in STEPS[piece.lower()]:
        x, y = square[0] + dx, square[1] + dy
        while 0 <= x < 8 and 0 <= y < 8:
            met = board.get((x, y))
            count += met is None or met.isupper() != piece.isupper()
            if met or piece.lower() == "n":
                break
            x, y = x + dx, y + dy
    return count


def features(board):
    total = [0] * len(NAMES)
    for white in (True, False):
        sign = 1 if white else -1
        files = [0] * 8
        bishops = 0
        for square, piece in board.items():
            if piece.isupper() != white:
                continue
            kind = "pnbrqk".index(piece.lower())
            if kind < 5:
                total[kind] += sign
            if 1 <= kind <= 4:
                total[4 + kind] += sign * mobility(board, square, piece)
            bishops += piece in "bB"
            files[square[0]] += piece in "pP"
        total[9] += sign * (bishops >= 2)
        total[10] += sign * sum(n - 1 for n in files if n > 1)
    return total


print("@columns", len(NAMES))
for i, name in enumerate(NAMES):
    print("@name", i, name)
for line in fileinput.input():
    fields = line.split()
    result = re.search(r'c9 "([^"]*)"', line).group(1)
    game = re.search(r'id "([^"]*)"', line)
    board = read_board(fields[0])
    phase = min(24, sum(PHASE.get(p.lower(), 0) for p in board.values()))
    row = [result, "p:%d" % phase] + (["g:" + game.group(1).replace(" ", "_")] if game else [])
    print(*row, *("%d:%d" % (i, v) for i, v in enumerate(features(board)) if v))
