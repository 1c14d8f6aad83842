/* SPDX-License-Identifier: MIT
 * The stages of a generation but the match (matches.h): each takes it to its next stage and stores
 * it. A stage that fails can be resumed. */
#ifndef TABIA_TUNER_LEARN_STAGES_H
#define TABIA_TUNER_LEARN_STAGES_H

#include "tuner/learn/context.h"

MUST_CHECK Status stage_play(Learn *l, LearnGeneration *g, Error *err);
MUST_CHECK Status stage_fit(Learn *l, LearnGeneration *g, Error *err);
/* Instead of a fit: a network. */
MUST_CHECK Status stage_train(Learn *l, LearnGeneration *g, Error *err);

#endif
