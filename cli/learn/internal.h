/* SPDX-License-Identifier: MIT
 * What the loop of `tabia learn` and its stages share. */
#ifndef TABIA_CLI_LEARN_INTERNAL_H
#define TABIA_CLI_LEARN_INTERNAL_H

#include "cli/learn/learn.h"

typedef struct Learn {
    const LearnStart *from;
    const LearnSettings *settings;
    const atomic_int *interrupted;
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

    /* Of the match being played, for its events. */
    int match_generation;
    const char *match_opponent;
} Learn;

/* Makes missing parts of the directory and takes the lock, which ends with the process.
 * STATUS_FAILED when another process holds it. Close in any case. */
MUST_CHECK Status learn_home_open(Learn *l, Error *err);
void learn_home_close(Learn *l);

/* Writes stored weights with their comment to DIR/file, atomically. */
MUST_CHECK Status learn_publish(Learn *l, const char *hash, const char *file, Error *err);
/* The same to DIR/weights/gen-NNN.h. */
MUST_CHECK Status learn_publish_generation(Learn *l, const char *hash, int generation, Error *err);

/* A seed is derived for each of these. */
typedef enum SeedPurpose { SEED_SELFPLAY, SEED_TUNE, SEED_GAUNTLET, SEED_FINAL } SeedPurpose;

uint64_t learn_derive_seed(uint64_t seed, SeedPurpose purpose, int generation);

/* Stores the record of a generation: in its row, with the best weights as they are now, or in the
 * row of its fit. */
MUST_CHECK Status learn_put_record(Learn *l, const LearnGeneration *g, bool as_fit, Error *err);

/* The stages: each takes the generation to its next stage and stores it. A stage that fails can be
 * resumed. */
MUST_CHECK Status learn_play(Learn *l, LearnGeneration *g, Error *err);
MUST_CHECK Status learn_fit(Learn *l, LearnGeneration *g, Error *err);
MUST_CHECK Status learn_prove(Learn *l, LearnGeneration *g, Error *err);

/* A match of generation `generation` against named weights; games of earlier processes count. */
MUST_CHECK Status learn_match(Learn *l, int generation, const EvalWeights *weights,
                              const char *opponent, const EvalWeights *opponent_weights,
                              uint64_t seed, int64_t games, const SprtSettings *sprt,
                              GauntletProgress *result, Error *err);

#endif
