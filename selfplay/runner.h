/* SPDX-License-Identifier: MIT
 * The OpenMP driver: a list of jobs known in advance, played on all cores, committed in index
 * order.
 *
 * Threads take indices from a shared counter; finished games wait in a reorder buffer until all
 * before them are there, and one writer commits them, several a transaction. So the database holds
 * a prefix of the missing indices at any moment, whatever the number of threads, and a kill loses
 * only what was not yet committed. */
#ifndef TABIA_SELFPLAY_RUNNER_H
#define TABIA_SELFPLAY_RUNNER_H

#include <stdatomic.h>

#include "db/store.h"
#include "selfplay/game.h"

/* One worker's private state (engines, buffers): made and destroyed on the thread that uses it. */
typedef struct RunnerJob {
    void *context; /* shared, read-only while playing */
    void *(*create_worker)(void *context, Error *err);
    void (*destroy_worker)(void *worker);
    /* Plays game `index`; a function of the shared context and index alone. */
    Status (*play)(void *worker, int64_t index, GameRecord *game, Error *err);
    /* Called by the writer, in index order, after the game is queued for the current transaction;
     * for counting, PGN, progress and early stop (return false: stop the run after this game). */
    bool (*finished)(void *context, const GameRecord *game);
    /* Called by the writer a few times a second; may be NULL. */
    void (*tick)(void *context);
} RunnerJob;

typedef struct RunnerOptions {
    int threads;
    const int64_t *indices; /* ascending job indices to play (those missing) */
    int64_t count;
    Store *store; /* NULL: keep nothing */
    int64_t run_id;
    bool positions; /* also write readable positions */
    const atomic_int
        *interrupted; /* non-zero: finish nothing new, commit what is whole; may be NULL */
} RunnerOptions;

/* Returns STATUS_OK when all were played or `finished` stopped the run, STATUS_INTERRUPTED, or the
 * first error (by index order). Everything whole before that is committed. */
MUST_CHECK Status runner_run(const RunnerOptions *options, const RunnerJob *job, Error *err);

#endif
