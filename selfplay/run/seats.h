/* SPDX-License-Identifier: MIT
 * Games of a run that other processes play. What carries index and game between the processes is
 * the caller's (cli/cluster). */
#ifndef TABIA_SELFPLAY_RUN_SEATS_H
#define TABIA_SELFPLAY_RUN_SEATS_H

#include <stdatomic.h>

#include "db/store/game_record.h"
#include "engine/base/status.h"

/* Seats are workers of other processes, as the process with the store sees them: a thread here
 * waits for each. */
typedef struct Seats {
    void *context;
    int count;
    /* Has a seat play game `index`: the same as RunnerJob.play. *cpu: the CPU seconds that it took
     * there. Called by one thread a seat. */
    Status (*play)(void *context, int seat, int64_t index, GameRecord *game, double *cpu,
                   Error *err);
} Seats;

/* Orders are what a process that serves gets from there. */
typedef struct Orders {
    void *context;
    /* The next game for worker number `worker`, from 0; -1: there is no more. */
    int64_t (*next)(void *context, int worker);
    /* Its game, or why there is none. */
    void (*answer)(void *context, int worker, const GameRecord *game, double cpu,
                   const Error *error);
} Orders;

#endif
