/* SPDX-License-Identifier: MIT
 * King squares: additions to the piece-square tables by where the kings stand.
 *
 * A piece on a square counts, besides its own table, in a table that its own king chooses (not the
 * king itself) and in one that the other king chooses. Both are seen from the piece's side of the
 * board, and mirrored so that the choosing king stands on files a to d: mirrored boards share their
 * weights. Index of a weight within its term: 64 * bucket of the king + square, where the king's
 * own side sees the bucket and the piece's side the square.
 *
 * Source: "king buckets" of piece-square tables and of networks (chessprogramming.org,
 * "Piece-Square Tables"; akimbo's pull requests 73 and 87). */
#ifndef TABIA_ENGINE_EVAL_KING_SQUARES_H
#define TABIA_ENGINE_EVAL_KING_SQUARES_H

#include "engine/board/position.h"
#include "engine/eval/weights.h"

/* The bucket of a king's square, as its side sees the board. */
extern const uint8_t king_bucket[SQUARES];

/* What a square as a side sees it is turned by (^) for the tables of a king on `king`. */
static inline int king_mirror(int king)
{
    return square_file(king) > 3 ? 7 : 0;
}

/* What the own king on `king` adds to a piece but the king on `square`, both White's. */
static inline int king_squares_own(const EvalWeights *w, int piece, int king, int square, int half)
{
    int table = EVAL_PAWN_OWN_KING + piece * EVAL_KING_TABLES + SQUARES * king_bucket[king];
    return w->term[table + (square ^ king_mirror(king))][half];
}

/* Weights arranged for the search. */
typedef struct KingSquares {
    bool used; /* false: all weights are 0, and nothing else is set */
    /* What a piece on a square counts by White's king; White's view. */
    Score value[EVAL_KING_BUCKETS][PIECES][SQUARES];
} KingSquares;

void king_squares_set_weights(KingSquares *k, const EvalWeights *w);

/* The sum in the tables that the king of colour `c` chooses; White's view. */
Score king_squares_by(const KingSquares *k, const Position *pos, Color c);

/* The sum of the terms; White's view. */
static inline Score king_squares_sum(const KingSquares *k, const Position *pos)
{
    return king_squares_by(k, pos, WHITE) + king_squares_by(k, pos, BLACK);
}

/* The tables that the king of colour `c` chooses; *flip: turns squares into theirs. Pieces have the
 * bit of their colour changed where c is Black, and values the sign. */
ALWAYS_INLINE const Score (*king_squares_table(const KingSquares *k, const Position *pos, Color c,
                                               int *flip))[SQUARES]
{
    int turn = c == WHITE ? 0 : 56, king = position_king(pos, c) ^ turn;

    *flip = turn ^ king_mirror(king);
    return k->value[king_bucket[king]];
}

/* What `next`, made by m from `pos`, has more than `pos`. */
static inline Score king_squares_change(const KingSquares *k, const Position *pos, Move m,
                                        const Position *next)
{
    int from = move_from(m), to = move_to(m), piece = pos->board[from];
    int taken_on = move_is_en_passant(m) ? to ^ 8 : to, taken = pos->board[taken_on];
    Score change[COLORS];

    if (move_is_castle(m)) return king_squares_sum(k, next) - king_squares_sum(k, pos);
    for (int c = WHITE; c <= BLACK; c++) {
        int flip;
        if (piece == make_piece((Color)c, KING)) { /* it chooses other tables */
            change[c] = king_squares_by(k, next, (Color)c) - king_squares_by(k, pos, (Color)c);
            continue;
        }
        const Score(*table)[SQUARES] = king_squares_table(k, pos, (Color)c, &flip);
        change[c] = table[next->board[to] ^ c][to ^ flip] - table[piece ^ c][from ^ flip];
        if (taken != NO_PIECE) change[c] -= table[taken ^ c][taken_on ^ flip];
        if (c == BLACK) change[c] = -change[c];
    }
    return change[WHITE] + change[BLACK];
}

enum { KING_FEATURES_MAX = 62 }; /* 30 pieces by their own king, 32 by the other */

/* Writes the non-zero features of the terms in ascending order; returns how many. */
int king_squares_features(const Position *pos, EvalFeature out[KING_FEATURES_MAX]);

#endif
