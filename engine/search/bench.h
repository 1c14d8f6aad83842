/* SPDX-License-Identifier: MIT
 * The bench: fixed positions searched to a fixed depth. Its node count is the signature. */
#ifndef TABIA_ENGINE_SEARCH_BENCH_H
#define TABIA_ENGINE_SEARCH_BENCH_H

#include "engine/search/search.h"

/* A zero field means the default, which is the signature's. */
typedef struct BenchSettings {
    int depth;                     /* plies */
    int threads;                   /* 1; with more the node count varies */
    size_t hash_bytes;             /* 16 MiB */
    const Evaluation *evaluation;  /* borrowed; given always, the built-in one for the signature */
    const SearchParams *params;    /* copied; the built-in ones */
    const atomic_int *interrupted; /* borrowed: end soon after it is not zero */
} BenchSettings;

typedef struct BenchResult {
    uint64_t nodes;  /* the signature: the same on every machine and compiler */
    int64_t time_ms; /* of the searches alone, not of clearing the hash table; at least 1 */
    uint64_t nps;
} BenchResult;

/* Searches every bench position. STATUS_INTERRUPTED: *interrupted became non-zero. */
MUST_CHECK Status bench_run(const BenchSettings *settings, BenchResult *result, Error *err);

/* The bench positions, ended by NULL. */
extern const char *const bench_fens[];

#endif
