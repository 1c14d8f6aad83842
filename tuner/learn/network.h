/* SPDX-License-Identifier: MIT
 * The stage of later generations that trains a network where others have a fit. */
#ifndef TABIA_TUNER_LEARN_NETWORK_H
#define TABIA_TUNER_LEARN_NETWORK_H

#include "tuner/learn/context.h"

/* As stage_fit(). */
MUST_CHECK Status stage_train(Learn *l, LearnGeneration *g, Error *err);

#endif
