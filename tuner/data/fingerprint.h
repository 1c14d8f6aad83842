/* SPDX-License-Identifier: MIT
 * Hashes of positions, and what is known of a data set by them: duplicates and the digest. */
#ifndef TABIA_TUNER_DATA_FINGERPRINT_H
#define TABIA_TUNER_DATA_FINGERPRINT_H

#include "tuner/data/dataset.h"

/* For each position whose game has take[game] == which (each position when take is NULL): the first
 * such position with the same features and phase, which may be itself; -1 for the others. *first is
 * [positions], in data->scratch. Two different positions count as one with a probability of
 * n^2 / 2^65, 3 in a million for 10 million positions. */
MUST_CHECK Status dataset_duplicates(const Dataset *data, const uint8_t *take, uint8_t which,
                                     int threads, int32_t **first, Error *err);

/* When all of a set has been read: counts duplicates, computes the digest, releases unused memory.
 * The digest is a SHA-256 over 64 bits for each stretch of positions of one game, into which their
 * hashes, results and scores and the game's number went in order. It distinguishes sets; it does
 * not protect against forgery. */
MUST_CHECK Status dataset_finish(Dataset *data, int threads, Error *err);

/* The end of each reader: finishes the set, unless `status` is a failure, which is returned. A set
 * without positions is STATUS_BAD_INPUT: the sentence names the source, and what was left out of
 * it. After a failure the set is destroyed and *data NULL. */
MUST_CHECK Status dataset_finish_reading(Status status, const char *source, int threads,
                                         Dataset **data, Error *err);

#endif
