/* SPDX-License-Identifier: MIT
 * Batches of items in three stages: read in order, processed by threads, written in order. So the
 * result is that of one thread. While a batch is processed, the calling thread writes the one
 * before it and reads the one after it, and then helps. Threads that wait sleep. */
#ifndef TABIA_DB_FILES_PIPELINE_H
#define TABIA_DB_FILES_PIPELINE_H

#include "engine/base/status.h"

enum { PIPELINE_SLOTS = 3 }; /* batches that are held at a time */

typedef struct Pipeline {
    /* Fills a slot; *items: of the batch, 0 at the end. By the calling thread, as `write` is: both
     * may use one store. */
    Status (*read)(void *context, int slot, int *items, Error *err);
    /* Processes an item of a slot, by any thread. Keeps errors for `write`. */
    void (*work)(void *context, int slot, int item);
    /* Takes the results of a slot. */
    Status (*write)(void *context, int slot, Error *err);
} Pipeline;

/* Ends at the first error. An error of `read` is returned after the batches before are written. */
MUST_CHECK Status pipeline_run(const Pipeline *pipeline, void *context, int threads, Error *err);

#endif
