/* SPDX-License-Identifier: MIT
 * Which processors the workers of a run may use (Linux only): what a worker starts, threads and
 * engines alike, stays on its processors. */
#ifndef TABIA_SELFPLAY_RUN_AFFINITY_H
#define TABIA_SELFPLAY_RUN_AFFINITY_H

#include <stdbool.h>

#include "engine/base/status.h"

enum { AFFINITY_CPUS_MAX = 1024 };

typedef struct Affinity {
    int width; /* processors for each worker; 0: bind nobody */
    int count;
    int cpus[AFFINITY_CPUS_MAX]; /* [count], handed out in this order */
} Affinity;

/* "all" the processors that this process may use, or some of them as numbers and ranges:
 * "0-3,8,10-11". STATUS_USAGE when it says anything else, or the system cannot do it. */
MUST_CHECK Status affinity_parse(const char *text, Affinity *affinity, Error *err);

/* Binds the calling thread to the processors of worker `number`, from 0; the numbers beyond begin
 * again with the first. */
void affinity_bind(const Affinity *affinity, int number);

/* Lets the calling thread use all of them again. */
void affinity_release(const Affinity *affinity);

#endif
