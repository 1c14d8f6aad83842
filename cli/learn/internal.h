/* SPDX-License-Identifier: MIT
 * What the loop of `tabia learn` and its stages share. */
#ifndef TABIA_CLI_LEARN_INTERNAL_H
#define TABIA_CLI_LEARN_INTERNAL_H

#include "cli/learn/learn.h"
#include "selfplay/run/pool.h"
#include "selfplay/run/remote_workers.h"

typedef struct Learn {
    const LearnStart *from;
    const LearnSettings *settings;
    const atomic_int *interrupted; /* by the user */
    LearnProgressFn progress;
    void *context;
    LearnReport *report;

    /* The directory of the run, its lock and its database. */
    const char *dir;
    int lock; /* file descriptor, -1: not held */
    Store *store;

    char start_hash[HASH_HEX_MAX];
    char best_hash[HASH_HEX_MAX];
    EvalWeights best;

    /* The budget: spent by earlier processes, the clocks at the start of this one and when a stage
     * was charged last, and what may be spent until the work in progress is cut off, seconds in its
     * unit. */
    LearnCost earlier, started, charged;
    double limit;
    atomic_int stop; /* ends the stage: the user interrupted it, or the limit is passed … */
    bool cut;        /* … namely the latter */

    RemoteWorkers remote; /* workers of other processes */

    /* Of the match being played, for its events. */
    int match_generation;
    const char *match_opponent;
} Learn;

/* STATUS_USAGE for impossible numbers, and for matches that would repeat games. */
MUST_CHECK Status learn_check_settings(const LearnSettings *settings, Error *err);

/* Are there openings for a match of this many games? */
bool learn_has_openings(const LearnSettings *settings, int64_t games);

/* Reads the generations of l->store into the report; *last is -1 when it has none. They must be of
 * the same settings, which come as JSON, malloc'ed also after a failure. */
MUST_CHECK Status learn_load(Learn *l, char **settings, int *last, Error *err);

/* Makes missing parts of the directory and takes the lock, which ends with the process.
 * STATUS_FAILED when another process holds it. Close in any case. */
MUST_CHECK Status learn_home_open(Learn *l, Error *err);
void learn_home_close(Learn *l);

/* Writes stored weights with their comment to DIR/name.h, a network to DIR/name.net, atomically. */
MUST_CHECK Status learn_publish(Learn *l, const char *hash, const char *name, Error *err);
/* The same to DIR/weights/gen-NNN. */
MUST_CHECK Status learn_publish_generation(Learn *l, const char *hash, int generation, Error *err);

/* ---- The budget */

/* This much of what is left of it, at most, is kept for the final matches. */
extern const double learn_final_share;

/* Of all processes; NULL: of this one. */
LearnCost learn_clock(const RemoteWorkers *remote);
/* Adds what was spent since the last charge. */
void learn_charge(Learn *l, LearnCost *sum);
void learn_sum_costs(const LearnReport *report, LearnCost *generations, LearnCost *finals);

/* What follows ends when the budget is spent, less what the final matches will cost (at most a
 * tenth of what earlier processes left); or when all of it is. */
void learn_limit_generations(Learn *l);
void learn_limit_all(Learn *l);
bool learn_time_is_over(const Learn *l);
/* By which self-play of `generation` is dearer than that of `from`, since nodes grow. */
double learn_play_factor(const LearnSettings *settings, int from, int generation);
/* Would another generation probably end before the limit? */
bool learn_fits_another(const Learn *l);

/* For every event of a stage: passes it on, and stops the stage when it is time. */
void learn_emit(Learn *l, LearnEvent *event);
/* STATUS_OK instead of STATUS_INTERRUPTED if the limit, not the user, ended the stage. */
MUST_CHECK Status learn_forgive_cut(Learn *l, Status status, Error *err);

/* ---- Stages */

/* A seed is derived for each of these. */
typedef enum SeedPurpose { SEED_SELFPLAY, SEED_TUNE, SEED_GAUNTLET, SEED_FINAL } SeedPurpose;

uint64_t learn_derive_seed(uint64_t seed, SeedPurpose purpose, int generation);

/* Stores the record of a generation: in its row, with the best weights as they are now, or in the
 * row of its fit. */
MUST_CHECK Status learn_put_record(Learn *l, const LearnGeneration *g, bool as_fit, Error *err);

/* Ends a stage: adds its cost, also of an interrupted one, and stores the row; after success the
 * generation is at `stage`. */
MUST_CHECK Status learn_end_stage(Learn *l, LearnGeneration *g, LearnStage stage, Status status,
                                  Error *err);

/* The seed of all fits, so that a held-out game stays held out. */
uint64_t learn_fit_seed(const LearnSettings *settings);

/* The share of the games that a fit or a training holds out: 0 if that is less than one game. */
double learn_validation(const LearnSettings *settings, const Dataset *data);

/* Reads the positions of a generation's window, to which it sets the filter. Ctrl-C ends it with
 * STATUS_INTERRUPTED. Destroy *data in any case. */
MUST_CHECK Status learn_read_games(Learn *l, const LearnGeneration *g, DatasetFilter *filter,
                                   Dataset **data, Error *err);

/* Names the games of that window, for the weights' comment. */
enum { LEARN_SOURCE_MAX = 128 };
void learn_source(const Learn *l, int generation, char out[LEARN_SOURCE_MAX]);

/* Stores a generation's weights, its fit if it has one, and its stage, LEARN_FITTED, in one
 * transaction. */
MUST_CHECK Status learn_store_weights(Learn *l, LearnGeneration *g, const EvalWeights *weights,
                                      const char *comment, Error *err);

/* Soft nodes of a move in a generation's self-play; 0: no limit of nodes. */
uint64_t learn_nodes(const LearnSettings *settings, int generation);
/* Games of its self-play. */
int64_t learn_games(const LearnSettings *settings, int generation);

/* The stages: each takes the generation to its next stage and stores it. A stage that fails can be
 * resumed. */
MUST_CHECK Status learn_play(Learn *l, LearnGeneration *g, Error *err);
MUST_CHECK Status learn_fit(Learn *l, LearnGeneration *g, Error *err);
MUST_CHECK Status learn_prove(Learn *l, LearnGeneration *g, Error *err);

/* Instead of the fit: trains a network. */
MUST_CHECK Status learn_train(Learn *l, LearnGeneration *g, Error *err);
bool learn_trains(const LearnSettings *settings, int generation);

/* A match of generation `generation` against named weights; games of earlier processes count. */
MUST_CHECK Status learn_match(Learn *l, int generation, const EvalWeights *weights,
                              const char *opponent, const EvalWeights *opponent_weights,
                              uint64_t seed, int64_t games, const SprtSettings *sprt,
                              GauntletProgress *result, Error *err);

/* The final matches: the best against `material`, every accepted generation against the start; they
 * end with the budget. Time that is left makes the first one longer. */
MUST_CHECK Status learn_measure_gain(Learn *l, Error *err);

/* ---- Several processes (serve.c) */

/* The settings of one generation's self-play. Random moves make the imbalances and the decided
 * games from which the values of pieces are learned. */
SelfplaySettings learn_selfplay_settings(const LearnSettings *settings, int generation);

/* Those of a match, and of its players, whose weights and names are set. */
void learn_match_settings(const LearnSettings *settings, int generation, uint64_t seed,
                          GauntletSettings *match, GauntletPlayer players[2]);

/* What rank 0 tells the other processes to do. */
typedef struct LearnOrder {
    enum { ORDER_END, ORDER_PLAY, ORDER_MATCH } kind;
    int generation;
    uint64_t seed;                 /* of a match */
    EvalWeights weights, opponent; /* opponent: of a match; they are sent apart */
} LearnOrder;

/* Sends it, with the pool of self-play; with one process nothing happens. */
MUST_CHECK Status learn_give_order(const Learn *l, const LearnOrder *order, Pool *pool, Error *err);

#endif
