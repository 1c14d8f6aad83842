/* SPDX-License-Identifier: MIT
 * The readable positions of a whole store: made from its games, and verified against them. All
 * threads replay games; one thread at a time uses SQLite. */
#ifndef TABIA_DB_CHESS_MATERIALIZE_H
#define TABIA_DB_CHESS_MATERIALIZE_H

#include <stdatomic.h>
#include <stdint.h>

#include "db/store/connection.h"

typedef struct MaterializeCounts {
    int64_t games;          /* processed */
    int64_t plies;          /* of these games */
    int64_t with_positions; /* games that had rows (verify) or received them (materialize) */
} MaterializeCounts;

typedef struct MaterializeJob {
    int threads;                   /* at least 1 */
    const atomic_int *interrupted; /* non-zero: stop; or NULL */
    void (*progress)(void *context,
                     const MaterializeCounts *counts); /* after each batch; or NULL */
    void *context;
} MaterializeJob;

/* Writes the rows of games without rows, many games a transaction: after an interrupt or a kill the
 * next call continues. */
MUST_CHECK Status materialize_positions(Store *store, const MaterializeJob *job,
                                        MaterializeCounts *counts, Error *err);

/* Replays every game: the moves must be legal, the end must agree with result and reason, and rows,
 * if any, must equal the replayed ones. STATUS_FAILED with the first contradiction in the order of
 * uuids of runs and numbers of games, for any number of threads. */
MUST_CHECK Status materialize_verify(Store *store, const MaterializeJob *job,
                                     MaterializeCounts *counts, Error *err);

#endif
