/* SPDX-License-Identifier: MIT
 * Shared by selfplay.c and selfplay_record.c. */
#ifndef TABIA_SELFPLAY_RUN_INTERNAL_H
#define TABIA_SELFPLAY_RUN_INTERNAL_H

#include "db/store/connection.h"
#include "selfplay/run/selfplay.h"

/* The player number of a pool member in games and table `players`: 0 when its weights equal
 * `weights`, else its place in the pool from 1. */
int selfplay_number(const SelfplaySettings *settings, const EvalWeights *weights, int member);

/* Finds the run or creates it with its weights and players; errors as of selfplay_run(). */
MUST_CHECK Status selfplay_open_run(Store *store, const EvalWeights *weights, const char *label,
                                    const SelfplaySettings *settings, int64_t *run_id, Error *err);

#endif
