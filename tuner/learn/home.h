/* SPDX-License-Identifier: MIT
 * The directory of a `tabia learn` run: its lock, its database and its files of weights. */
#ifndef TABIA_TUNER_LEARN_HOME_H
#define TABIA_TUNER_LEARN_HOME_H

#include <stdatomic.h>

#include "db/store/store.h"

typedef struct LearnHome {
    const char *dir; /* borrowed */
    int lock;        /* file descriptor, -1: not held */
    Store *store;
} LearnHome;

/* Makes missing parts of the directory, opens the database and takes the lock, which ends with the
 * process. STATUS_FAILED when another process holds it. Close in any case. */
MUST_CHECK Status learn_home_open(LearnHome *home, const char *dir, const atomic_int *interrupted,
                                  Error *err);
void learn_home_close(LearnHome *home);

/* Writes stored weights with their comment to DIR/name.h, a network to DIR/name.net, atomically; a
 * header whose text is there already is not written again. */
MUST_CHECK Status learn_publish(const LearnHome *home, const char *hash, const char *name,
                                Error *err);
/* The same to DIR/weights/gen-NNN. */
MUST_CHECK Status learn_publish_generation(const LearnHome *home, const char *hash, int generation,
                                           Error *err);

#endif
