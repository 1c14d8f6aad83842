/* SPDX-License-Identifier: MIT
 * The OpenMP driver: a list of jobs known in advance, played on all cores, committed in index
 * order.
 *
 * Players take indices in order; finished games wait in a reorder buffer until all before them are
 * there, and one writer, a thread of its own that mostly sleeps, commits them, several a
 * transaction. So the database holds a prefix of the missing indices at any moment, whatever the
 * number of threads, and a kill loses only what was not yet committed. Without OpenMP one thread
 * does both in turn. */
#ifndef TABIA_SELFPLAY_RUN_RUNNER_H
#define TABIA_SELFPLAY_RUN_RUNNER_H

#include <stdatomic.h>

#include "db/store/connection.h"
#include "db/store/game_record.h"
#include "selfplay/game/game.h"
#include "selfplay/run/affinity.h"

/* What is played. */
typedef struct RunnerJob {
    void *context; /* shared by all; create_worker and play only read it */
    /* One worker's private state (engines, buffers): made and destroyed on the thread that uses it.
     * NULL and an Error on failure. */
    void *(*create_worker)(void *context, Error *err);
    void (*destroy_worker)(void *worker);
    /* Plays game `index`; a function of the shared context and index alone. game->plies has room
     * for GAME_PLIES_MAX. When *cancelled becomes non-zero it may give up with STATUS_INTERRUPTED.
     */
    Status (*play)(void *worker, int64_t index, const atomic_int *cancelled, GameRecord *game,
                   Error *err);
    /* Called by the writer in index order as soon as all games before are there, the game being
     * committed afterwards; for counting, PGN, progress and early stop (return false: stop the run
     * after this game, which is still committed; later ones are not). */
    bool (*finished)(void *context, const GameRecord *game);
    /* Called by the writer a few times a second (without OpenMP: after each game); may be NULL. */
    void (*tick)(void *context);
} RunnerJob;

/* Where the time went. */
typedef struct RunnerTimes {
    double playing; /* CPU seconds in RunnerJob.play, of all threads, for the games finished */
    double waiting; /* seconds that players waited for the writer, added up */
} RunnerTimes;

typedef struct RunnerOptions {
    int threads;            /* that play; the writer comes on top */
    const int64_t *indices; /* ascending job indices to play (those missing) */
    int64_t count;
    Store *store; /* used by the calling thread alone; NULL: keep nothing */
    int64_t run_id;
    bool positions; /* also write readable positions */
    bool clock;     /* also keep times, nodes and depths of the moves */
    /* Games go to `finished` and into the store as they finish, not in index order: for those that
     * cannot be repeated, none of which may be lost. */
    bool at_once;
    const Affinity *affinity; /* the players' processors; NULL: any */
    const atomic_int
        *interrupted;   /* non-zero: drop unfinished games, commit what is whole; or NULL */
    RunnerTimes *times; /* filled as it goes; may be NULL */
} RunnerOptions;

/* Returns STATUS_OK when all were played or `finished` stopped the run, STATUS_INTERRUPTED, or the
 * first error (by index order). Everything whole before that is committed. */
MUST_CHECK Status runner_run(const RunnerOptions *options, const RunnerJob *job, Error *err);

#endif
