/* SPDX-License-Identifier: MIT
 * The sub-commands of `tabia bench`: each measures one part and, if stockfish is installed, its
 * ratio to that in the same run. */
#ifndef TABIA_CLI_BENCH_BENCH_H
#define TABIA_CLI_BENCH_BENCH_H

#include "cli/options/options.h"
#include "engine/base/status.h"

/* The options of all sub-benches. */
typedef struct BenchOptions {
    CommonOptions common;
    int depth;           /* plies; 0: the bench's own default */
    int64_t nodes;       /* per position; 0: the bench's own default */
    int64_t positions;   /* store; 0: the bench's own default */
    int rounds;          /* rounds, of which medians are reported; 0: 3, perft 1 */
    const char *against; /* search: shell command of an engine, instead of stockfish; or NULL */
    const char *weights;
    const char *const *files; /* the words after the sub-command, NULL-terminated */
} BenchOptions;

enum { BENCH_ROUNDS_MAX = 99 };

Status bench_search(const BenchOptions *options, Error *err);
Status bench_perft(const BenchOptions *options, Error *err);
Status bench_gauntlet(const BenchOptions *options, Error *err);
Status bench_selfplay(const BenchOptions *options, Error *err);
Status bench_threads(const BenchOptions *options, Error *err);
Status bench_store(const BenchOptions *options, Error *err);
Status bench_suite(const BenchOptions *options, Error *err);
Status bench_train(const BenchOptions *options, Error *err);
Status bench_tune(const BenchOptions *options, Error *err);

#endif
