/* SPDX-License-Identifier: MIT
 * The directory of a `tabia learn` run: its lock, its database, and headers of weights. */
#ifndef TABIA_CLI_LEARN_HOME_H
#define TABIA_CLI_LEARN_HOME_H

#include "db/store/connection.h"
#include "engine/eval/weights.h"

typedef struct LearnHome {
    const char *dir; /* borrowed */
    int lock;        /* file descriptor, -1: not held */
    Store *store;
} LearnHome;

/* Makes missing parts and takes the lock, which ends with the process. STATUS_FAILED when another
 * process holds it. Close in any case. */
MUST_CHECK Status learn_home_open(LearnHome *home, const char *dir, Error *err);
void learn_home_close(LearnHome *home);

/* Writes stored weights with their comment to DIR/file, atomically. */
MUST_CHECK Status learn_home_publish(LearnHome *home, const char *hash, const char *file,
                                     Error *err);
/* The same to DIR/weights/gen-NNN.h. */
MUST_CHECK Status learn_home_publish_generation(LearnHome *home, const char *hash, int generation,
                                                Error *err);

#endif
