/* SPDX-License-Identifier: MIT
 * Items in three stages: read in order, processed by threads, written in order. So the result is
 * that of one thread. While a batch of items is processed, the calling thread writes the one before
 * it and reads the one after it, and then helps. Threads that wait sleep. */
#ifndef TABIA_DB_FILES_PIPELINE_H
#define TABIA_DB_FILES_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/status.h"

typedef struct Pipeline {
    size_t size; /* of an item, which is zeroed before its first use, and used again and again */
    int batch;   /* items of a batch; three batches are held at a time */
    /* Fills an item; *found is false at the end. By the calling thread, as `write` and `after` are:
     * they may use one store. */
    Status (*read)(void *context, void *item, bool *found, Error *err);
    /* Processes an item, by any thread. */
    Status (*work)(void *context, void *item, Error *err);
    /* Takes its results, unless `work` failed: that error ends the run then. */
    Status (*write)(void *context, void *item, Error *err);
    /* After each batch; or NULL. */
    Status (*after)(void *context, Error *err);
    /* Frees what an item owns. */
    void (*release)(void *item);
} Pipeline;

/* Ends at the first error. An error of `read` is returned after the items before are written. */
MUST_CHECK Status pipeline_run(const Pipeline *pipeline, void *context, int threads, Error *err);

#endif
