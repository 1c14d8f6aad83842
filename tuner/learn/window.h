/* SPDX-License-Identifier: MIT
 * The window of a generation: the games of latest generations that its fit or training uses. */
#ifndef TABIA_TUNER_LEARN_WINDOW_H
#define TABIA_TUNER_LEARN_WINDOW_H

#include "tuner/learn/context.h"

/* Reads its positions, and sets the generations of the filter. Ctrl-C ends it with
 * STATUS_INTERRUPTED. Destroy *data in any case. */
MUST_CHECK Status window_read(const Learn *l, int generation, DatasetFilter *filter, Dataset **data,
                              Error *err);

/* The share of its games that a fit or a training holds out: 0 if that is less than one game. */
double window_validation(const LearnSettings *settings, const Dataset *data);

enum { WINDOW_TEXT_MAX = 128 };
/* Names its games, for the weights' comment. */
void window_text(const Learn *l, int generation, char out[WINDOW_TEXT_MAX]);

#endif
