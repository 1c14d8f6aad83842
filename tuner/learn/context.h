/* SPDX-License-Identifier: MIT
 * A run of `tabia learn` in progress, which its stages share: its beginning, the storing of its
 * generations, and reading them again. */
#ifndef TABIA_TUNER_LEARN_CONTEXT_H
#define TABIA_TUNER_LEARN_CONTEXT_H

#include "tuner/learn/budget.h"
#include "tuner/learn/home.h"

typedef struct Learn {
    const LearnStart *from;
    const LearnSettings *settings;
    LearnProgressFn progress;
    void *context;
    LearnReport *report;

    LearnHome home;
    BudgetClock clock;
    RemoteWorkers remote;

    char start_hash[HASH_HEX_MAX];
    char best_hash[HASH_HEX_MAX];
    Evaluation best;
    bool linked; /* the store: DatasetFilter.linked */
} Learn;

enum { GENERATION_NAME_MAX = 32 };
/* "gen-002" */
void learn_generation_name(int generation, char out[GENERATION_NAME_MAX]);

/* For every event of a stage: passes it on, and stops the stage when it is time. */
void learn_emit(Learn *l, LearnEvent *event);

/* Stores the record of a generation, with the best weights as they are now. */
MUST_CHECK Status learn_put_record(Learn *l, const LearnGeneration *g, Error *err);

/* Ends a stage: adds its cost, also of an interrupted one, and stores the row; after success the
 * generation is at `stage`. */
MUST_CHECK Status learn_end_stage(Learn *l, LearnGeneration *g, LearnStage stage, Status status,
                                  Error *err);

/* Stores a generation's weights, its fit if it has one, and its stage, LEARN_FITTED, in one
 * transaction. */
MUST_CHECK Status learn_store_weights(Learn *l, LearnGeneration *g, const Evaluation *weights,
                                      const char *comment, Error *err);

/* Reads the generations of the store into the report; *last is -1 when it has none. They must be of
 * the same settings, which come as JSON, malloc'ed also after a failure. */
MUST_CHECK Status learn_load(Learn *l, char **settings, int *last, Error *err);

/* The same, or begins the run; then writes all files of weights. */
MUST_CHECK Status learn_begin_or_resume(Learn *l, Error *err);

#endif
