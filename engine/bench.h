/* SPDX-License-Identifier: MIT
 * The signature bench: a fixed set of positions searched to a fixed depth. */
#ifndef TABIA_ENGINE_BENCH_H
#define TABIA_ENGINE_BENCH_H

#include "engine/search.h"

typedef struct BenchResult {
    uint64_t nodes;  /* the signature: the same on every machine and compiler */
    int64_t time_ms; /* at least 1 */
    uint64_t nps;
} BenchResult;

/* Searches every bench position to `depth` (0: the default of the signature) with the built-in
 * weights. */
MUST_CHECK Status bench_run(int depth, BenchResult *result, Error *err);

#endif
