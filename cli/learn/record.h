/* SPDX-License-Identifier: MIT
 * The settings of `tabia learn` and the record of each generation; both are JSON in the table
 * `generations`. */
#ifndef TABIA_CLI_LEARN_RECORD_H
#define TABIA_CLI_LEARN_RECORD_H

#include "cli/output/fields.h"
#include "db/files/sha256.h"
#include "db/store/store.h"
#include "selfplay/match/gauntlet.h"
#include "selfplay/run/cluster.h"
#include "selfplay/run/selfplay.h"
#include "tuner/job/tune.h"
#include "tuner/network/train.h"

/* What something took, or clocks to subtract: seconds of wall clock, and processor seconds of all
 * threads of the process. */
typedef struct LearnCost {
    double wall, cpu;
} LearnCost;

/* For everything, over all processes of a run. */
typedef struct LearnBudget {
    double seconds; /* 0: no limit */
    bool cpu;       /* they are processor time */
} LearnBudget;

/* The default strength of the pull toward the best weights, also where `auto` has no hold-out. */
enum { LEARN_PRIOR = 1000 };

enum { LEARN_GENERATIONS_MAX = 9999 }; /* that can be set, and that a plan goes to */

typedef struct LearnSettings {
    /* These decide the weights; a run cannot be resumed with others. */
    uint64_t seed;
    int window;                /* the fit sees the games of this many latest generations */
    SelfplaySettings selfplay; /* games: of one generation; seed and generation are the loop's;
                                  exploration: of generation 2 */
    Exploration first;         /* of generation 1, whose weights may be zero */
    double random_decay;       /* factor on random moves for each generation from 3 on */
    double nodes_growth;       /* factor on the soft nodes of self-play for each generation from 2
                                  on, up to nodes_max if they begin below it */
    int64_t nodes_max;
    int mirror_until;   /* in fits of generations up to this, mirrored squares share a weight */
    int late_from;      /* in fits from this generation on (0: none) drawn games count, and … */
    double late_lambda; /* … this is lambda */
    int pool_last;      /* opponents in self-play: this many latest best weights; 0: itself */
    DatasetFilter filter;
    TuneSettings tune;
    TrainSettings network;                /* hidden 0: none */
    int network_from;                     /* the first generation that trains one … */
    int network_window;                   /* … with the games of this many latest generations */
    int64_t network_games, network_nodes; /* of such generations, instead of the others'; 0: as
                                             theirs. Their nodes do not grow */
    SearchLimits gauntlet_limits; /* of both players; openings and adjudication as in self-play */
    int64_t gauntlet_games;       /* at most, to accept a generation; even; 0: no match, and every
                                     generation is accepted */
    SprtSettings sprt;            /* of the same */
    int64_t final_games;          /* of each match at the end; even; 0: no such matches */
    /* These do not. */
    int generations; /* stop after this one; 0: no limit but the budget */
    LearnBudget budget;
    int threads;
    const Cluster *cluster; /* borrowed: of several processes, the others learn_serve(); or NULL */
} LearnSettings;

void learn_defaults(LearnSettings *settings);

/* The settings of the first group and the hash of generation 0's weights, as a flat JSON
 * object that json_difference() can compare; malloc'ed. */
MUST_CHECK Status learn_settings_json(const LearnSettings *settings, const char *from_hash,
                                      char **json, Error *err);

/* How far a generation has come. Stored by name. */
typedef enum LearnStage {
    LEARN_STARTED, /* its games are being played */
    LEARN_PLAYED,
    LEARN_FITTED, /* its weights are stored */
    LEARN_PROVED, /* accepted or not */
    LEARN_STAGES
} LearnStage;

extern const char *const learn_stage_names[];

typedef struct LearnGeneration {
    int generation; /* 0 is the start weights: nothing below is set */
    LearnStage stage;
    char parent[HASH_HEX_MAX]; /* the best weights before: they played the games, the fit began
                                  there */
    int64_t games, plies;      /* of its own self-play, so far */
    /* From LEARN_FITTED on */
    char weights[HASH_HEX_MAX];            /* its own */
    char dataset_digest[HASH_HEX_MAX];     /* of the window */
    int64_t window_games, positions;       /* in the fit, held-out ones included */
    double k, train_loss, validation_loss; /* squared errors; the last NAN without hold-out */
    int64_t iterations;
    SplitCounts split; /* of the hold-out; 0 in records of earlier versions */
    /* From LEARN_PROVED on */
    MatchScore match; /* against the parent */
    bool accepted;
    /* Spent after STARTED, PLAYED and FITTED; the last on final matches while this was the last
     * generation. */
    LearnCost cost[LEARN_STAGES];
    /* Of those final matches: how many began, and games of the one against `material`, which time
     * left over makes longer than the settings say. */
    int64_t final_matches, final_games;
    /* Of an accepted one, played at the end and not in its record: against generation 0; without
     * matches against parents, of the best alone, and all meet `material`. */
    MatchScore against_start, against_material;
} LearnGeneration;

/* *json is malloc'ed. */
MUST_CHECK Status learn_generation_json(const LearnGeneration *g, char **json, Error *err);
/* The inverse; generation and stage come from the row's other columns. STATUS_DATABASE when the row
 * is not one that learn_generation_json() wrote. Any store will do to read JSON with. */
MUST_CHECK Status learn_generation_read(LearnGeneration *g, Store *store, int generation,
                                        const char *stage, const char *json, Error *err);

/* What the stages took. */
extern const Field learn_time_fields[];
/* The fields of a fit, from LEARN_FITTED on. */
extern const Field learn_fit_hashes[];
extern const Field learn_fit_figures[];
extern const Field learn_split_fields[];

/* Without final matches. */
LearnCost learn_generation_cost(const LearnGeneration *g);

#endif
