/* SPDX-License-Identifier: MIT
 * A match between two sets of weights or engines: opening pairs with colours reversed, on all
 * cores. */
#ifndef TABIA_SELFPLAY_GAUNTLET_H
#define TABIA_SELFPLAY_GAUNTLET_H

#include "selfplay/opening.h"
#include "selfplay/runner.h"
#include "selfplay/stats.h"

typedef struct GauntletPlayer {
    const char *name;
    const EvalWeights *weights; /* of an engine in this process … */
    const SearchParams *params; /* … NULL: the built-in constants of the search */
    const UciSetup *uci;        /* not NULL: an external engine instead */
    /* nodes_hard 0 with nodes_soft: 8 times that. With has_clock both colours' times are equal;
     * such games depend on the machine and cannot be repeated. */
    SearchLimits limits;
    int64_t margin_ms; /* by so much its time may be overstepped */
    /* Of an engine in this process; more threads than one cannot be repeated either, 0 means 1. */
    size_t hash_bytes;
    int threads;
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

/* 1,000 games, random openings, no sequential test, seed 1, one thread. */
void gauntlet_defaults(GauntletSettings *settings);

typedef struct GauntletProgress {
    int64_t done, total, resumed; /* games; resumed: present before, counted in done */
    double seconds;
    MatchScore score; /* first player's view, resumed games included; whole pairs in index order */
    MatchStats stats; /* of that score */
} GauntletProgress;

typedef void (*GauntletProgressFn)(void *context, const GauntletProgress *progress);

/* Takes a finished game of the match; a failure ends the run. */
typedef Status (*GauntletGameFn)(void *context, const GauntletPlayer players[2],
                                 const GameRecord *game, Error *err);

/* Game 2p has player 0 as White, game 2p + 1 the same opening with player 1 as White. With an SPRT
 * the match ends at the first decision, judged after whole pairs in index order, so that the
 * outcome does not depend on the number of threads; games beyond it are not kept.
 *
 * store may be NULL; otherwise games already there count and are not played again: the run is named
 * by seed, generation, both weights and all that decides its games, but not by its length or the
 * sequential test, so that a match can be prolonged. A row of `gauntlets` holds the state and the
 * result. take_game (may be NULL) gets the games in index order: as they finish, but with a store
 * all of them at the end, those from before included. progress is called as in selfplay_run();
 * result receives the last figures, also on failure. */
MUST_CHECK Status gauntlet_run(Store *store, const GauntletPlayer players[2],
                               const GauntletSettings *settings, const atomic_int *interrupted,
                               GauntletGameFn take_game, GauntletProgressFn progress, void *context,
                               GauntletProgress *result, Error *err);

#endif
