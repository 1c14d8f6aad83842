#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A network file made and evaluated from the description of its format alone (engine/eval/network.h and network_file.h),
# to judge the engine's reader and arithmetic.
#
#   network.py make FILE HIDDEN BUCKETS SEED [KINGS]  random weights; with KINGS king buckets and a header of version 2
#   network.py eval FILE HIDDEN BUCKETS < FENs        centipawns for White, a line for each position
import random
import struct
import sys

QA, QB, SCALE = 255, 64, 400


def read(path, hidden, buckets):
    data = open(path, "rb").read()
    kings = None
    if data[:12] == b"TABIANET\2\0\0\0":
        assert struct.unpack("<4I", data[12:28]) == (hidden, buckets, 1, SCALE)
        comment = struct.unpack("<I", data[28:32])[0]
        kings = data[32:64]
        data = data[(64 + comment + 63) // 64 * 64 :]
    sets = max(kings) + 1 if kings else 1
    count = (768 * sets + 1) * hidden + buckets * (2 * hidden + 1)
    assert len(data) == (2 * count + 63) // 64 * 64, len(data)
    return kings, struct.unpack(f"<{count}h", data[: 2 * count])


def make(path, hidden, buckets, seed, sets):
    rng = random.Random(seed)
    head = b""
    if sets:
        kings = bytes(list(range(sets)) + [rng.randrange(sets) for _ in range(32 - sets)])
        head = b"TABIANET" + struct.pack("<6I", 2, hidden, buckets, 1, SCALE, 5) + kings + b"a try"
        head += bytes(-len(head) % 64)
    inputs = 768 * max(sets, 1) * hidden
    numbers = [rng.randint(-60, 60) for _ in range(inputs)] + [rng.randint(-100, 150) for _ in range(hidden)]
    most = min(128, 8192 // hidden)  # beyond it 32 bits could overflow
    numbers += [rng.randint(-most, most) for _ in range(2 * hidden * buckets)]
    numbers += [rng.randint(-9000, 9000) for _ in range(buckets)]
    data = struct.pack(f"<{len(numbers)}h", *numbers)
    open(path, "wb").write(head + data + (b"bullet" * 11)[: -len(data) % 64])


def evaluate(kings, numbers, hidden, buckets, fen):
    placement, turn = fen.split()[:2]
    men = []
    for rank, row in zip(range(7, -1, -1), placement.split("/")):
        file = 0
        for c in row:
            if c.isdigit():
                file += int(c)
                continue
            men.append((c.islower(), "pnbrqk".index(c.lower()), 8 * rank + file))
            file += 1
    start = 768 * (max(kings) + 1 if kings else 1) * hidden
    bias = numbers[start : start + hidden]
    sums = []
    for view in (turn == "b", turn != "b"):  # the side to move first
        total = list(bias)
        king = next(square ^ 56 if view else square for black, kind, square in men if kind == 5 and black == view)
        right = kings is not None and king % 8 > 3
        first = 768 * kings[king // 8 * 4 + (7 - king % 8 if right else king % 8)] if kings else 0
        for black, kind, square in men:
            at = first + (384 if black != view else 0) + 64 * kind + (square ^ (56 if view else 0) ^ (7 if right else 0))
            for i in range(hidden):
                total[i] += numbers[at * hidden + i]
        sums += total
    bucket = (len(men) - 2) // -(-32 // buckets)
    start += hidden
    weights = numbers[start + bucket * 2 * hidden :]
    output = sum(min(max(x, 0), QA) ** 2 * weights[i] for i, x in enumerate(sums))
    output = (abs(output) // QA) * (1 if output > 0 else -1) + numbers[start + 2 * hidden * buckets + bucket]
    value = abs(output) * SCALE // (QA * QB) * (1 if output > 0 else -1)
    return -value if turn == "b" else value


def main():
    command, path, hidden, buckets = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    if command == "make":
        make(path, hidden, buckets, int(sys.argv[5]), int(sys.argv[6]) if len(sys.argv) > 6 else 0)
        return
    kings, numbers = read(path, hidden, buckets)
    for line in sys.stdin:
        print(evaluate(kings, numbers, hidden, buckets, line))


main()
