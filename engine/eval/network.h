/* SPDX-License-Identifier: MIT
 * A small network as evaluation: (768 -> H) x 2 -> 1, for both sides, in integers.
 *
 * Each of the 768 inputs is a piece on a square, seen by one side: its own pieces first, pawn to
 * king, from its own side of the board. A side's accumulator is the sum of the inputs' columns and
 * the bias. The output joins both, the side to move first:
 *
 *     output = sum of weight * activation(accumulator), activation(x) = c, or c * c / QA,
 *     centipawns = (output + bias) * scale / (QA * QB), c = x clamped to [0, QA]
 *
 * Accumulators are integers of 16 bits, so a position has the same value after any moves that lead
 * to it, on every machine. With several output buckets the number of pieces chooses one:
 * (pieces - 2) / ceil(32 / buckets). */
#ifndef TABIA_ENGINE_EVAL_NETWORK_H
#define TABIA_ENGINE_EVAL_NETWORK_H

#include "engine/board/position.h"

enum {
    NETWORK_INPUTS = 768,
    NETWORK_HIDDEN_STEP = 16, /* H is a multiple of it */
    NETWORK_HIDDEN_MAX = 256,
    NETWORK_BUCKETS_MAX = 8,
    NETWORK_QA = 255, /* quantum of accumulators */
    NETWORK_QB = 64,  /* of output weights */
    NETWORK_SCALE = 400,
    NETWORK_COMMENT_MAX = 4096
};

typedef struct Network {
    int hidden, buckets, scale;
    bool squared;                      /* the activation: squared clipped, or clipped */
    void *block;                       /* owned; the numbers in it begin with a cache line: */
    int16_t *input;                    /* [NETWORK_INPUTS][hidden] */
    int16_t *bias;                     /* [hidden] */
    int16_t *output;                   /* [buckets][2][hidden]: the side to move, the other */
    int16_t *output_bias;              /* [buckets] */
    char comment[NETWORK_COMMENT_MAX]; /* its provenance, or "" */
    struct Network *next;              /* of those that network_keep() has */
} Network;

/* The input of a piece as `view` sees it. */
static inline int network_input(Color view, Color color, PieceType type, int sq)
{
    return (color == view ? 0 : NETWORK_INPUTS / 2) + (int)type * SQUARES +
           (view == WHITE ? sq : sq ^ 56);
}

/* The output bucket of a position with that number of pieces. */
static inline int network_bucket(int buckets, int pieces)
{
    if (buckets == 1) return 0; /* divisions are slow */
    return (pieces - 2) / ((32 + buckets - 1) / buckets);
}

/* Sums for a position, which it remembers. */
typedef struct Accumulator {
    Bitboard by_type[PIECE_TYPES], by_color[COLORS];
    uint8_t board[SQUARES];
    int16_t sum[COLORS][NETWORK_HIDDEN_MAX]; /* by view */
} Accumulator;

/* The sums of the empty board, from which others come. */
void network_clear(const Network *network, Accumulator *acc);

/* Makes *acc that of `pos`, by its bitboards and mailbox and the difference to *from, of any
 * position; they may be the same. */
void network_update(const Network *network, const Accumulator *from, const Position *pos,
                    Accumulator *acc);

/* Centipawns, side to move's view. */
int network_output(const Network *network, const Accumulator *acc, const Position *pos);

/* The same from scratch. */
int network_evaluate(const Network *network, const Position *pos);

#endif
