/* SPDX-License-Identifier: MIT
 * New scores for stored games, by a search of each position or by Syzygy files. */
#ifndef TABIA_SELFPLAY_MATCH_RESCORE_H
#define TABIA_SELFPLAY_MATCH_RESCORE_H

#include "selfplay/match/gauntlet.h"

typedef struct RescoreCounts {
    int64_t total, done, resumed; /* games; resumed: stored before, included in done */
    int64_t too_long;             /* of those done: left out, over GAME_PLIES_MAX plies */
    int64_t positions, nodes;     /* of the games scored now */
    double seconds;
} RescoreCounts;

/* Everything is borrowed. */
typedef struct RescoreJob {
    Store *from;                  /* the games, in a transaction for reading */
    const GauntletPlayer *player; /* its search gives the scores; without a clock */
    /* Positions with at most table_men pieces that the open Syzygy files have are not searched: a
     * win is VALUE_TB_WIN. table_count as in Adjudication. 0: none. */
    int table_men, table_count;
    int threads;
    const atomic_int *interrupted;
    void (*progress)(void *context, const RescoreCounts *counts); /* after each game; or NULL */
    void *context;
} RescoreJob;

/* Adds to `store` a run for each run of job->from: the same games and players, without times, with
 * the scores of one search of each position (none: SCORE_UNKNOWN). The searches of a game follow
 * each other as in play, so a game is a function of its moves and the player, at any number of
 * threads. The run's configuration has the uuid of the run, the digest of job->from, and what
 * identifies the player. Games that `store` has are not scored again: a repetition after a kill
 * does the rest. STATUS_USAGE, naming the first difference, when `store` has one of the runs with
 * other scores; STATUS_ENGINE when a program fails. */
MUST_CHECK Status rescore_games(Store *store, const RescoreJob *job, RescoreCounts *counts,
                                Error *err);

#endif
