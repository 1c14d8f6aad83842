/* SPDX-License-Identifier: MIT
 * Dividing a data set by game. The seed and the positions of a game decide its side. So it has the
 * same side in every set, except for a few games at the edge, and a later fit does not hold out
 * games that an earlier fit trained on. */
#ifndef TABIA_TUNER_DATA_SPLIT_H
#define TABIA_TUNER_DATA_SPLIT_H

#include "tuner/data/dataset.h"

/* Marks the games held out: take[game] = 1, of data->games elements. These are the
 * round(share * games) games with the lowest random numbers. */
MUST_CHECK Status split_hold_out(const Dataset *data, double share, uint64_t seed, uint8_t *take,
                                 Error *err);

/* Divides the games into folds of equal size: fold[game] = 0 … folds - 1. */
MUST_CHECK Status split_folds(const Dataset *data, int folds, uint64_t seed, uint8_t *fold,
                              Error *err);

#endif
