/* SPDX-License-Identifier: MIT
 * Dividing a data set by game. Each game draws its lot by the seed and its own positions: so it
 * stays on its side, all but the few at the edge, whatever set it is met in, and a later fit does
 * not measure itself on what an earlier one was fitted to. */
#ifndef TABIA_TUNER_DATA_SPLIT_H
#define TABIA_TUNER_DATA_SPLIT_H

#include "tuner/data/dataset.h"

/* Marks the games held out: take[game] = 1, of dataset_games() elements; round(share * games) are
 * taken, those of the lowest lots. */
MUST_CHECK Status split_hold_out(const Dataset *data, double share, uint64_t seed, uint8_t *take,
                                 Error *err);

/* Deals the games into folds of equal size: fold[game] = 0 … folds - 1. */
MUST_CHECK Status split_folds(const Dataset *data, int folds, uint64_t seed, uint8_t *fold,
                              Error *err);

#endif
