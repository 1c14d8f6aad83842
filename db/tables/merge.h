/* SPDX-License-Identifier: MIT
 * Merging databases. */
#ifndef TABIA_DB_TABLES_MERGE_H
#define TABIA_DB_TABLES_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "db/store/connection.h"

typedef struct MergeCounts {
    int64_t games; /* of `from` that were read */
    int64_t added; /* of them, those that were new */
} MergeCounts;

typedef struct MergeOptions {
    const int64_t *game_ids; /* of `from`: only these games, of unfinished runs, without fits,
                                gauntlets and generations; NULL: everything */
    int64_t count;           /* of game_ids */
    bool mixed; /* allow self-play runs of one seed and generation with different settings */
    void (*progress)(void *context, const MergeCounts *counts); /* after each batch; or NULL */
    void *context;
} MergeOptions;

/* Adds the runs and games of `from` that are missing here, with their positions, weights and
 * players; then fits, gauntlets and, of the same run of `learn`, generations. Each batch of
 * games is a transaction: what was added before a failure or a kill stays, a repeated merge adds
 * the rest, and another one adds nothing. STATUS_FAILED, without a change, when the two databases
 * disagree about a game or mix settings. options NULL: none. */
MUST_CHECK Status store_merge(Store *store, const char *from, const MergeOptions *options,
                              MergeCounts *counts, Error *err);

#endif
