/* SPDX-License-Identifier: MIT
 * A match between two sets of weights: opening pairs with colours reversed, on all cores. */
#ifndef TABIA_SELFPLAY_GAUNTLET_H
#define TABIA_SELFPLAY_GAUNTLET_H

#include "selfplay/opening.h"
#include "selfplay/runner.h"
#include "selfplay/stats.h"

typedef struct GauntletPlayer {
    const char *name;
    const EvalWeights *weights;
    SearchLimits limits;
    size_t hash_bytes;
} GauntletPlayer;

typedef struct GauntletSettings {
    uint64_t seed;
    int generation; /* of `tabia learn`, -1 outside */
    int64_t games;  /* even: pairs */
    OpeningSettings
        opening; /* when book is NULL; verified by weights `material`, neutral to both */
    const OpeningBook *book; /* borrowed; the pair p starts from fens[(p + book_start) % count] */
    int64_t book_start;
    const char *book_name; /* goes into the run's configuration */
    Adjudication adjudication;
    SprtSettings sprt;
    int threads;
} GauntletSettings;

void gauntlet_defaults(GauntletSettings *settings);

typedef struct GauntletProgress {
    int64_t done, total, resumed;
    double seconds;
    MatchScore score; /* first player's view, resumed games included */
    MatchStats stats;
} GauntletProgress;

typedef void (*GauntletProgressFn)(void *context, const GauntletProgress *progress);

/* Game 2p has player 0 as White, game 2p + 1 the same opening with player 1 as White. With an SPRT
 * the match ends at the first decision, judged after whole pairs in index order, so that the
 * outcome does not depend on the number of threads. store may be NULL; otherwise games already
 * there count and are not played again. pgn may be NULL. */
MUST_CHECK Status gauntlet_run(Store *store, const GauntletPlayer players[2],
                               const GauntletSettings *settings, const atomic_int *interrupted,
                               FILE *pgn, GauntletProgressFn progress, void *context,
                               GauntletProgress *result, Error *err);

#endif
