/* SPDX-License-Identifier: MIT
 * The readable positions of a whole store: made from its games, and proved to agree with them. */
#ifndef TABIA_SELFPLAY_MATERIALIZE_H
#define TABIA_SELFPLAY_MATERIALIZE_H

#include <stdatomic.h>

#include "db/store.h"

typedef struct MaterializeCounts {
    int64_t games;          /* looked at */
    int64_t plies;          /* of these games */
    int64_t with_positions; /* games that had rows (verify) or got them (materialize) */
} MaterializeCounts;

/* Called after each batch of games; may be NULL. */
typedef void (*MaterializeProgressFn)(void *context, const MaterializeCounts *counts);

/* Writes the rows of games that have none, many games a transaction: interrupted (the flag may be
 * NULL) or killed, it goes on where it stopped. */
MUST_CHECK Status materialize_positions(Store *store, const atomic_int *interrupted,
                                        MaterializeProgressFn progress, void *context,
                                        MaterializeCounts *counts, Error *err);

/* Replays every game: moves legal, end in agreement with result and reason, rows (where there are
 * any) equal to what the moves give. STATUS_FAILED with the first contradiction. */
MUST_CHECK Status materialize_verify(Store *store, const atomic_int *interrupted,
                                     MaterializeProgressFn progress, void *context,
                                     MaterializeCounts *counts, Error *err);

#endif
