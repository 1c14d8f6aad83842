/* SPDX-License-Identifier: MIT
 * Merging databases. */
#ifndef TABIA_DB_TABLES_MERGE_H
#define TABIA_DB_TABLES_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "db/store/connection.h"

typedef struct MergeCounts {
    int64_t games; /* of `from` that were looked at */
    int64_t added; /* of them, those that were not here */
} MergeCounts;

typedef struct MergeOptions {
    const int64_t *game_ids; /* of `from`: only these, and nothing that was made of the games (fits,
                                gauntlets, generations); NULL: everything */
    int64_t count;           /* of game_ids */
    bool mixed; /* allow self-play runs of one seed and generation with different settings */
    void (*progress)(void *context, const MergeCounts *counts); /* after each batch; or NULL */
    void *context;
} MergeOptions;

/* Adds the runs and games of `from` that are not here yet, with positions where it has them,
 * weights and players; then fits, gauntlets and, where those here do not contradict them,
 * generations. Games go in batches, each a transaction: what was done when it fails or is killed
 * stays, and doing it again adds the rest; doing it once more adds nothing. Nothing is changed and
 * STATUS_FAILED says why, when the two disagree about a game or hold a mixture of settings. */
MUST_CHECK Status store_merge_games(Store *store, const char *from, const MergeOptions *options,
                                    MergeCounts *counts, Error *err);

/* The same with no options; *added counts games. */
MUST_CHECK Status store_merge(Store *store, const char *from, int64_t *added, Error *err);

#endif
