/* SPDX-License-Identifier: MIT
 * Numbers that stand for positions and for whole data sets. */
#ifndef TABIA_TUNER_DATA_FINGERPRINT_H
#define TABIA_TUNER_DATA_FINGERPRINT_H

#include "tuner/data/dataset_internal.h"

/* (*hash)[positions], of data->scratch: 64 bits of what the evaluation sees of each position, its
 * phase and its features. */
MUST_CHECK Status fingerprint_positions(const Dataset *data, int threads, uint64_t **hash,
                                        Error *err);

/* Sets data->digest, from those hashes: a SHA-256 over 64 bits for each stretch of positions of one
 * game, into which their hashes, results and scores and the game's number went in order. It tells
 * one set from another; it is no seal against forgers. */
MUST_CHECK Status fingerprint_digest(Dataset *data, const uint64_t *hash, int threads, Error *err);

#endif
