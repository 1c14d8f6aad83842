#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads a binpack file, the format of Stockfish's training data, and prints its positions as Stockfish's plain text
(docs/formats.md). It shares no code with Tabia: board, moves and FEN are its own.

    read_binpack.py FILE > positions.plain

Rooks that may castle must stand in corners, as in usual chess."""
import struct
import sys

PIECES = "PpNnBbRrQqKk"
STEPS = {
    "n": [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)],
    "b": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
    "r": [(1, 0), (-1, 0), (0, 1), (0, -1)],
}
STEPS["q"] = STEPS["k"] = STEPS["b"] + STEPS["r"]


def unfold(u):
    """A signed number of 16 bits, whose sign is in the lowest bit."""
    u = (u >> 1) | (u << 15 & 0x8000)
    return (u ^ 0x7FFF) - 0x10000 if u & 0x8000 else u


def wrap(n):
    return (n + 0x8000) % 0x10000 - 0x8000


def name(square):
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


class Board:
    def __init__(self, data):
        """From the 24 bytes of a packed position."""
        occupied = int.from_bytes(data[:8], "big")
        self.squares, self.rooks, self.ep, self.white = {}, set(), None, True
        for i, square in enumerate(s for s in range(64) if occupied >> s & 1):
            code = data[8 + i // 2] >> 4 * (i % 2) & 15
            if code == 12:
                self.squares[square] = "P" if square // 8 == 3 else "p"
                self.ep = square + (-8 if square // 8 == 3 else 8)
            elif code in (13, 14):
                self.squares[square] = "Rr"[code - 13]
                if square not in (0, 7, 56, 63):
                    sys.exit(f"a rook that may castle on {name(square)}")
                self.rooks.add(square)
            elif code == 15:
                self.squares[square], self.white = "k", False
            else:
                self.squares[square] = PIECES[code]

    def is_own(self, square, white=None):
        white = self.white if white is None else white
        return square in self.squares and self.squares[square].isupper() == white

    def reached(self, square, kind):
        """Squares that a piece attacks, up to the first piece on each line."""
        found = set()
        for dx, dy in STEPS[kind]:
            x, y = square % 8 + dx, square // 8 + dy
            while 0 <= x < 8 and 0 <= y < 8:
                found.add(8 * y + x)
                if kind in "nk" or 8 * y + x in self.squares:
                    break
                x, y = x + dx, y + dy
        return found

    def pawn_attacks(self, square, white):
        y = square // 8 + (1 if white else -1)
        return {8 * y + x for x in (square % 8 - 1, square % 8 + 1) if 0 <= x < 8 and 0 <= y < 8}

    def is_attacked(self, square, white):
        """By pieces of that colour?"""
        for kind in "nbrqk":
            if any(self.squares.get(s) == (kind.upper() if white else kind) for s in self.reached(square, kind)):
                return True
        pawn = "P" if white else "p"
        return any(self.squares.get(s) == pawn for s in self.pawn_attacks(square, not white))

    def destinations(self, square):
        kind = self.squares[square].lower()
        if kind != "p":
            return sorted(s for s in self.reached(square, kind) if not self.is_own(s))
        forward = 8 if self.white else -8
        found = {s for s in self.pawn_attacks(square, self.white)
                 if (s in self.squares and not self.is_own(s)) or s == self.ep}
        if square + forward not in self.squares:
            found.add(square + forward)
            if square // 8 == (1 if self.white else 6) and square + 2 * forward not in self.squares:
                found.add(square + 2 * forward)
        return sorted(found)

    def castlings(self):
        """Squares of the rooks of the side to move that may castle, the long one first."""
        return sorted(s for s in self.rooks if self.is_own(s))

    def make(self, origin, target, promotion):
        piece = self.squares.pop(origin)
        is_pawn, ep = piece in "Pp", self.ep
        capture = target in self.squares and not self.is_own(target)
        self.ep = None
        if piece in "Kk" and target in self.rooks and self.squares[target].isupper() == piece.isupper():
            rook, home = self.squares.pop(target), 0 if self.white else 56
            short = target > origin
            self.squares[home + (6 if short else 2)] = piece
            self.squares[home + (5 if short else 3)] = rook
        else:
            self.squares[target] = (promotion.upper() if self.white else promotion) if promotion else piece
        if is_pawn and target == ep:
            del self.squares[target + (-8 if self.white else 8)]
            capture = True
        self.rooks -= {origin, target}
        if piece in "Kk":
            self.rooks = {s for s in self.rooks if self.squares[s].isupper() != piece.isupper()}
        self.white = not self.white
        if is_pawn and abs(target - origin) == 16:
            self.set_en_passant((origin + target) // 2, target)
        return is_pawn or capture

    def set_en_passant(self, square, pawn):
        """Only when such a capture is legal."""
        king = "K" if self.white else "k"
        for origin in self.pawn_attacks(square, not self.white):
            if self.squares.get(origin) != ("P" if self.white else "p"):
                continue
            saved = dict(self.squares)
            self.squares[square] = self.squares.pop(origin)
            del self.squares[pawn]
            at = next(s for s, p in self.squares.items() if p == king)
            legal = not self.is_attacked(at, not self.white)
            self.squares = saved
            if legal:
                self.ep = square

    def castling_field(self):
        letters = ""
        for white in (True, False):
            king = next(s for s, p in self.squares.items() if p == ("K" if white else "k"))
            for rook in sorted((s for s in self.rooks if self.is_own(s, white)), reverse=True):
                letter = "K" if rook > king else "Q"
                letters += letter if white else letter.lower()
        return letters or "-"

    def fen(self, rule50, ply):
        rows = []
        for y in range(7, -1, -1):
            row = "".join(self.squares.get(8 * y + x, " ") for x in range(8))
            for n in range(8, 0, -1):
                row = row.replace(" " * n, str(n))
            rows.append(row)
        return " ".join(["/".join(rows), "w" if self.white else "b", self.castling_field(),
                         name(self.ep) if self.ep is not None else "-", str(rule50), str(ply // 2 + 1)])


class Bits:
    def __init__(self, data):
        self.data, self.used = data, 0

    def take(self, count):
        value = 0
        for _ in range(count):
            value = value << 1 | self.data[self.used // 8] >> (7 - self.used % 8) & 1
            self.used += 1
        return value

    def choice(self, choices):
        return self.take((choices - 1).bit_length())

    def groups(self):
        value = shift = 0
        while True:
            group = self.take(5)
            value |= (group & 15) << shift
            shift += 4
            if not group & 16:
                return value


def read_move(board, bits):
    own = sorted(s for s in board.squares if board.is_own(s))
    origin = own[bits.choice(len(own))]
    kind, targets = board.squares[origin].lower(), board.destinations(origin)
    if kind == "k":
        targets += board.castlings()
    if kind == "p" and targets[0] // 8 in (0, 7):
        number = bits.choice(4 * len(targets))
        return origin, targets[number // 4], "nbrq"[number % 4]
    return origin, targets[bits.choice(len(targets))], ""


def uci(board, origin, target, promotion):
    """Castling of usual chess is the king's two steps."""
    if target in board.castlings() and board.squares[origin] in "Kk":
        target = origin + (2 if target > origin else -2)
    return name(origin) + name(target) + promotion


def read_chain(data, at):
    board = Board(data[at:at + 24])
    move, score, ply, rule50, more = struct.unpack(">HHHHH", data[at + 24:at + 34])
    result, score, ply = unfold(ply >> 14), unfold(score), ply & 0x3FFF
    origin, target = move >> 8 & 63, move >> 2 & 63
    promotion = "nbrq"[move & 3] if move >> 14 == 1 else ""
    bits = Bits(data[at + 34:])
    for i in range(more + 1):
        if i > 0:
            rule50 = 0 if board.make(origin, target, promotion) else rule50 + 1
            origin, target, promotion = read_move(board, bits)
            score = wrap(unfold(bits.groups()) - score)
            ply, result = ply + 1, -result
        print(f"fen {board.fen(rule50, ply)}\nmove {uci(board, origin, target, promotion)}\nscore {score}\n"
              f"ply {ply}\nresult {result}\ne")
    return at + 34 + (bits.used + 7) // 8


def main():
    with open(sys.argv[1], "rb") as file:
        while head := file.read(8):
            magic, size = struct.unpack("<4sI", head)
            if magic != b"BINP":
                sys.exit("not a binpack file")
            data, at = file.read(size), 0
            while at < size:
                at = read_chain(data, at)


main()
