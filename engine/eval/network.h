/* SPDX-License-Identifier: MIT
 * A small network as evaluation: (768 -> H) x 2 -> 1, for both sides, in integers.
 *
 * Each of the 768 inputs is a piece on a square, seen by one side: its own pieces first, pawn to
 * king, from its own side of the board. With king buckets the board is also mirrored left to right
 * where the own king stands on files e to h, and the king's square chooses one of several sets of
 * columns. A side's accumulator is the sum of the inputs' columns and the bias. The output joins
 * both, the side to move first:
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
    NETWORK_HIDDEN_MAX = 1024,
    NETWORK_BUCKETS_MAX = 8,
    NETWORK_KING_SQUARES = 32, /* a1 to d8 from the own side */
    NETWORK_KING_BUCKETS_MAX = 16,
    NETWORK_QA = 255, /* quantum of accumulators */
    NETWORK_QB = 64,  /* of output weights */
    NETWORK_SCALE = 400,
    NETWORK_COMMENT_MAX = 4096
};

/* How a view's columns depend on its own king. Zeroed but for `sets`: they do not. */
typedef struct NetworkKings {
    int sets; /* of columns: 1 without king buckets */
    bool mirrored;
    uint8_t index[SQUARES]; /* by the king's square from its own side: twice the bucket, and 1 where
                               the board is mirrored */
} NetworkKings;

typedef struct Network {
    int hidden, buckets, scale;
    bool squared; /* the activation: squared clipped, or clipped */
    NetworkKings kings;
    void *block;                       /* owned; the numbers in it begin with a cache line: */
    int16_t *input;                    /* [kings.sets][NETWORK_INPUTS][hidden] */
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

/* The king's entry of kings->index. */
static inline int network_king(const NetworkKings *kings, Color view, int king)
{
    return kings->index[view == WHITE ? king : king ^ 56];
}

/* An input as a view with that entry has it. */
static inline int network_king_input(int king, int input)
{
    return king / 2 * NETWORK_INPUTS + (input ^ (king & 1 ? 7 : 0));
}

/* The output bucket of a position with that number of pieces. */
static inline int network_bucket(int buckets, int pieces)
{
    /* Of a bucket a piece is 1 / ceil(32 / buckets); in 1024ths, rounded up: divisions are slow. */
    static const uint16_t part[NETWORK_BUCKETS_MAX + 1] = {0, 0, 64, 94, 128, 147, 171, 205, 256};
    return (pieces - 2) * part[buckets] / 1024;
}

/* The pieces that sums were made of. */
typedef struct NetworkBoard {
    Bitboard by_type[PIECE_TYPES], by_color[COLORS];
    uint8_t board[SQUARES];
} NetworkBoard;

/* Sums for a position, which it remembers. */
typedef struct Accumulator {
    NetworkBoard of;
    uint64_t key;                            /* of the position; 0: none */
    int king[COLORS];                        /* network_king() of both views */
    int16_t sum[COLORS][NETWORK_HIDDEN_MAX]; /* by view */
} Accumulator;

/* Sums of one view, of the last position with such a king. */
typedef struct NetworkView {
    NetworkBoard of;
    int16_t sum[NETWORK_HIDDEN_MAX];
} NetworkView;

/* Where a king leaves its bucket or half of the board, the difference to these is smaller than that
 * to no pieces ("Finny tables", chessprogramming.org/NNUE). */
typedef struct NetworkCache {
    NetworkView view[COLORS][2 * NETWORK_KING_BUCKETS_MAX];
} NetworkCache;

/* The sums of the empty board, from which others come. */
void network_clear(const Network *network, Accumulator *acc);
void network_clear_cache(const Network *network, NetworkCache *cache);

/* Makes *acc that of `pos`, by its bitboards and mailbox and the difference to *from, of any
 * position; they may be the same. Views whose king is another come from the cache and are kept
 * there; NULL: from scratch. */
void network_update(const Network *network, const Accumulator *from, const Position *pos,
                    Accumulator *acc, NetworkCache *cache);

/* Centipawns, side to move's view. */
int network_output(const Network *network, const Accumulator *acc, const Position *pos);

/* The same from scratch. */
int network_evaluate(const Network *network, const Position *pos);

#endif
