/* SPDX-License-Identifier: MIT
 * Binding workers to processors (Linux only). Threads and engines that a worker starts inherit its
 * processors. */
#ifndef TABIA_SELFPLAY_RUN_AFFINITY_H
#define TABIA_SELFPLAY_RUN_AFFINITY_H

#include "engine/base/status.h"

enum { AFFINITY_CPUS_MAX = 1024 };

typedef struct Affinity {
    int width; /* processors for each worker; 0: no binding */
    int count;
    int cpus[AFFINITY_CPUS_MAX]; /* [count], assigned in this order */
} Affinity;

/* "all": the processors that this process may use; or numbers and ranges of them, "0-3,8,10-11".
 * STATUS_USAGE for anything else, and on systems without affinity. */
MUST_CHECK Status affinity_parse(const char *text, Affinity *affinity, Error *err);

/* Binds the calling thread to the processors of worker `number`, from 0; beyond the last processor
 * the list begins again. */
void affinity_bind(const Affinity *affinity, int number);

/* Lets the calling thread use all of them again. */
void affinity_release(const Affinity *affinity);

#endif
