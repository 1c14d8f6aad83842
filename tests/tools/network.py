#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A network file made and evaluated from the description of its format alone (engine/eval/network.h), to judge the
# engine's reader and arithmetic.
#
#   network.py make FILE HIDDEN BUCKETS SEED      random weights
#   network.py eval FILE HIDDEN BUCKETS < FENs    centipawns for White, a line for each position
import random
import struct
import sys

QA, QB, SCALE = 255, 64, 400


def read(path, hidden, buckets):
    data = open(path, "rb").read()
    count = 769 * hidden + buckets * (2 * hidden + 1)
    assert len(data) == (2 * count + 63) // 64 * 64, len(data)
    return struct.unpack(f"<{count}h", data[: 2 * count])


def make(path, hidden, buckets, seed):
    rng = random.Random(seed)
    numbers = [rng.randint(-60, 60) for _ in range(768 * hidden)] + [rng.randint(-100, 150) for _ in range(hidden)]
    most = min(128, 8192 // hidden)  # beyond it 32 bits could overflow
    numbers += [rng.randint(-most, most) for _ in range(2 * hidden * buckets)]
    numbers += [rng.randint(-9000, 9000) for _ in range(buckets)]
    data = struct.pack(f"<{len(numbers)}h", *numbers)
    open(path, "wb").write(data + (b"bullet" * 11)[: -len(data) % 64])


def evaluate(numbers, hidden, buckets, fen):
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
    bias = numbers[768 * hidden : 769 * hidden]
    sums = []
    for view in (turn == "b", turn != "b"):  # the side to move first
        total = list(bias)
        for black, kind, square in men:
            at = (384 if black != view else 0) + 64 * kind + (square ^ 56 if view else square)
            for i in range(hidden):
                total[i] += numbers[at * hidden + i]
        sums += total
    bucket = (len(men) - 2) // -(-32 // buckets)
    start = 769 * hidden + bucket * 2 * hidden
    output = sum(min(max(x, 0), QA) ** 2 * numbers[start + i] for i, x in enumerate(sums))
    output = (abs(output) // QA) * (1 if output > 0 else -1) + numbers[769 * hidden + 2 * hidden * buckets + bucket]
    value = abs(output) * SCALE // (QA * QB) * (1 if output > 0 else -1)
    return -value if turn == "b" else value


def main():
    command, path, hidden, buckets = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    if command == "make":
        make(path, hidden, buckets, int(sys.argv[5]))
        return
    numbers = read(path, hidden, buckets)
    for line in sys.stdin:
        print(evaluate(numbers, hidden, buckets, line))


main()
