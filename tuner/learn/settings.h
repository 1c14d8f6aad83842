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

/* STATUS_USAGE for impossible numbers, and for matches that would repeat games. */
MUST_CHECK Status learn_check_settings(const LearnSettings *settings, Error *err);

/* Are there openings for a match of this many games? */
bool learn_has_openings(const LearnSettings *settings, int64_t games);

#endif
