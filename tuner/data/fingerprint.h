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

/* Adds all that the filter keeps of a source to an empty set. */
typedef Status DatasetReadFn(const void *source, const DatasetFilter *filter, int threads,
                             Dataset *data, Error *err);

/* The frame of each reader: reads the source and finishes the set. Where the filter has a curve,
 * the source is read twice, first to count; a device is STATUS_USAGE then. A set without positions
 * is STATUS_BAD_INPUT: the sentence gives the source's name, and what was left out of it. After a
 * failure *data is NULL. */
MUST_CHECK Status dataset_read_source(DatasetReadFn *read, const void *source, const char *name,
                                      const DatasetFilter *filter, int threads, Dataset **data,
                                      Error *err);

#endif
