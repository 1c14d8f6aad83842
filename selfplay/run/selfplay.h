/* SPDX-License-Identifier: MIT
 * A self-play run: an engine against itself from random balanced openings, into the store. */
#ifndef TABIA_SELFPLAY_RUN_SELFPLAY_H
#define TABIA_SELFPLAY_RUN_SELFPLAY_H

#include "db/store/connection.h"
#include "selfplay/openings/book.h"
#include "selfplay/openings/opening.h"
#include "selfplay/run/runner.h"

/* Weights that those in question may meet instead of themselves. */
typedef struct SelfplayOpponent {
    const char *label;
    const EvalWeights *weights;
} SelfplayOpponent;

enum { SELFPLAY_POOL_MAX = 64 };

typedef struct SelfplaySettings {
    /* What decides the games (part of the run's identity) */
    uint64_t seed;
    int generation;          /* -1 outside `tabia learn` */
    int64_t search;          /* search_signature.h */
    SearchLimits limits;     /* depth, nodes_soft, nodes_hard (0 with nodes_soft: 8 times that) */
    size_t hash_bytes;       /* per engine, fresh for each game */
    OpeningSettings opening; /* with a book: random moves from its positions, 0 of them for these */
    const OpeningBook
        *book;             /* NULL: the initial position; game i is played from position i of it */
    int64_t book_start;    /* … counted from this one, round and round */
    const char *book_name; /* goes into the run's configuration */
    bool repeat_openings;  /* without random plies there may be more games than bases */
    Adjudication adjudication;
    Exploration exploration;
    /* Borrowed; none: every game is against itself. Else each game's stream draws one of these, and
     * the weights in question have White in the even games. One that equals them is them: player 0
     * in the store, where member i is player i + 1. */
    const SelfplayOpponent *pool;
    int pool_count;
    /* What does not */
    int64_t first_game, games;
    const int64_t *only; /* borrowed, ascending: of that range play these; NULL: all */
    int64_t only_count;
    bool positions; /* readable positions beside the games */
    int threads;
} SelfplaySettings;

/* The settings of `tabia selfplay` without options: seed 1, 5,000 nodes soft, one thread. */
void selfplay_defaults(SelfplaySettings *settings);

/* STATUS_USAGE for settings that were not meant: a time limit, no limit at all, an impossible
 * range, more games than openings. selfplay_run() asks, too. */
MUST_CHECK Status selfplay_check(const SelfplaySettings *settings, Error *err);

typedef struct SelfplayProgress {
    int64_t done, total, resumed; /* games; resumed: present before, counted in done */
    int64_t positions, nodes;     /* of this process */
    int64_t wins, draws, losses;  /* White's view, of this process */
    double seconds;
    RunnerTimes times; /* of this process */
} SelfplayProgress;

typedef void (*SelfplayProgressFn)(void *context, const SelfplayProgress *progress);

/* The numbers of the range's games that the store does not hold, ascending, malloc'ed: what
 * selfplay_run() would play. Makes the run if it is not there, and refuses as selfplay_run() does.
 */
MUST_CHECK Status selfplay_list_missing(Store *store, const EvalWeights *weights, const char *label,
                                        const SelfplaySettings *settings, int64_t **missing,
                                        int64_t *count, Error *err);

/* Plays the games of [first_game, first_game + games) that the store does not hold yet. The weights
 * are stored for provenance in their canonical text unless they are there already. progress (may be
 * NULL) is called on the calling thread after each game and a few times a second; totals receives
 * the last figures, also on failure. Resuming with other settings is a different run: refused
 * (STATUS_USAGE) with the first difference named when the database already holds a self-play run of
 * the same seed and generation. */
MUST_CHECK Status selfplay_run(Store *store, const EvalWeights *weights, const char *label,
                               const SelfplaySettings *settings, const atomic_int *interrupted,
                               SelfplayProgressFn progress, void *context, SelfplayProgress *totals,
                               Error *err);

#endif
