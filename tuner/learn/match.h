/* SPDX-License-Identifier: MIT
 * A match of the loop, on all processes. */
#ifndef TABIA_TUNER_LEARN_MATCH_H
#define TABIA_TUNER_LEARN_MATCH_H

#include "tuner/learn/context.h"

/* Generation `generation` against named weights; games of earlier processes count. */
MUST_CHECK Status learn_match(Learn *l, int generation, const EvalWeights *weights,
                              const char *opponent, const EvalWeights *opponent_weights,
                              uint64_t seed, int64_t games, const SprtSettings *sprt,
                              GauntletProgress *result, Error *err);

#endif
