/* SPDX-License-Identifier: MIT
 * tabia bench train: the speed of training networks, beside what the processor's additions allow.
 */
#include <stdio.h>

#include "cli/bench/bench.h"
#include "cli/bench/support.h"
#include "cli/output/process.h"
#include "tuner/network/train.h"

enum { EPOCHS = 2, SMALL = 64, LARGE = 256 };

typedef struct TrainBench {
    const Dataset *data;
    int threads;
    double pieces; /* of a position, on average */
} TrainBench;

/* Positions a second of processor time. */
typedef struct TrainRound {
    int64_t positions;
    double pieces, additions; /* additions: floating-point, a second */
    double small, small_limit, small_share;
    double large, large_limit, large_share;
} TrainRound;

static const Field fields[] = {
    {"positions", FIELD(TrainRound, positions), .label = "positions of an epoch"},
    {"men", FIELD(TrainRound, pieces), .label = "pieces of a position", .decimals = 2},
    {"additions_per_second", FIELD(TrainRound, additions),
     .label = "thousand million additions a second", .decimals = 1, .scale = 1e-9},
    {"h64_per_second", FIELD(TrainRound, small), .label = "64 hidden units, positions a second"},
    {"h64_limit", FIELD(TrainRound, small_limit), .label = "  its additions alone"},
    {"h64_share", FIELD(TrainRound, small_share), .label = "  share of that", .decimals = 3},
    {"h256_per_second", FIELD(TrainRound, large), .label = "256 hidden units, positions a second"},
    {"h256_limit", FIELD(TrainRound, large_limit), .label = "  its additions alone"},
    {"h256_share", FIELD(TrainRound, large_share), .label = "  share of that", .decimals = 3},
    {0},
};

/* ---- The limit */

#pragma GCC diagnostic ignored "-Wpsabi"
typedef float Lanes __attribute__((vector_size(64)));
enum { LANES = 16, CHAINS = 8 };

/* Additions a second of chains that do not wait for each other. */
static double measure_additions(void)
{
    enum { ROUNDS = 1 << 22 };
    Lanes sum[CHAINS] = {{0}}, step = {1e-9F, 2e-9F, 3e-9F};
    volatile float used = 0;

    BenchTimes start = bench_times();
    for (int i = 0; i < ROUNDS; i++) {
        __asm__("" : "+m"(step)); /* so that the compiler does not compute the loop */
        for (int c = 0; c < CHAINS; c++)
            sum[c] += step;
    }
    double seconds = bench_times_since(start).cpu;
    for (int c = 0; c < CHAINS; c++)
        used = used + sum[c][c];
    return (double)ROUNDS * CHAINS * LANES / seconds;
}

/* A position adds a column for each piece and each side in the forward pass, and again for the
 * gradient. */
static double limit(const TrainBench *b, double additions, int hidden)
{
    return additions / (b->pieces * 2 * 2 * hidden);
}

/* ---- Training */

static Status measure(const TrainBench *b, int hidden, double *rate, Error *err)
{
    TrainSettings settings;
    TrainResult result;

    train_defaults(&settings);
    settings.hidden = hidden;
    settings.epochs = EPOCHS;
    settings.threads = b->threads;
    settings.validation = 0;
    BenchTimes start = bench_times();
    Status status = train_network(b->data, &settings, NULL, NULL, cli_interrupted(), &result, err);
    *rate = (double)b->data->positions * EPOCHS / bench_times_since(start).cpu;
    train_result_free(&result);
    return status;
}

static Status run_round(void *context, void *out, Error *err)
{
    const TrainBench *b = context;
    TrainRound *r = out;

    *r = (TrainRound){.positions = b->data->positions, .pieces = b->pieces};
    r->additions = measure_additions();
    Status status = measure(b, SMALL, &r->small, err);
    if (status == STATUS_OK) status = measure(b, LARGE, &r->large, err);
    r->small_limit = limit(b, r->additions, SMALL);
    r->large_limit = limit(b, r->additions, LARGE);
    r->small_share = r->small / r->small_limit;
    r->large_share = r->large / r->large_limit;
    return status;
}

Status bench_train(const BenchOptions *options, Error *err)
{
    TrainBench b = {.threads = options_threads(&options->common)};
    DatasetFilter filter;
    Dataset *data = NULL;

    dataset_filter_defaults(&filter);
    filter.pieces = true;
    Status status = bench_load(options->files[0], &filter, b.threads, &data, err);
    if (status != STATUS_OK) return status;
    for (int64_t i = 0; i < data->positions; i++)
        b.pieces += data->count[i];
    b.pieces /= (double)data->positions;
    b.data = data;
    status = bench_rounds_report(fields, sizeof(TrainRound), options, run_round, &b, err);
    dataset_destroy(data);
    return status;
}
