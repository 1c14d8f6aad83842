/* SPDX-License-Identifier: MIT
 * Where a long fit stands, in a file, so that it can be taken up again: a line that says which fit
 * it is, then the weights, a number a line, exactly. */
#ifndef TABIA_TUNER_FIT_CHECKPOINT_H
#define TABIA_TUNER_FIT_CHECKPOINT_H

#include <stdbool.h>

#include "engine/base/status.h"

enum { CHECKPOINT_IDENTITY_MAX = 512 };

/* Replaces the file as a whole. */
MUST_CHECK Status checkpoint_write(const char *path, const char *identity, const double *value,
                                   int dimensions, Error *err);

/* *found is false where there is no such file. STATUS_BAD_INPUT when it is that of another fit or
 * damaged; value[] is then not to be used. */
MUST_CHECK Status checkpoint_read(const char *path, const char *identity, double *value,
                                  int dimensions, bool *found, Error *err);

/* The fit is done. */
void checkpoint_remove(const char *path);

#endif
