/* SPDX-License-Identifier: MIT
 * Dividing a set by game.
 *
 * The seed and the positions of a game that pass the filters decide its side. So with equal filters
 * it has the same side in every set, except for a few games at the edge, and a later fit does not
 * hold out games that an earlier fit trained on.
 *
 * Games are equal if their identities are, or the features of all their positions and those are at
 * least two. Equal games are on one side, by the least of their random numbers: their order does
 * not matter, but one more of them, of which other positions are read, may move all. Different
 * games may still share positions. Working memory: 32 bytes a game; split_measure() 17 bytes a
 * position, in data->scratch. */
#ifndef TABIA_TUNER_DATA_SPLIT_H
#define TABIA_TUNER_DATA_SPLIT_H

#include "tuner/data/dataset.h"

typedef struct SplitCounts {
    int64_t copies;   /* games that are equal to an earlier one */
    int64_t held_out; /* positions held out; with folds all, each of them once */
    int64_t shared;   /* of them, those whose features also occur in training */
} SplitCounts;

/* Above this part of the hold-out, shared positions deserve a warning. */
#define SPLIT_SHARED_MAX 0.01

/* Where more than this part of the hold-out is shared: a warning, one sentence without an end.
 * Otherwise false, and out[] is empty. */
enum { SPLIT_WARNING_MAX = 192 };
bool split_warning(const SplitCounts *counts, double most, char out[SPLIT_WARNING_MAX]);

/* Marks the games held out: take[game] = 1, of data->games elements. These are the
 * round(share * games) games with the lowest random numbers, except that equal games are all marked
 * or none. Sets *copies. */
MUST_CHECK Status split_hold_out(const Dataset *data, double share, uint64_t seed, uint8_t *take,
                                 int64_t *copies, Error *err);

/* Divides the games into folds, of equal size in different games: fold[game] = 0 … folds - 1. Sets
 * *copies. STATUS_BAD_INPUT if different games are fewer than folds. */
MUST_CHECK Status split_folds(const Dataset *data, int folds, uint64_t seed, uint8_t *fold,
                              int64_t *copies, Error *err);

/* Counts the positions held out and shared: side[game] is 0 for training and 1 for the hold-out, or
 * with all_held_out the number of its fold. */
MUST_CHECK Status split_measure(const Dataset *data, const uint8_t *side, bool all_held_out,
                                int threads, SplitCounts *counts, Error *err);

#endif
