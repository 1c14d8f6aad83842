/* SPDX-License-Identifier: MIT
 * What benches share: a temporary folder, clock and processor time, rounds with medians and spread,
 * the path of stockfish. */
#ifndef TABIA_CLI_BENCH_SUPPORT_H
#define TABIA_CLI_BENCH_SUPPORT_H

#include <stdio.h>

#include "cli/bench/bench.h"
#include "cli/output/fields.h"
#include "engine/base/status.h"
#include "tuner/data/dataset.h"

/* Calls `work` with a folder made below $TMPDIR (/tmp); removes it with its files afterwards. */
MUST_CHECK Status bench_in_scratch(Status (*work)(void *context, const char *folder, Error *err),
                                   void *context, Error *err);

/* Seconds by the clock, and of processor time (user and system) of this process, its threads and
 * its children that have ended. */
typedef struct BenchTimes {
    double wall, cpu;
} BenchTimes;

BenchTimes bench_times(void); /* so far */
BenchTimes bench_times_since(BenchTimes start);

/* What a step took, for all its positions. */
typedef struct BenchStep {
    double seconds, cpu_seconds;
    double rate, cpu_rate; /* positions a second of these */
} BenchStep;

BenchStep bench_step(BenchTimes spent, int64_t positions);

/* Its fields in `type`, whose member `step` it is. */
#define BENCH_STEP(type, step, key, name)                                                          \
    {key "_seconds", FIELD(type, step.seconds), .label = name ", seconds", .decimals = 3},         \
        {key "_cpu_seconds", FIELD(type, step.cpu_seconds), .label = "  CPU seconds",              \
         .decimals = 3},                                                                           \
        {key "_per_second", FIELD(type, step.rate), .label = "  million positions/s",              \
         .decimals = 2, .scale = 1e-6},                                                            \
    {                                                                                              \
        key "_per_cpu_second", FIELD(type, step.cpu_rate),                                         \
            .label = "  million positions a CPU second", .decimals = 2, .scale = 1e-6              \
    }

/* Of an even number of values the median is the lower middle one. */
typedef struct BenchSpread {
    double median, least, greatest;
} BenchSpread;

BenchSpread bench_spread(const double values[], int count); /* 1 to BENCH_ROUNDS_MAX values */

/* One round: what is compared runs once, each in turn, and their figures and ratios come into
 * `round`, a struct of the bench's own. */
typedef Status (*BenchRoundFn)(void *context, void *round, Error *err);

/* The columns of a result; single rounds follow the first three. */
enum { BENCH_MEDIAN, BENCH_LEAST, BENCH_GREATEST, BENCH_COLUMNS };

typedef struct BenchRounds {
    const Field
        *fields;   /* of `round`; numbers get median and spread, others are the last round's */
    size_t size;   /* of a round */
    int count;     /* of rounds */
    char *columns; /* [BENCH_COLUMNS + count] rounds; freed by bench_rounds_free() */
} BenchRounds;

/* options->rounds rounds (0: 3). STATUS_INTERRUPTED after a signal. */
MUST_CHECK Status bench_rounds_run(BenchRounds *rounds, const BenchOptions *options,
                                   BenchRoundFn run, void *context, Error *err);
void bench_rounds_free(BenchRounds *rounds);

/* A list of the figures: median, least, greatest, and each of at most five rounds. */
void bench_rounds_print(const BenchRounds *rounds);

/* Into the open object: the medians, objects `least` and `greatest`, the array `rounds`. */
void bench_rounds_json(JsonWriter *w, const BenchRounds *rounds);

/* Runs, prints as the options say, and frees. */
MUST_CHECK Status bench_rounds_report(const Field *fields, size_t size, const BenchOptions *options,
                                      BenchRoundFn run, void *context, Error *err);

/* Path of Debian's stockfish, or NULL where it is not installed. */
const char *bench_stockfish(void);

/* Loads positions of a database or an EPD file. STATUS_BAD_INPUT when it cannot be opened. */
MUST_CHECK Status bench_load(const char *path, const DatasetFilter *filter, int threads,
                             Dataset **data, Error *err);

/* Runs a shell command without input and returns what it prints, errors too, for fclose(). NULL:
 * STATUS_INTERRUPTED after a signal, which also ends the command, or STATUS_FAILED. */
FILE *bench_command_run(const char *command, int *exit_code, Error *err);

#endif
