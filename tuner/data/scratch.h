/* SPDX-License-Identifier: MIT
 * Memory for great arrays: the heap's, or that of files in a folder, which the system keeps in
 * memory as far as there is room. The files have no names: they vanish with the process. */
#ifndef TABIA_TUNER_DATA_SCRATCH_H
#define TABIA_TUNER_DATA_SCRATCH_H

#include <stddef.h>

#include "engine/base/status.h"

/* Can files be made there? STATUS_FAILED with a sentence when not. */
MUST_CHECK Status scratch_check(const char *dir, Error *err);

/* As realloc(), which it is when dir is NULL; memory that it gives is handed back to it with the
 * same dir, which is borrowed by each call alone. Aligned for any type. NULL when there is no room;
 * the old block is then as it was. */
void *scratch_resize(const char *dir, void *block, size_t bytes);
/* STATUS_FAILED, and why scratch_resize() gave NULL, by errno as it left it: the folder and its
 * cause, or memory. `what` was to be held: "the positions". */
Status scratch_error(const char *dir, const char *what, Error *err);
void scratch_free(const char *dir, void *block); /* NULL-safe */

#endif
