/* SPDX-License-Identifier: MIT
 * Matches between two or many sets of weights or engines: opening pairs with colours reversed, on
 * all cores. */
#ifndef TABIA_SELFPLAY_MATCH_GAUNTLET_H
#define TABIA_SELFPLAY_MATCH_GAUNTLET_H

#include "db/store/connection.h"
#include "db/store/game_record.h"
#include "selfplay/match/scoreboard.h"
#include "selfplay/openings/book.h"
#include "selfplay/openings/opening.h"
#include "selfplay/players/player_uci.h"
#include "selfplay/run/runner.h"

typedef struct GauntletPlayer {
    const char *name;
    const EvalWeights *weights; /* of an engine in this process … */
    const SearchParams *params; /* … NULL: the built-in constants of the search */
    const UciSetup *uci;        /* not NULL: an external engine instead … */
    const char *id_name;        /* … which calls itself so; or NULL */
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
    int64_t search; /* search_signature.h; of players in this process, and of random openings */
    int64_t games;  /* of each pairing; even: pairs */
    int seeds;      /* the first so many players play against all others (schedule.h); 0 means 1 */
    bool shared_openings;    /* by all pairings of a round; otherwise each pairing has its own */
    OpeningSettings opening; /* when book is NULL; verified by weights `material`, neutral to all */
    const OpeningBook *book; /* borrowed; opening n is fens[(n + book_start) % count] */
    int64_t book_start;
    const char *book_name; /* goes into the run's configuration */
    Adjudication adjudication;
    SprtSettings sprt; /* of two players */
    int threads;
    const Affinity *affinity; /* processors of the threads; NULL: any */
    bool stop_on_fault;       /* as GameSetup has it */
} GauntletSettings;

/* 1,000 games, random openings, no sequential test, seed 1, one thread. */
void gauntlet_defaults(GauntletSettings *settings);

typedef struct GauntletProgress {
    int64_t done, total, resumed; /* games; resumed: present before, counted in done */
    double seconds;
    Scoreboard
        board; /* whole pairs, resumed ones included; with a sequential test in index order */
    MatchScore score; /* of the first player against all others */
    MatchStats stats; /* of that score */
} GauntletProgress;

/* What a match tells, and to whom; each function may be NULL. */
typedef struct GauntletObserver {
    void *context;
    /* Called as in selfplay_run(); the board is valid during the call. */
    void (*progress)(void *context, const GauntletProgress *progress);
    /* Takes a finished game; a failure ends the run. Games come in the order of the schedule: as
     * they finish, but with a store all of them at the end, those from before included. */
    Status (*take_game)(void *context, const GauntletPlayer *players, const GameRecord *game,
                        Error *err);
    /* Hears of a game that a player has just lost through its own fault; game->note may say more.
     */
    void (*fault)(void *context, const GauntletPlayer *players, const GameRecord *game);
} GauntletObserver;

/* Plays the schedule (schedule.h). With a sequential test the match ends at the first decision,
 * judged after whole pairs in index order, so that the outcome does not depend on the number of
 * threads; later games that can be repeated are not kept.
 *
 * store may be NULL; otherwise games already there count and are not played again: the run is named
 * by seed, generation, players (programs by the hash of their file) and all that decides its games,
 * but not by its length or the sequential test, so that a match can be prolonged. Games that can be
 * repeated, of players in this process with one thread and no clock, are committed in index order,
 * others as they finish. A row of `gauntlets` holds the state and the result.
 *
 * result receives the last figures, also on failure; free it with gauntlet_progress_free(). */
MUST_CHECK Status gauntlet_run(Store *store, const GauntletPlayer *players, int player_count,
                               const GauntletSettings *settings, const GauntletObserver *observer,
                               const atomic_int *interrupted, GauntletProgress *result, Error *err);

void gauntlet_progress_free(GauntletProgress *progress);

#endif
