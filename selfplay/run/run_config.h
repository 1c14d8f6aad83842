/* SPDX-License-Identifier: MIT
 * What decides a run's games, as one flat JSON object in a fixed order: the run's identity. */
#ifndef TABIA_SELFPLAY_RUN_RUN_CONFIG_H
#define TABIA_SELFPLAY_RUN_RUN_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "selfplay/game/game.h"
#include "selfplay/openings/opening.h"

/* Writes {"key":value,…}; also used for results. */
typedef struct RunConfig {
    FILE *out;
    char *text; /* by open_memstream */
    size_t length;
} RunConfig;

MUST_CHECK Status run_config_begin(RunConfig *config, Error *err);
void run_config_int(RunConfig *config, const char *key, int64_t value);
void run_config_double(RunConfig *config, const char *key, double value); /* not finite: null */
void run_config_string(RunConfig *config, const char *key, const char *value);
void run_config_ints(RunConfig *config, const char *key, const int64_t *values, int count);
/* An array of JSON values, as they stand. */
void run_config_values(RunConfig *config, const char *key, char *const *values, int count);
/* Closes the object; *text is malloc'ed and the caller's. */
MUST_CHECK Status run_config_end(RunConfig *config, char **text, Error *err);

/* The groups that self-play and gauntlets share; `prefix` comes before each key. */
void run_config_limits(RunConfig *config, const char *prefix, const SearchLimits *limits,
                       size_t hash_bytes);
void run_config_opening(RunConfig *config, const OpeningSettings *opening);
void run_config_book(RunConfig *config, const OpeningBook *book, const char *name, int64_t start);
void run_config_adjudication(RunConfig *config, const Adjudication *adjudication);
void run_config_exploration(RunConfig *config, const Exploration *exploration);

/* What run_config_limits() wrote of times, depth and nodes, with no prefix; false when there is
 * nothing of the kind in a configuration. */
bool run_config_read_limits(const char *config, SearchLimits *limits);

/* The first entry in which two configurations differ, as "nodes_soft 5000 instead of 1000" (now
 * instead of then); false when there is none. */
bool run_config_difference(const char *then, const char *now, char *text, size_t size);

#endif
