/* SPDX-License-Identifier: MIT
 * The OpenMP driver: a list of games known in advance, played on all cores, committed in index
 * order.
 *
 * Worker threads take indices in order. Finished games wait in a reorder buffer until all games
 * before them are finished. One writer thread, which mostly sleeps, commits them, several a
 * transaction. So the database always holds a prefix of the missing indices, at any number of
 * threads, and a kill loses only uncommitted games. Without OpenMP one thread plays and writes in
 * turn. */
#ifndef TABIA_SELFPLAY_RUN_RUNNER_H
#define TABIA_SELFPLAY_RUN_RUNNER_H

#include <stdatomic.h>

#include "db/store/connection.h"
#include "db/store/game_record.h"
#include "selfplay/game/game.h"
#include "selfplay/run/affinity.h"
#include "selfplay/run/remote_workers.h"

/* The games to play. */
typedef struct RunnerJob {
    void *context; /* shared by all workers; create_worker and play only read it */
    /* A worker's private state (engines, buffers), made and destroyed on the worker's thread. NULL
     * and an Error on failure. */
    void *(*create_worker)(void *context, Error *err);
    void (*destroy_worker)(void *worker);
    /* Plays game `index`: a function of context and index. game->plies has room for GAME_PLIES_MAX.
     * It may return STATUS_INTERRUPTED when *cancelled becomes non-zero; otherwise the game is
     * played again. */
    Status (*play)(void *worker, int64_t index, const atomic_int *cancelled, GameRecord *game,
                   Error *err);
    /* Called by the writer in index order (RunnerOptions.at_once: as they finish), before the game
     * is committed: for counting, progress and early stop. false stops the run after this game,
     * which is still committed. */
    bool (*finished)(void *context, const GameRecord *game);
    /* Called by the writer in the same order when the game is committed, without a store soon after
     * `finished`; may be NULL. An error ends the run. */
    Status (*saved)(void *context, const GameRecord *game, Error *err);
    /* Called by the writer after a pause of the process, of games that depend on time (at_once):
     * so many are in progress, and are played again. May be NULL. */
    void (*paused)(void *context, int games);
    /* Called by the writer a few times a second (without OpenMP: after each game); may be NULL. */
    void (*tick)(void *context);
} RunnerJob;

/* Where time was spent. */
typedef struct RunnerTimes {
    double playing; /* CPU seconds in RunnerJob.play, of all threads, for the games finished */
    double waiting; /* seconds that workers waited for the writer, of all threads */
} RunnerTimes;

typedef struct RunnerOptions {
    int threads;            /* workers; the writer is one more */
    const int64_t *indices; /* games to play, ascending */
    int64_t count;
    Store *store; /* used by the calling thread only; NULL: games are not stored */
    int64_t run_id;
    bool positions; /* also store readable positions */
    bool clock;     /* also record times, nodes and depths of the moves */
    bool search;    /* also record what engines report of their searches: games of this process */
    /* Games go to `finished` and into the store as they finish, not in index order. For games that
     * cannot be repeated, so that a kill loses none of them. */
    bool at_once;
    const Affinity *affinity; /* processors of the workers; NULL: any */
    RemoteWorkers *remote;    /* besides the threads; NULL: none */
    const atomic_int
        *interrupted;   /* non-zero: drop unfinished games, commit finished ones; or NULL */
    RunnerTimes *times; /* updated during the run; may be NULL */
} RunnerOptions;

/* Returns STATUS_OK when all games were played or `finished` stopped the run, STATUS_INTERRUPTED,
 * or the first error in index order. All finished games before that are committed. */
MUST_CHECK Status runner_run(const RunnerOptions *options, const RunnerJob *job, Error *err);

/* On another process than rank 0: `threads` workers play the games that are requested, until each
 * has the message that there are no more. Failures go to rank 0. */
void runner_serve(int threads, const RunnerJob *job, const atomic_int *interrupted);

#endif
