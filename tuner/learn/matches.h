/* SPDX-License-Identifier: MIT
 * The matches of `tabia learn`, on all processes: of each generation, and at the end. */
#ifndef TABIA_TUNER_LEARN_MATCHES_H
#define TABIA_TUNER_LEARN_MATCHES_H

#include "tuner/learn/context.h"

/* The last stage of a generation: is it better than the best? */
MUST_CHECK Status stage_prove(Learn *l, LearnGeneration *g, Error *err);

/* How much was gained: the best against `material`, every accepted generation against the start;
 * they end with the budget. Time that is left makes the first one longer. */
MUST_CHECK Status finals_play(Learn *l, Error *err);

#endif
