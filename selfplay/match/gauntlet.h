/* SPDX-License-Identifier: MIT
 * Matches between two or more sets of weights or engines: pairs of games from one opening with
 * colours reversed, on all cores. */
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
    EngineSetup engine;  /* of an in-process engine */
    const UciSetup *uci; /* not NULL: an external engine instead … */
    const char *id_name; /* … and its `id name`; or NULL */
    /* nodes_hard 0 with nodes_soft: 8 times that. With has_clock both colours' times are equal.
     * Timed games depend on the machine and cannot be repeated. */
    SearchLimits limits;
    int64_t margin_ms; /* its time may be exceeded by this */
} GauntletPlayer;

typedef struct GauntletSettings {
    uint64_t seed;
    int generation; /* of `tabia learn`, -1 outside */
    int64_t search; /* search_signature(): of in-process players and of random openings */
    const GauntletPlayer *players; /* [schedule.players], borrowed */
    Schedule schedule;             /* who meets whom in which games */
    int64_t games;                 /* of each pairing; even: pairs */
    OpeningSettings opening; /* with a book: random plies from its positions, or 0; verified with
                                weights `material` */
    const OpeningBook *book; /* borrowed; NULL: none */
    Adjudication adjudication;
    SprtSettings sprt; /* of two players */
    int threads;
    const Affinity *affinity; /* processors of the threads; NULL: any */
    RemoteWorkers *remote;    /* of processes that gauntlet_serve(); only for in-process players
                                 without clock; NULL: none */
    bool stop_on_fault;       /* as in GameSetup */
    bool searches;            /* games get GameRecord.search, except those of other processes */
    int64_t wait_ms;          /* pause of a worker before each game but its first */
} GauntletSettings;

/* 1,000 games of two players, random openings, no sequential test, seed 1, one thread. */
void gauntlet_defaults(GauntletSettings *settings);

typedef struct GauntletProgress {
    int64_t done, total, resumed; /* games; resumed: stored before, included in done */
    double seconds;
    Scoreboard board; /* finished pairs, resumed ones included; with SPRT in index order */
    MatchScore score; /* of the first player against all others */
    MatchStats stats; /* of that score */
    int64_t forfeits; /* of external engines, in all games done, also in those not on the board */
} GauntletProgress;

/* Callbacks of a match; each may be NULL. */
typedef struct GauntletObserver {
    void *context;
    /* Called as in selfplay_run(); the board is valid during the call. */
    void (*progress)(void *context, const GauntletProgress *progress);
    /* Receives each game when it is in the store, in the order of committing; without a store soon
     * after its end. First come those that were stored before, in the order of the schedule:
     * `resumed`. A failure ends the run. */
    Status (*take_game)(void *context, const GameRecord *game, bool resumed, Error *err);
    /* Called when a player has forfeited a game; game->note may hold the reason. */
    void (*fault)(void *context, const GameRecord *game);
    /* Called once for a pairing whose games repeat (scoreboard.h). */
    void (*repeats)(void *context, const PairingScore *pairing);
    /* Called before the first game when stored games were judged by another sequential test, or by
     * none: "sprt_elo1 30 instead of 200". */
    void (*test_changed)(void *context, const char *difference);
    /* Called after a pause of the process (system_pauses()): these games are played again. */
    void (*paused)(void *context, int games);
} GauntletObserver;

/* Plays the schedule (schedule.h). With a sequential test the match ends at the first decision. The
 * test is evaluated after whole pairs in index order, so that the outcome does not depend on the
 * number of threads; later repeatable games are dropped.
 *
 * store may be NULL. Otherwise stored games count and are not played again. The run is identified
 * by seed, generation, players (programs by the hash of their file) and everything that decides its
 * games, but not by its length or the sequential test, so that a match can be extended. Repeatable
 * games (in-process players, one thread, no clock) are committed in index order, others as they
 * finish. A row of `gauntlets` holds state and result.
 *
 * result receives the last figures, also on failure; free its board with scoreboard_free(). */
MUST_CHECK Status gauntlet_run(Store *store, const GauntletSettings *settings,
                               const GauntletObserver *observer, const atomic_int *interrupted,
                               GauntletProgress *result, Error *err);

/* The first player whose games are not a function of the settings, as those of in-process players
 * with one thread and without a clock are; NULL: there is none. */
const GauntletPlayer *gauntlet_unrepeatable(const GauntletSettings *settings);

/* On another process, with settings of the same identity: plays what gauntlet_run() requests on
 * rank 0, with settings->threads workers, until that ends. */
MUST_CHECK Status gauntlet_serve(const GauntletSettings *settings, const atomic_int *interrupted,
                                 Error *err);

#endif
