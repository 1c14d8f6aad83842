/* SPDX-License-Identifier: MIT
 * Positions of a set that look the same to the evaluation. */
#ifndef TABIA_TUNER_DATA_DUPLICATES_H
#define TABIA_TUNER_DATA_DUPLICATES_H

#include "tuner/data/dataset.h"

/* For each position whose game has take[game] == which (each position when take is NULL): the first
 * such position with the same features and phase, which may be itself; -1 for the others. *first is
 * [positions], in data->scratch. hash[positions]: fingerprint_positions(), or NULL. Two different
 * positions count as one with a probability of n^2 / 2^65, 3 in a million for 10 million
 * positions. */
MUST_CHECK Status dataset_duplicates(const Dataset *data, const uint64_t *hash, const uint8_t *take,
                                     uint8_t which, int threads, int32_t **first, Error *err);

#endif
