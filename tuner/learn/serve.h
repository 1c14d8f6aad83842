/* SPDX-License-Identifier: MIT
 * `tabia learn` as several processes: rank 0 has the directory, fits and decides; the others play
 * for it. */
#ifndef TABIA_TUNER_LEARN_SERVE_H
#define TABIA_TUNER_LEARN_SERVE_H

#include <stdatomic.h>

#include "selfplay/run/pool.h"
#include "tuner/learn/settings.h"

/* What rank 0 requests of the other processes. */
typedef struct LearnRequest {
    enum { REQUEST_END, REQUEST_SELFPLAY, REQUEST_MATCH } kind;
    int generation;
    uint64_t seed;                 /* of a match */
    EvalWeights weights, opponent; /* opponent: of a match; they are sent apart */
} LearnRequest;

/* On rank 0: sends it, with the pool of self-play (NULL for other requests); with one process
 * nothing happens. A run with their remote workers must follow, which ends it. */
MUST_CHECK Status learn_request(const LearnSettings *settings, const LearnRequest *request,
                                Pool *pool, Error *err);

/* On the other processes of settings->cluster, with the same settings: plays for rank 0, which
 * calls learn_run(), until that ends. */
MUST_CHECK Status learn_serve(const LearnSettings *settings, const atomic_int *interrupted,
                              Error *err);

#endif
