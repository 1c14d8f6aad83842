/* SPDX-License-Identifier: MIT
 * The state of a long fit in a file, to resume it: a line that identifies the fit, then the exact
 * numbers of the state, one a line, then the FNV-1a sum of these lines. */
#ifndef TABIA_TUNER_FIT_CHECKPOINT_H
#define TABIA_TUNER_FIT_CHECKPOINT_H

#include <stdbool.h>

#include "engine/base/status.h"

enum { CHECKPOINT_IDENTITY_MAX = 1024 };

/* Replaces the file as a whole. */
MUST_CHECK Status checkpoint_write(const char *path, const char *identity, const double *number,
                                   int count, Error *err);

/* *found is false if there is no such file. STATUS_USAGE if it belongs to another fit,
 * STATUS_BAD_INPUT if to another version, or it is damaged; number[] is then undefined. */
MUST_CHECK Status checkpoint_read(const char *path, const char *identity, double *number, int count,
                                  bool *found, Error *err);

#endif
