/* SPDX-License-Identifier: MIT
 * The struct of a Dataset, for the tuner and its tests. */
#ifndef TABIA_TUNER_DATA_DATASET_INTERNAL_H
#define TABIA_TUNER_DATA_DATASET_INTERNAL_H

#include <stddef.h>

#include "db/files/sha256.h"
#include "db/store/game_record.h"
#include "tuner/data/columns.h"
#include "tuner/data/dataset.h"

/* A feature: its column (columns.h) and coefficient in one number,
 *
 *     column + columns * step,   step = 2 (c - 1) for a coefficient c > 0, 2 (-c - 1) + 1 for c <
 * 0.
 *
 * A coefficient that is too great for that is split into several. Occurrences of a position ascend
 * by column. */
typedef uint16_t Occurrence;

/* Of a position. Tabia's evaluation gives at most 32 by squares and 30 by mobility, one a man, and
 * of the other families fewer than 140, one for each term that can meet others. */
enum { OCCURRENCES_MAX = 255 };

static inline int occurrence_column(Occurrence o, int columns)
{
    return o % columns;
}
static inline int occurrence_value(Occurrence o, int columns)
{
    int step = o / columns;
    return step % 2 ? -(step / 2 + 1) : step / 2 + 1;
}
/* value: from 1 to occurrence_value_max() in magnitude. */
static inline Occurrence occurrence_make(int column, int value, int columns)
{
    int step = value > 0 ? 2 * (value - 1) : 2 * (-value - 1) + 1;
    return (Occurrence)(column + columns * step);
}
/* Of a coefficient that is 1 or -1: without a branch, which would be unpredictable. */
static inline Occurrence occurrence_of_one(int column, bool negative, int columns)
{
    return (Occurrence)(column + columns * (int)negative);
}
static inline int occurrence_value_max(int columns)
{
    int steps = (UINT16_MAX + 1) / columns;
    return steps / 2 < INT8_MAX ? steps / 2 : INT8_MAX;
}

/* Arrays of one element a position, but for `occurrence`, which holds all positions' one after the
 * other. Also used for the parts that threads read, which are then appended in order. */
struct Dataset {
    int columns;         /* of the features */
    const char *scratch; /* where the arrays live, scratch.h; borrowed */
    EvalFamilies terms;  /* whose features are taken of positions that are added */
    int64_t positions, positions_capacity;
    int64_t occurrences, occurrences_capacity;
    int32_t games;
    Occurrence *occurrence;
    uint8_t *count;      /* occurrences of the position */
    uint8_t *phase;      /* 0 … EVAL_PHASE_MAX */
    uint8_t *result;     /* GameResult */
    int16_t *score;      /* of the search, White's view, centipawns, or SCORE_UNKNOWN */
    int32_t *game;       /* 0 … games - 1, by first appearance */
    int16_t *generation; /* of the run that the game belongs to; -1: none */
    int16_t reading;     /* the generation of what is being added */
    DatasetStats stats;
    char digest[HASH_HEX_MAX];
};

/* Independent of which other terms the set has, so that it can identify games. Occurrences of
 * material and squares keep their numbers. */
static inline unsigned occurrence_canonical(Occurrence o, const Dataset *data)
{
    if (data->columns != COLUMNS) return o;
    unsigned column = o % COLUMNS, step = o / COLUMNS;
    if (column < SQUARE_COLUMNS) return column + SQUARE_COLUMNS * step;
    return 2 * SQUARE_COLUMNS + (column - SQUARE_COLUMNS) + EVAL_CLASSICAL_TERMS * step;
}

/* An empty set of positions with this number of columns; COLUMNS for the evaluation. */
MUST_CHECK Status dataset_create_columns(int columns, Dataset **data, Error *err);
MUST_CHECK Status dataset_create(Dataset **data, Error *err); /* COLUMNS */

/* Removes positions, games and statistics; keeps the memory. */
void dataset_clear(Dataset *data);

/* Adds a position of game `game`; raises data->games above it. */
MUST_CHECK Status dataset_add(Dataset *data, const Position *pos, GameResult result, int score,
                              int32_t game, Error *err);

/* Adds the position or its quiescent leaf, as the filter says. A position outside the phases is
 * only counted. */
MUST_CHECK Status dataset_add_filtered(Dataset *data, const Position *pos,
                                       const DatasetFilter *filter, GameResult result, int score,
                                       int32_t game, Error *err);

/* Adds a position given by its features alone: `count` ascending occurrences. */
MUST_CHECK Status dataset_add_features(Dataset *data, const Occurrence *occurrence, int count,
                                       int phase, GameResult result, int score, int32_t game,
                                       Error *err);

/* Adds `value` (not 0) of a column to the occurrences out[count]; returns the new count, or -1 when
 * they are more than OCCURRENCES_MAX. */
int occurrences_add(Occurrence *out, int count, int column, int value, int columns);

/* Appends a part, adding game_offset to its game numbers, and its statistics. */
MUST_CHECK Status dataset_append(Dataset *data, const Dataset *part, int32_t game_offset,
                                 Error *err);

/* For each position whose game has take[game] == which (each position when take is NULL): the first
 * such position with the same features and phase, which may be itself; -1 for the others. *first is
 * [positions], in data->scratch. hash[positions]: fingerprint_positions(). Two different positions
 * count as one with a probability of n^2 / 2^65, 3 in a million for 10 million positions. */
MUST_CHECK Status dataset_duplicates(const Dataset *data, const uint64_t *hash, const uint8_t *take,
                                     uint8_t which, int threads, int32_t **first, Error *err);

/* Call it last: counts duplicates, computes the digest, releases unused memory. */
MUST_CHECK Status dataset_finish(Dataset *data, int threads, Error *err);

#endif
