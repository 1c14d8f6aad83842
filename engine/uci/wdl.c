/* SPDX-License-Identifier: MIT
 * The model of win, draw and loss and its constants, which tests/tools/fit_wdl.py fitted. */
#include "engine/uci/wdl.h"

#include <math.h>

#include "engine/board/bitboard.h"

/* Centipawns; a and b are linear in the material of both sides, which is 78 at the start (pawns 1,
 * minor pieces 3, rooks 5, queens 9). */
static const double a0 = 319, a1 = -274, b0 = 156, b1 = -57;

static int material(const Position *pos)
{
    static const int values[PIECE_TYPES] = {
        [PAWN] = 1, [KNIGHT] = 3, [BISHOP] = 3, [ROOK] = 5, [QUEEN] = 9};
    int sum = 0;

    for (int type = PAWN; type < KING; type++)
        sum += values[type] * popcount(pos->by_type[type]);
    return sum;
}

Wdl wdl_of_score(int score, const Position *pos)
{
    double m = fmin(material(pos) / 78.0, 1), a = a0 + a1 * m, b = b0 + b1 * m;

    if (value_is_mate(score)) return score > 0 ? (Wdl){1000, 0, 0} : (Wdl){0, 0, 1000};
    int win = (int)lround(1000 / (1 + exp((a - score) / b)));
    int loss = (int)lround(1000 / (1 + exp((a + score) / b)));
    return (Wdl){win, 1000 - win - loss, loss};
}
