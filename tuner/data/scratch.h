/* SPDX-License-Identifier: MIT
 * Memory for large arrays: the heap, or mapped files in a folder, which the system keeps in memory
 * as far as there is room. The files are unlinked, so they end with the process. */
#ifndef TABIA_TUNER_DATA_SCRATCH_H
#define TABIA_TUNER_DATA_SCRATCH_H

#include <stddef.h>

#include "engine/base/status.h"

/* STATUS_FAILED if files cannot be created in the folder, STATUS_USAGE for "". */
MUST_CHECK Status scratch_check(const char *dir, Error *err);

/* As realloc(), and realloc() itself if dir is NULL. Pass the same dir for a block each time; it is
 * borrowed during the call only. Aligned for any type. NULL if there is no room; the old block is
 * then unchanged. */
void *scratch_resize(const char *dir, void *block, size_t bytes);
/* STATUS_FAILED with the reason why scratch_resize() returned NULL, from the errno that it set.
 * `what` names the contents: "the positions". */
Status scratch_error(const char *dir, const char *what, Error *err);
void scratch_free(const char *dir, void *block); /* NULL-safe */

#endif
