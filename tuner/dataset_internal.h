/* SPDX-License-Identifier: MIT
 * The inside of a Dataset, for the files of this folder and their tests. */
#ifndef TABIA_TUNER_DATASET_INTERNAL_H
#define TABIA_TUNER_DATASET_INTERNAL_H

#include <stddef.h>

#include "tuner/columns.h"
#include "tuner/dataset.h"

/* A feature with coefficient n is |n| occurrences. One is a column (columns.h), plus COLUMNS where
 * its sign is minus: a table of the columns followed by their negatives turns an evaluation into a
 * sum of look-ups. Occurrences of a position ascend by column. */
typedef uint16_t Occurrence;

enum { OCCURRENCES_MAX = 255 }; /* of a position */

static inline int occurrence_column(Occurrence o)
{
    return o < COLUMNS ? o : o - COLUMNS;
}
static inline int occurrence_sign(Occurrence o)
{
    return o < COLUMNS ? 1 : -1;
}

/* Arrays of one element a position, but for `occurrence`, which holds all positions' one after the
 * other. Also used for the parts that threads read, which are then appended in order. */
struct Dataset {
    int64_t positions, positions_capacity;
    int64_t occurrences, occurrences_capacity;
    int32_t games;
    Occurrence *occurrence;
    uint8_t *count;  /* occurrences of the position */
    uint8_t *phase;  /* 0 … EVAL_PHASE_MAX */
    uint8_t *result; /* GameResult */
    int16_t *score;  /* of the search, White's view, centipawns, or SCORE_UNKNOWN */
    int32_t *game;   /* 0 … games - 1, by first appearance */
    DatasetStats stats;
    char digest[HASH_HEX_MAX];
};

MUST_CHECK Status dataset_create(Dataset **data, Error *err);

/* Adds a position of game `game`; raises data->games above it. */
MUST_CHECK Status dataset_add(Dataset *data, const Position *pos, GameResult result, int score,
                              int32_t game, Error *err);

/* Appends a part, adding game_offset to its game numbers, and its statistics. */
MUST_CHECK Status dataset_append(Dataset *data, const Dataset *part, int32_t game_offset,
                                 Error *err);

/* Once all is there: counts duplicates, takes the digest, gives unused memory back. */
MUST_CHECK Status dataset_finish(Dataset *data, int threads, Error *err);

#endif
