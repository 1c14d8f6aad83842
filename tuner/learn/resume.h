/* SPDX-License-Identifier: MIT
 * Beginning a run of `tabia learn`, or reading one from its database. */
#ifndef TABIA_TUNER_LEARN_RESUME_H
#define TABIA_TUNER_LEARN_RESUME_H

#include "tuner/learn/context.h"

/* Reads the generations of the store into the report; *last is -1 when it has none. They must be of
 * the same settings, which come as JSON, malloc'ed also after a failure. */
MUST_CHECK Status learn_load(Learn *l, char **settings, int *last, Error *err);

/* The same, or begins the run; then writes all files of weights. */
MUST_CHECK Status learn_begin_or_resume(Learn *l, Error *err);

#endif
