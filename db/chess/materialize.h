/* SPDX-License-Identifier: MIT
 * The readable positions of a whole store: made from its games, and proved to agree with them.
 * Games are replayed by all threads, while one at a time is with SQLite. */
#ifndef TABIA_DB_CHESS_MATERIALIZE_H
#define TABIA_DB_CHESS_MATERIALIZE_H

#include <stdatomic.h>
#include <stdint.h>

#include "db/store/connection.h"

typedef struct MaterializeCounts {
    int64_t games;          /* looked at */
    int64_t plies;          /* of these games */
    int64_t with_positions; /* games that had rows (verify) or got them (materialize) */
} MaterializeCounts;

/* Called after each batch of games. */
typedef void (*MaterializeProgressFn)(void *context, const MaterializeCounts *counts);

typedef struct MaterializeJob {
    int threads;                    /* at least 1 */
    const atomic_int *interrupted;  /* non-zero: stop; or NULL */
    MaterializeProgressFn progress; /* or NULL */
    void *context;
} MaterializeJob;

/* Writes the rows of games that have none, many games a transaction: interrupted or killed, it goes
 * on where it stopped. */
MUST_CHECK Status materialize_positions(Store *store, const MaterializeJob *job,
                                        MaterializeCounts *counts, Error *err);

/* Replays every game: moves legal, end in agreement with result and reason, rows (where there are
 * any) equal to what the moves give. STATUS_FAILED with the first contradiction in the order of the
 * runs' uuids and the games' numbers, whatever the number of threads. */
MUST_CHECK Status materialize_verify(Store *store, const MaterializeJob *job,
                                     MaterializeCounts *counts, Error *err);

#endif
