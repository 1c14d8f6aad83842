/* SPDX-License-Identifier: MIT
 * A self-play run: games of an engine against itself from random balanced openings, stored. */
#ifndef TABIA_SELFPLAY_RUN_SELFPLAY_H
#define TABIA_SELFPLAY_RUN_SELFPLAY_H

#include "db/store/connection.h"
#include "db/store/run_record.h"
#include "engine/eval/evaluation_load.h"
#include "selfplay/openings/book.h"
#include "selfplay/openings/opening.h"
#include "selfplay/run/runner.h"

/* A member of the pool of opponents. */
typedef struct SelfplayOpponent {
    Evaluation weights;
    WeightsInfo info;
} SelfplayOpponent;

enum { SELFPLAY_POOL_MAX = 64 };

typedef struct SelfplaySettings {
    /* These decide the games and are part of the run's identity. */
    uint64_t seed;
    int generation;          /* -1 outside `tabia learn` */
    int64_t search;          /* search_signature() */
    SearchLimits limits;     /* depth, nodes_soft, nodes_hard (0 with nodes_soft: 8 times that) */
    size_t hash_bytes;       /* per engine, fresh for each game */
    OpeningSettings opening; /* with a book: random plies from its positions, or 0 */
    const OpeningBook *book; /* borrowed: game i starts at its opening i; NULL: none */
    Adjudication adjudication;
    Exploration exploration;
    /* Opponents, borrowed; none: the weights play themselves. Each game's stream draws one; the
     * weights have White in even games. Member i is player i + 1 in the store, or player 0 when it
     * equals the weights. */
    const SelfplayOpponent *pool;
    int pool_count;
    /* These do not. */
    int64_t first_game, games;
    bool repeat_openings; /* without random plies: allows more games than bases */
    bool positions;       /* also store readable positions */
    int threads;
    RemoteWorkers *remote; /* of processes that selfplay_serve(); NULL: none */
} SelfplaySettings;

/* The settings of `tabia selfplay` without options: seed 1, 5,000 nodes soft, one thread. */
void selfplay_defaults(SelfplaySettings *settings);

/* STATUS_USAGE for a time limit, no limit, an impossible range, or more games than openings.
 * selfplay_run() checks too. */
MUST_CHECK Status selfplay_check(const SelfplaySettings *settings, Error *err);

typedef struct SelfplayProgress {
    int64_t done, total, resumed; /* games; resumed: stored before, included in done */
    /* Of the games played now. */
    int64_t positions, nodes;
    int64_t wins, draws, losses; /* White's view */
    double seconds;
    RunnerTimes times;
} SelfplayProgress;

typedef void (*SelfplayProgressFn)(void *context, const SelfplayProgress *progress);

/* The identity of such a run in a store: equal for weights and settings that give equal games. */
MUST_CHECK Status selfplay_identify(const Evaluation *weights, const SelfplaySettings *settings,
                                    char uuid[UUID_MAX], Error *err);

/* Plays the games of [first_game, first_game + games) that are not stored yet, and stores the
 * weights in their canonical text. progress (may be NULL) is called on the calling thread after
 * each game and a few times a second. totals receives the last figures, also on failure.
 * STATUS_USAGE, naming the first difference, when the database holds a self-play run of the same
 * seed and generation with other settings. */
MUST_CHECK Status selfplay_run(Store *store, const Evaluation *weights, const char *label,
                               const SelfplaySettings *settings, const atomic_int *interrupted,
                               SelfplayProgressFn progress, void *context, SelfplayProgress *totals,
                               Error *err);

/* On another process, with the same weights and settings: plays what selfplay_run() requests on
 * rank 0, with settings->threads workers, until that ends. */
MUST_CHECK Status selfplay_serve(const Evaluation *weights, const SelfplaySettings *settings,
                                 const atomic_int *interrupted, Error *err);

#endif
