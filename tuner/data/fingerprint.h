/* SPDX-License-Identifier: MIT
 * Hashes of positions, and the digest of a data set. */
#ifndef TABIA_TUNER_DATA_FINGERPRINT_H
#define TABIA_TUNER_DATA_FINGERPRINT_H

#include "tuner/data/dataset.h"

/* (*hash)[positions], in data->scratch: 64 bits for the phase and the features of each position. */
MUST_CHECK Status fingerprint_positions(const Dataset *data, int threads, uint64_t **hash,
                                        Error *err);

/* Sets data->digest, from those hashes: a SHA-256 over 64 bits for each stretch of positions of one
 * game, into which their hashes, results and scores and the game's number went in order. It
 * distinguishes sets; it does not protect against forgery. */
MUST_CHECK Status fingerprint_digest(Dataset *data, const uint64_t *hash, int threads, Error *err);

#endif
