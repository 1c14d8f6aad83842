/* SPDX-License-Identifier: MIT
 * The settings of `tabia learn`, which are JSON in row 0 of the table `generations`. */
#ifndef TABIA_TUNER_LEARN_SETTINGS_H
#define TABIA_TUNER_LEARN_SETTINGS_H

#include "selfplay/match/gauntlet.h"
#include "selfplay/run/cluster.h"
#include "selfplay/run/selfplay.h"
#include "tuner/job/tune.h"
#include "tuner/network/train.h"

/* For everything, over all processes of a run. */
typedef struct LearnBudget {
    double seconds; /* 0: no limit */
    bool cpu;       /* they are processor time */
} LearnBudget;

/* The default strength of the pull toward the best weights, also where `auto` has no hold-out. */
enum { LEARN_PRIOR = 1000 };

enum { LEARN_GENERATIONS_MAX = 9999 }; /* that can be set, and that a plan goes to */

/* From generation `from` on generations are longer and read more. */
typedef struct LearnPhase {
    int from, window;     /* window 0: as before */
    int64_t games, nodes; /* 0: as before */
    double nodes_growth;  /* factor on `nodes` for each generation after `from`; 0, 1: none */
    double random_move;   /* 0: as before */
} LearnPhase;

/* What each is, is said by its row. */
typedef struct LearnSettings {
    /* These decide the weights; a run cannot be resumed with others. */
    uint64_t seed;
    int window;
    SelfplaySettings selfplay; /* seed and generation are the loop's; exploration: of generation
                                  2 */
    Exploration first;         /* of generation 1, whose weights may be zero */
    double random_decay, nodes_growth;
    int64_t nodes_max;
    int mirror_until, late_from;
    double late_lambda;
    int pool_last; /* 0: the opponent is itself */
    DatasetFilter filter;
    TuneSettings tune;
    TrainSettings network;
    LearnPhase king_phase, network_phase; /* king_phase.from 0: there is none */
    bool network_continues;
    int network_late, network_late_from, network_late_epochs, network_late_window;
    SearchLimits gauntlet_limits; /* of both players; openings and adjudication as in self-play */
    int64_t gauntlet_games;
    SprtSettings sprt;
    int64_t final_games, strength_games;
    /* These do not. */
    int generations; /* 0: no limit but the budget */
    LearnBudget budget;
    int threads;
    const Cluster *cluster; /* borrowed: of several processes, the others learn_serve(); or NULL */
} LearnSettings;

extern const Setting learn_settings[];

void learn_defaults(LearnSettings *settings);

/* The settings of the first group and the hash of generation 0's weights, as a flat JSON
 * object that json_difference() can compare; malloc'ed. */
MUST_CHECK Status learn_settings_json(const LearnSettings *settings, const char *from_hash,
                                      char **json, Error *err);

/* The inverse; what is not in the JSON gets its default. STATUS_BAD_INPUT for JSON of another kind.
 * Any store will do to read it with. */
MUST_CHECK Status learn_settings_read(LearnSettings *settings, Store *store, const char *json,
                                      char from_hash[HASH_HEX_MAX], Error *err);

/* STATUS_USAGE for impossible numbers, and for matches that would repeat games. */
MUST_CHECK Status learn_check_settings(const LearnSettings *settings, Error *err);

/* Are there openings for a match of this many games? */
bool learn_has_openings(const LearnSettings *settings, int64_t games);

#endif
