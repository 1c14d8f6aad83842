/* SPDX-License-Identifier: MIT
 * The matches at the end of `tabia learn`: how much was gained. */
#ifndef TABIA_TUNER_LEARN_FINALS_H
#define TABIA_TUNER_LEARN_FINALS_H

#include "tuner/learn/context.h"

/* The best against `material`, every accepted generation against the start; they end with the
 * budget. Time that is left makes the first one longer. */
MUST_CHECK Status finals_play(Learn *l, Error *err);

#endif
