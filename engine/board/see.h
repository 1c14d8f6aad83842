/* SPDX-License-Identifier: MIT
 * Static exchange evaluation: who wins the captures on one square. */
#ifndef TABIA_ENGINE_BOARD_SEE_H
#define TABIA_ENGINE_BOARD_SEE_H

#include "engine/board/position.h"

/* Piece values for exchanges only, centipawns: 100 300 300 500 900 0. They are constants, so that
 * the search works with any weights, also with zeros. */
extern const int see_value[PIECE_TYPES];

/* The rest of see_at_least(), when the first capture alone does not decide. `balance` is the
 * mover's gain minus the threshold if it now loses its piece and the exchange ends: negative. */
bool see_exchange(const Position *pos, Move m, int balance);

/* What the mover has won when the exchange ends at once. */
static inline int see_first_gain(const Position *pos, Move m)
{
    int victim = pos->board[move_to(m)];
    int gain = 0;

    if (move_is_en_passant(m)) gain = see_value[PAWN];
    if (victim != NO_PIECE) gain = see_value[piece_type(victim)];
    if (move_is_promotion(m)) gain += see_value[move_promotion(m)] - see_value[PAWN];
    return gain;
}

/* Does the exchange that the legal move m starts win at least `threshold` centipawns for the mover?
 * Source: chessprogramming.org "SEE - The Swap Algorithm". */
static inline bool see_at_least(const Position *pos, Move m, int threshold)
{
    if (move_is_castle(m)) return threshold <= 0;

    PieceType at_risk =
        move_is_promotion(m) ? move_promotion(m) : piece_type(pos->board[move_from(m)]);
    int balance = see_first_gain(pos, m) - threshold;
    if (balance < 0) return false;
    balance -= see_value[at_risk];
    return balance >= 0 || see_exchange(pos, m, balance);
}

#endif
