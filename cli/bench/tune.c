/* SPDX-License-Identifier: MIT
 * tabia bench tune: the speed of reading positions, finding features, passes and fits. Each step is
 * timed by itself and reported in positions a second. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/bench/support.h"
#include "cli/output/process.h"
#include "db/chess/position_filter.h"
#include "db/chess/replay.h"
#include "db/files/reader.h"
#include "db/store/run_record.h"
#include "db/store/store.h"
#include "db/tables/cursor.h"
#include "engine/base/new_file.h"
#include "engine/eval/evaluation_load.h"
#include "tuner/data/columns.h"
#include "tuner/data/epd_line.h"
#include "tuner/fit/loss.h"
#include "tuner/fit/optimise.h"

enum { PASSES = 5, STEPS_MAX = 100 };

/* At most this many positions are kept: the last ones of a larger file. */
enum { KEPT_MAX = 1 << 20 };

/* Relative change of the loss at which a fit counts as converged, and the distance from the optimum
 * up to which fits are timed. */
static const double OPTIMUM = 1e-12, WITHIN = 1e-6;

/* The timed steps, in the order of the report. The first two always use one thread. */
typedef enum TuneStep {
    STEP_READ,
    STEP_FEATURES,
    STEP_LOAD,
    STEP_LAYOUT,
    STEP_VALUE,
    STEP_PASS,
    STEP_FIT_ZERO,
    STEP_FIT_START,
    STEPS
} TuneStep;

typedef struct TuneRound {
    int64_t positions;
    int threads;
    BenchStep steps[STEPS];
    double optimum;    /* least loss */
    int passes[STEPS]; /* over the data, of the fits */
} TuneRound;

static const Field fields[] = {
    {"n", FIELD(TuneRound, positions), .label = "positions"},
    {"threads", FIELD(TuneRound, threads), .label = "threads"},
    BENCH_STEP(TuneRound, steps[STEP_READ], "read", "read positions, one thread"),
    BENCH_STEP(TuneRound, steps[STEP_FEATURES], "features", "find features, one thread"),
    BENCH_STEP(TuneRound, steps[STEP_LOAD], "load", "load: all that a fit needs"),
    BENCH_STEP(TuneRound, steps[STEP_LAYOUT], "layout", "lay out"),
    BENCH_STEP(TuneRound, steps[STEP_VALUE], "loss", "pass for the loss"),
    BENCH_STEP(TuneRound, steps[STEP_PASS], "pass", "pass for loss and gradient"),
    BENCH_STEP(TuneRound, steps[STEP_FIT_ZERO], "converged", "fit from zero weights"),
    BENCH_STEP(TuneRound, steps[STEP_FIT_START], "converged_start", "fit from the start weights"),
    {"mse", FIELD(TuneRound, optimum), .digits = 12, .label = "least loss", .decimals = 9},
    {"passes", FIELD(TuneRound, passes[STEP_FIT_ZERO]),
     .label = "passes to within 1e-6 of it, from zero weights"},
    {"passes_start", FIELD(TuneRound, passes[STEP_FIT_START]),
     .label = "passes to within 1e-6 of it, from the start weights"},
    {0},
};

typedef struct TuneBench {
    const char *path;
    int threads;
    EvalWeights start;
    EvalFamilies terms; /* those of the start weights */
    TuneRound *round;   /* that runs */
} TuneBench;

/* What the step took in this round, times `factor`. */
static void keep_times(TuneBench *bench, TuneStep step, BenchTimes spent, double factor)
{
    const BenchTimes times = {spent.wall * factor, spent.cpu * factor};
    bench->round->steps[step] = bench_step(times, bench->round->positions);
}

/* ---- Reading by one thread, as the tuner does, and features of what was read */

typedef struct BenchPosition {
    Position pos;
    double result; /* White's half points */
} BenchPosition;

typedef struct BenchPositions {
    int64_t read; /* positions that a fit would take */
    int64_t kept; /* the smaller of that and KEPT_MAX */
    BenchPosition *at;
} BenchPositions;

static void keep(BenchPositions *out, const Position *pos, double result)
{
    out->at[out->read++ % KEPT_MAX] = (BenchPosition){*pos, result};
    if (out->kept < KEPT_MAX) out->kept++;
}

static Status keep_record(void *out, const TextRecord *record, Error *err)
{
    EpdLine line;

    if (epd_line_is_header(text_span(record->text))) return STATUS_OK;
    Status status = epd_line_parse(text_span(record->text), &line, err);
    if (status == STATUS_OK) keep(out, &line.pos, line.result);
    return status;
}

static Status read_game(const GameRecord *game, const PositionFilter *filter, BenchPositions *out,
                        Error *err)
{
    Replay replay;

    Status status = replay_start(&replay, game, err);
    while (status == STATUS_OK && replay.ply < game->ply_count) {
        if (position_filter_drops(filter, game, replay.ply, replay_position(&replay)) == DROP_NONE)
            keep(out, replay_position(&replay), game->result);
        status = replay_next(&replay, err);
    }
    return status;
}

static Status read_games(GameCursor *cursor, BenchPositions *out, Error *err)
{
    const GameRecord *game = NULL;
    PositionFilter filter;

    settings_default(position_filter_settings, &filter);
    for (;;) {
        Status status = game_cursor_next(cursor, &game, NULL, NULL, err);
        if (status == STATUS_OK && game) status = read_game(game, &filter, out, err);
        if (status != STATUS_OK || !game) return status;
    }
}

static Status read_store(const char *path, BenchPositions *out, Error *err)
{
    static const RunKind kinds[] = {RUN_SELFPLAY, RUN_IMPORT}; /* what a fit takes */
    Store *store = store_open(path, STORE_READ, err);
    Status status = store ? STATUS_OK : err->status;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == STATUS_OK; i++) {
        GameCursor *cursor = store_read_games(store, NULL, 0, (int)kinds[i], err);
        status = cursor ? read_games(cursor, out, err) : err->status;
        game_cursor_close(cursor);
    }
    store_close(store);
    return status;
}

static Status time_features(TuneBench *bench, const BenchPositions *sample, Error *err)
{
    Dataset *data;

    Status status = dataset_create(columns_of(bench->terms), &data, err);
    if (status != STATUS_OK) return status;
    data->terms = bench->terms;
    BenchTimes start = bench_times();
    for (int64_t i = 0; i < sample->kept && status == STATUS_OK; i++)
        status = dataset_add(data, &sample->at[i].pos, sample->at[i].result, SCORE_UNKNOWN, 0, err);
    keep_times(bench, STEP_FEATURES, bench_times_since(start),
               (double)sample->read / (double)sample->kept);
    dataset_destroy(data);
    return status;
}

static Status time_reading(TuneBench *bench, Error *err)
{
    BenchPositions sample = {.at = malloc(KEPT_MAX * sizeof *sample.at)};

    if (!sample.at) return error_set(err, STATUS_FAILED, "out of memory for positions");
    BenchTimes start = bench_times();
    Status status = file_is_database(bench->path) ? read_store(bench->path, &sample, err)
                                                  : records_use(reader_open_text(bench->path, err),
                                                                keep_record, &sample, err);
    keep_times(bench, STEP_READ, bench_times_since(start), 1);
    if (status == STATUS_OK && sample.kept > 0) status = time_features(bench, &sample, err);
    free(sample.at);
    return status;
}

static Status load(TuneBench *bench, Dataset **data, Error *err)
{
    DatasetFilter filter;
    BenchTimes start = bench_times();

    dataset_filter_defaults(&filter);
    filter.terms = bench->terms;
    Status status = bench_load(bench->path, &filter, bench->threads, data, err);
    if (status != STATUS_OK) return status;
    BenchTimes spent = bench_times_since(start);
    bench->round->positions = (*data)->positions;
    keep_times(bench, STEP_LOAD, spent, 1);
    return STATUS_OK;
}

/* ---- Passes */

static void time_passes(TuneBench *bench, Loss *loss)
{
    static const double zero[ALL_DIMENSIONS];
    double gradient[ALL_DIMENSIONS];

    BenchTimes start = bench_times();
    for (int i = 0; i < PASSES; i++)
        (void)loss_gradient(loss, zero, CALIBRATE_K_REFERENCE, gradient);
    keep_times(bench, STEP_PASS, bench_times_since(start), 1. / PASSES);
    start = bench_times();
    for (int i = 0; i < PASSES; i++)
        (void)loss_value(loss, zero, CALIBRATE_K_REFERENCE);
    keep_times(bench, STEP_VALUE, bench_times_since(start), 1. / PASSES);
}

/* ---- Fits */

/* The course of a fit, step by step. */
typedef struct Descent {
    int steps;
    double loss[STEPS_MAX];
    BenchTimes spent[STEPS_MAX];
    int passes[STEPS_MAX];
} Descent;

/* From the weights to the optimum, with a negligible prior. */
static Status descend(Loss *loss, const Space *space, const double *from, Descent *d, Error *err)
{
    static const double zero[ALL_DIMENSIONS];
    bool converged = false;
    OptimiserSettings settings = {.k = CALIBRATE_K_REFERENCE, .ridge = 1e-15};
    Optimiser *optimiser = NULL;
    BenchTimes start = bench_times();

    d->steps = 0;
    Status status = optimiser_create(loss, space, zero, from, &settings, &optimiser, err);
    while (status == STATUS_OK && !converged && d->steps < STEPS_MAX) {
        status = optimiser_step(optimiser, OPTIMUM, &converged, err);
        d->loss[d->steps] = optimiser_state(optimiser)->loss;
        d->passes[d->steps] = optimiser_state(optimiser)->passes;
        d->spent[d->steps++] = bench_times_since(start);
    }
    optimiser_destroy(optimiser);
    return status;
}

/* Passes and time until the loss was first within WITHIN of the optimum. */
static void keep_convergence(TuneBench *bench, TuneStep step, const Descent *d)
{
    int first = d->steps - 1;

    while (first > 0 && d->loss[first - 1] <= bench->round->optimum + WITHIN)
        first--;
    bench->round->passes[step] = d->passes[first];
    keep_times(bench, step, d->spent[first], 1);
}

static Status time_fits(TuneBench *bench, Loss *loss, Error *err)
{
    double zero[ALL_DIMENSIONS] = {0}, start[ALL_DIMENSIONS];
    Descent from_zero, from_start;
    Space *space = NULL;

    columns_from_weights(&bench->start, columns_of(bench->terms), start);
    Status status = space_of_evaluation(bench->terms, columns_of(bench->terms), &space, err);
    if (status == STATUS_OK) status = descend(loss, space, zero, &from_zero, err);
    if (status == STATUS_OK) status = descend(loss, space, start, &from_start, err);
    space_destroy(space);
    if (status != STATUS_OK) return status;
    bench->round->optimum =
        fmin(from_zero.loss[from_zero.steps - 1], from_start.loss[from_start.steps - 1]);
    keep_convergence(bench, STEP_FIT_ZERO, &from_zero);
    keep_convergence(bench, STEP_FIT_START, &from_start);
    return STATUS_OK;
}

static Status run_round(void *context, void *out, Error *err)
{
    TuneBench *bench = context;
    const BatchOptions plain = {.weighing = weighing_none};
    Dataset *data = NULL;
    Batch *batch = NULL;
    Loss *loss = NULL;

    bench->round = out;
    bench->round->threads = bench->threads;
    Status status = load(bench, &data, err); /* first: it reports bad input */
    if (status == STATUS_OK) status = time_reading(bench, err);
    BenchTimes start = bench_times();
    if (status == STATUS_OK) status = batch_create(data, &plain, &batch, err);
    keep_times(bench, STEP_LAYOUT, bench_times_since(start), 1);
    if (status == STATUS_OK) status = loss_create(batch, bench->threads, &loss, err);
    if (status == STATUS_OK) time_passes(bench, loss);
    if (status == STATUS_OK) status = time_fits(bench, loss, err);
    loss_destroy(loss);
    batch_destroy(batch);
    dataset_destroy(data);
    return status;
}

Status bench_tune(const BenchOptions *options, Error *err)
{
    TuneBench bench = {.path = options->files[0],
                       .threads = options->common.threads > 0 ? (int)options->common.threads : 1};

    Status status = weights_load(options->weights, &bench.start, NULL, err);
    if (status != STATUS_OK) return status;
    bench.terms = EVAL_MATERIAL_PST | weights_families(&bench.start);
    return bench_rounds_report(fields, sizeof(TuneRound), options, run_round, &bench, err);
}
