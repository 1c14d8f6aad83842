/* SPDX-License-Identifier: MIT
 * The record of a generation of `tabia learn`, which is JSON in its row of the table `generations`.
 */
#ifndef TABIA_TUNER_LEARN_GENERATION_H
#define TABIA_TUNER_LEARN_GENERATION_H

#include "db/files/sha256.h"
#include "db/store/store.h"
#include "engine/eval/evaluation.h"
#include "engine/values/field.h"
#include "selfplay/match/stats.h"
#include "tuner/data/split.h"

/* What generation 0 is. */
typedef struct LearnStart {
    const Evaluation *weights;
    const char *label;   /* "zero", "builtin", a file's name */
    const char *comment; /* its provenance, or "" */
} LearnStart;

/* What something took, or clocks to subtract: seconds of wall clock, and processor seconds of all
 * threads of the process. */
typedef struct LearnCost {
    double wall, cpu;
} LearnCost;

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
    MatchScore strength; /* of this process, not in the record: against generation `anchor` */
    int anchor;
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

void learn_cost_add(LearnCost *sum, LearnCost more);

/* Without final matches. */
LearnCost learn_generation_cost(const LearnGeneration *g);

#endif
