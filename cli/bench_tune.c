/* SPDX-License-Identifier: MIT
 * tabia bench tune: how fast positions are read, passed over and fitted to. */
#include <stdio.h>

#include "cli/bench.h"
#include "cli/json.h"
#include "engine/clock.h"
#include "tuner/calibrate.h"
#include "tuner/columns.h"
#include "tuner/optimise.h"

enum { REPEATS = 15, STEPS_MAX = 100 };

/* Converged enough to be called the optimum, as part of it, and what others are timed to. */
static const double OPTIMUM = 1e-12, WITHIN = 1e-6;

typedef struct TuneBench {
    int64_t positions;
    int threads;
    double load, layout, value, pass; /* seconds; passes: the quickest of REPEATS */
    double optimum, converged;        /* least objective; seconds until WITHIN of it */
    int passes;                       /* over the data until then */
} TuneBench;

/* Other work on the machine only ever adds to a time: the least is the truest. */
static void keep_least(double *least, double started)
{
    double seconds = clock_seconds() - started;
    if (*least == 0 || seconds < *least) *least = seconds;
}

static void time_passes(Loss *loss, TuneBench *bench)
{
    static const double zero[DIMENSIONS];
    double gradient[DIMENSIONS];

    for (int i = 0; i < REPEATS; i++) {
        double started = clock_seconds();
        (void)loss_gradient(loss, zero, CALIBRATE_K_REFERENCE, gradient);
        keep_least(&bench->pass, started);
        started = clock_seconds();
        (void)loss_value(loss, zero, CALIBRATE_K_REFERENCE);
        keep_least(&bench->value, started);
    }
}

/* From zero weights to the optimum, and when the objective was first within WITHIN of it. */
static Status time_fit(Loss *loss, const Space *space, TuneBench *bench, Error *err)
{
    static const double zero[DIMENSIONS];
    double objective[STEPS_MAX], seconds[STEPS_MAX];
    int passes[STEPS_MAX], steps = 0;
    bool converged = false;
    OptimiserSettings settings = {.k = CALIBRATE_K_REFERENCE, .ridge = 1e-15};
    Optimiser *optimiser = NULL;
    double started = clock_seconds();

    Status status = optimiser_create(loss, space, zero, zero, &settings, &optimiser, err);
    while (status == STATUS_OK && !converged && steps < STEPS_MAX) {
        status = optimiser_step(optimiser, OPTIMUM, &converged, err);
        objective[steps] = optimiser_objective(optimiser);
        passes[steps] = optimiser_passes(optimiser);
        seconds[steps++] = clock_seconds() - started;
    }
    optimiser_destroy(optimiser);
    if (status != STATUS_OK) return status;
    bench->optimum = objective[steps - 1];
    for (int i = steps - 1; i >= 0 && objective[i] <= bench->optimum + WITHIN; i--) {
        bench->converged = seconds[i];
        bench->passes = passes[i];
    }
    return STATUS_OK;
}

static Status measure(const char *path, TuneBench *bench, Error *err)
{
    Dataset *data = NULL;
    Batch *batch = NULL;
    Loss *loss = NULL;
    Space *space = NULL;
    double started = clock_seconds();

    Status status = dataset_from_epd(path, NULL, bench->threads, &data, err);
    if (status == STATUS_OK) {
        bench->positions = dataset_positions(data);
        keep_least(&bench->load, started);
        started = clock_seconds();
        status = batch_create(data, NULL, 0, &batch, err);
    }
    if (status == STATUS_OK) {
        keep_least(&bench->layout, started);
        status = loss_create(batch, bench->threads, &loss, err);
    }
    if (status == STATUS_OK) time_passes(loss, bench);
    if (status == STATUS_OK) status = space_of_evaluation(EVAL_MATERIAL_PST, &space, err);
    if (status == STATUS_OK) status = time_fit(loss, space, bench, err);
    space_destroy(space);
    loss_destroy(loss);
    batch_destroy(batch);
    dataset_destroy(data);
    return status;
}

static void print_rate(const char *what, double seconds, int64_t positions)
{
    printf("%-28s %9.3f s %9.2f million positions/s\n", what, seconds,
           (double)positions / seconds / 1e6);
}

static void print_json(const TuneBench *bench)
{
    JsonWriter w;

    json_begin(&w, stdout);
    json_object(&w, NULL);
    json_int(&w, "n", bench->positions);
    json_int(&w, "threads", bench->threads);
    json_double(&w, "load_seconds", bench->load, 6);
    json_double(&w, "layout_seconds", bench->layout, 6);
    json_double(&w, "loss_seconds", bench->value, 6);
    json_double(&w, "pass_seconds", bench->pass, 6);
    json_double(&w, "positions_per_second", (double)bench->positions / bench->pass, 6);
    json_double(&w, "mse", bench->optimum, 12);
    json_double(&w, "converged_seconds", bench->converged, 6);
    json_int(&w, "passes", bench->passes);
    json_end_object(&w);
    json_finish(&w);
}

Status bench_tune(const BenchOptions *options, Error *err)
{
    TuneBench bench = {.threads = options->common.threads > 0 ? (int)options->common.threads : 1};

    if (!options->files[0])
        return error_set(err, STATUS_USAGE, "bench tune needs a file of labelled positions");
    Status status = measure(options->files[0], &bench, err);
    if (status != STATUS_OK) return status;
    if (options->common.json) {
        print_json(&bench);
        return STATUS_OK;
    }
    printf("%lld positions, %d thread%s\n", (long long)bench.positions, bench.threads,
           bench.threads == 1 ? "" : "s");
    print_rate("read, parse, find features", bench.load, bench.positions);
    print_rate("lay out", bench.layout, bench.positions);
    print_rate("pass for the loss", bench.value, bench.positions);
    print_rate("pass for loss and gradient", bench.pass, bench.positions);
    printf("%-28s %9.3f s, %d passes from zero weights to within 1e-6 of %.9f\n", "fit",
           bench.converged, bench.passes, bench.optimum);
    return STATUS_OK;
}
