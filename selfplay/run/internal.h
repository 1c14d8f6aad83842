/* SPDX-License-Identifier: MIT
 * What the files of self-play share. */
#ifndef TABIA_SELFPLAY_RUN_INTERNAL_H
#define TABIA_SELFPLAY_RUN_INTERNAL_H

#include "db/store/connection.h"
#include "selfplay/run/selfplay.h"

/* The number, as games and table `players` have it, of a member of the pool: 0 when it is the
 * weights in question themselves, else its place from 1. */
int selfplay_number(const SelfplaySettings *settings, const EvalWeights *weights, int member);

/* Finds the run or makes it, with its weights and players; errors as of selfplay_run(). */
MUST_CHECK Status selfplay_open_run(Store *store, const EvalWeights *weights, const char *label,
                                    const SelfplaySettings *settings, int64_t *run_id, Error *err);

#endif
