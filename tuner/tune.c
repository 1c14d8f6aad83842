/* SPDX-License-Identifier: MIT
 * The fit from data set to weights: split, scale, iterate, choose, measure. */
#include "tuner/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/pcg.h"
#include "tuner/calibrate.h"
#include "tuner/dataset_internal.h"
#include "tuner/optimise.h"

/* The fit ends when what a further step could gain is below this part of the objective. */
static const double TOLERANCE = 1e-10;
/* A held-out loss counts as worse than the best only beyond this part of it: smaller differences
 * are within its own error, and the better converged weights are then preferred. */
static const double HELD_OUT_SLACK = 1e-3;
/* The prior that is always there, in positions: weights that nothing else determines stay put. */
static const double PRIOR_MIN = 1e-3;

typedef struct Fit {
    const Dataset *data;
    const TuneSettings *settings;
    const atomic_int *interrupted;
    TuneProgressFn progress;
    void *context;
    TuneResult *result;
    Batch *train, *validation; /* validation: NULL without hold-out */
    Loss *train_loss, *validation_loss;
    Optimiser *optimiser;
    double best_validation;
    double best[DIMENSIONS];
    double started;
} Fit;

void tune_defaults(TuneSettings *settings)
{
    *settings = (TuneSettings){.lambda = 1,
                               .army = COLUMNS_ARMY,
                               .validation = 0.1,
                               .max_iterations = 100,
                               .patience = 8,
                               .prior = 20,
                               .seed = 1,
                               .threads = 1};
}

typedef struct Lot {
    uint64_t value; /* first what the game is known by, then what it drew */
    int32_t game;
} Lot;

/* What a game is known by in any set: FNV-1a (draft-eastlake-fnv) over its positions. */
static void identify_games(const Dataset *data, Lot *lots)
{
    const Occurrence *at = data->occurrence;

    for (int32_t g = 0; g < data->games; g++)
        lots[g] = (Lot){0xcbf29ce484222325ULL, g};
    for (int64_t i = 0; i < data->positions; at += data->count[i], i++) {
        uint64_t *hash = &lots[data->game[i]].value;
        for (int o = 0; o < data->count[i]; o++)
            *hash = (*hash ^ at[o]) * 0x100000001b3ULL;
    }
}

static int compare_lots(const void *a, const void *b)
{
    const Lot *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->game > y->game) - (x->game < y->game);
}

/* Equal games, neighbours once sorted, draw one after the other from the same stream. */
static void draw_lots(Lot *lots, size_t games, uint64_t seed)
{
    uint64_t known_by = 0;
    Pcg rng;

    qsort(lots, games, sizeof *lots, compare_lots);
    for (size_t i = 0; i < games; i++) {
        if (i == 0 || lots[i].value != known_by) pcg_seed(&rng, seed, lots[i].value);
        known_by = lots[i].value;
        lots[i].value = pcg_next64(&rng);
    }
    qsort(lots, games, sizeof *lots, compare_lots);
}

Status tune_hold_out(const Dataset *data, double share, uint64_t seed, uint8_t *take, Error *err)
{
    size_t games = (size_t)data->games;
    int64_t wanted = (int64_t)(share * (double)games + 0.5);
    Lot *lots = malloc((games + 1) * sizeof *lots);

    if (!lots) return error_set(err, STATUS_FAILED, "out of memory for the hold-out");
    identify_games(data, lots);
    draw_lots(lots, games, seed);
    memset(take, 0, games);
    for (int64_t i = 0; i < wanted; i++)
        take[lots[i].game] = 1;
    free(lots);
    return STATUS_OK;
}

/* ---- Measuring */

static Status measure(const Dataset *data, Loss *loss, const EvalWeights *weights, double k,
                      TuneScore *score, Error *err)
{
    const Batch *batch = loss_batch(loss);
    double value[DIMENSIONS], *cp = malloc(((size_t)batch->positions + 1) * sizeof *cp);
    int64_t decisive = 0, right = 0;

    if (!cp) return error_set(err, STATUS_FAILED, "out of memory for measuring weights");
    columns_from_weights(weights, value);
    loss_evaluate(loss, value, cp);
    for (int64_t i = 0; i < batch->positions; i++) {
        int result = data->result[batch->index[i]];
        decisive += result != RESULT_DRAW;
        right += (result == RESULT_WHITE_WINS && cp[i] > 0) ||
                 (result == RESULT_BLACK_WINS && cp[i] < 0);
    }
    free(cp);
    score->n = batch->positions;
    score->games = batch->games;
    score->mse = loss_value(loss, value, k);
    score->accuracy = decisive > 0 ? (double)right / (double)decisive : (double)NAN;
    return STATUS_OK;
}

static Status measure_both(Fit *fit, const EvalWeights *weights, double k, TuneScore *train,
                           TuneScore *validation, Error *err)
{
    *validation = (TuneScore){.mse = NAN, .accuracy = NAN};
    Status status = measure(fit->data, fit->train_loss, weights, k, train, err);
    if (status == STATUS_OK && fit->validation)
        status = measure(fit->data, fit->validation_loss, weights, k, validation, err);
    return status;
}

Status tune_score(const Dataset *data, const EvalWeights *weights, const TuneSettings *settings,
                  double *k, TuneScore *score, Error *err)
{
    double value[DIMENSIONS];
    Batch *batch = NULL;
    Loss *loss = NULL;
    bool fitted;

    if (data->positions == 0)
        return error_set(err, STATUS_BAD_INPUT, "there are no positions to measure on");
    columns_from_weights(weights, value);
    Status status = batch_create(data, NULL, 0, &batch, err);
    if (status == STATUS_OK) status = loss_create(batch, settings->threads, &loss, err);
    if (status == STATUS_OK) {
        *k = settings->k;
        if (*k <= 0) status = calibrate_k(loss, value, k, &fitted, err);
    }
    if (status == STATUS_OK) {
        batch_set_targets(batch, data, settings->lambda, *k);
        status = measure(data, loss, weights, *k, score, err);
    }
    loss_destroy(loss);
    batch_destroy(batch);
    return status;
}

/* ---- Fitting */

static Status split(Fit *fit, Error *err)
{
    const Dataset *data = fit->data;
    double share = fit->settings->validation;
    uint8_t *take = malloc((size_t)data->games + 1);
    int threads = fit->settings->threads;

    if (!take) return error_set(err, STATUS_FAILED, "out of memory for the hold-out");
    Status status = tune_hold_out(data, share, fit->settings->seed, take, err);
    if (status == STATUS_OK) status = batch_create(data, take, 0, &fit->train, err);
    if (status == STATUS_OK && share > 0)
        status = batch_create(data, take, 1, &fit->validation, err);
    free(take);
    if (status != STATUS_OK) return status;
    if (fit->train->positions == 0 || (fit->validation && fit->validation->positions == 0))
        return error_set(err, STATUS_BAD_INPUT, "%d game%s too few to hold out a share of %g",
                         data->games, data->games == 1 ? " is" : "s are", share);
    status = loss_create(fit->train, threads, &fit->train_loss, err);
    if (status == STATUS_OK && fit->validation)
        status = loss_create(fit->validation, threads, &fit->validation_loss, err);
    return status;
}

/* K first, by the results alone, for the targets may depend on it. */
static Status prepare_targets(Fit *fit, const double *start, Error *err)
{
    const TuneSettings *settings = fit->settings;
    TuneResult *result = fit->result;

    result->k_start = settings->k;
    if (settings->k <= 0) {
        Status status =
            calibrate_k(fit->train_loss, start, &result->k_start, &result->k_fitted, err);
        if (status != STATUS_OK) return status;
    }
    batch_set_targets(fit->train, fit->data, settings->lambda, result->k_start);
    if (fit->validation)
        batch_set_targets(fit->validation, fit->data, settings->lambda, result->k_start);
    return STATUS_OK;
}

/* A position's pull on a weight that it contains is at most this: half the Gauss-Newton second
 * derivative of one even position. */
static double position_pull(double k)
{
    double slope = k / LOSS_CP_SCALE / 4;
    return slope * slope;
}

static Status begin(Fit *fit, const double *start, Error *err)
{
    const TuneSettings *settings = fit->settings;
    double prior = settings->prior > PRIOR_MIN ? settings->prior : PRIOR_MIN;
    double k = fit->result->k_start;
    OptimiserSettings optimiser = {
        .k = k,
        .ridge = prior * position_pull(k) / (double)fit->train->positions,
    };
    return optimiser_create(fit->train_loss, start, &optimiser, &fit->optimiser, err);
}

/* Measures where the optimiser stands, keeps it if it is the best so far, and tells. */
static void look(Fit *fit, int iteration)
{
    const double *w = optimiser_weights(fit->optimiser);
    TuneResult *result = fit->result;
    double validation = NAN;
    bool better = true;

    if (fit->validation) {
        validation = loss_value(fit->validation_loss, w, result->k_start);
        better = iteration == 0 || fit->settings->patience == 0 ||
                 validation < fit->best_validation * (1 + HELD_OUT_SLACK);
        if (iteration == 0 || validation < fit->best_validation) fit->best_validation = validation;
    }
    if (better) {
        memcpy(fit->best, w, sizeof fit->best);
        result->best_iteration = iteration;
    }
    result->iterations = iteration;
    result->passes = optimiser_passes(fit->optimiser);
    if (!fit->progress) return;
    TuneIteration report = {
        .iteration = iteration,
        .train_loss = optimiser_loss(fit->optimiser),
        .validation_loss = validation,
        .seconds = clock_seconds() - fit->started,
    };
    fit->progress(fit->context, &report);
}

static Status iterate(Fit *fit, Error *err)
{
    const TuneSettings *settings = fit->settings;
    TuneResult *result = fit->result;

    look(fit, 0);
    for (int i = 1; i <= settings->max_iterations && !result->converged; i++) {
        if (fit->interrupted && atomic_load(fit->interrupted)) return STATUS_INTERRUPTED;
        Status status = optimiser_step(fit->optimiser, TOLERANCE, &result->converged, err);
        if (status != STATUS_OK) return status;
        if (!result->converged) look(fit, i);
        if (settings->patience > 0 && i - result->best_iteration >= settings->patience) break;
    }
    return STATUS_OK;
}

/* Multiplies into the scale that is asked for, rounds, measures. */
static Status finish(Fit *fit, const EvalWeights *start, Error *err)
{
    const TuneSettings *settings = fit->settings;
    TuneResult *result = fit->result;
    double army = columns_army(fit->best);

    result->scale = settings->k <= 0 && settings->army > 0 && army > 0 ? settings->army / army : 1;
    result->k = result->k_start / result->scale;
    for (int i = 0; i < DIMENSIONS; i++)
        fit->best[i] *= result->scale;
    columns_to_weights(fit->best, &result->weights);

    Status status = measure_both(fit, start, result->k_start, &result->train_before,
                                 &result->validation_before, err);
    if (status == STATUS_OK)
        status = measure_both(fit, &result->weights, result->k, &result->train_after,
                              &result->validation_after, err);
    return status;
}

Status tune_fit(const Dataset *data, const EvalWeights *start, const TuneSettings *settings,
                const atomic_int *interrupted, TuneProgressFn progress, void *context,
                TuneResult *result, Error *err)
{
    double start_value[DIMENSIONS];
    Fit *fit = calloc(1, sizeof *fit);

    memset(result, 0, sizeof *result);
    if (!fit) return error_set(err, STATUS_FAILED, "out of memory for the fit");
    fit->data = data;
    fit->settings = settings;
    fit->interrupted = interrupted;
    fit->progress = progress;
    fit->context = context;
    fit->result = result;
    fit->started = clock_seconds();
    columns_from_weights(start, start_value);

    Status status = STATUS_OK;
    if (data->positions == 0)
        status = error_set(err, STATUS_BAD_INPUT, "there are no positions to fit to");
    if (status == STATUS_OK) status = split(fit, err);
    if (status == STATUS_OK) status = prepare_targets(fit, start_value, err);
    if (status == STATUS_OK) status = begin(fit, start_value, err);
    if (status == STATUS_OK) status = iterate(fit, err);
    if (status == STATUS_OK || status == STATUS_INTERRUPTED) {
        Status finished = finish(fit, start, err);
        if (finished != STATUS_OK) status = finished;
    }
    optimiser_destroy(fit->optimiser);
    loss_destroy(fit->train_loss);
    loss_destroy(fit->validation_loss);
    batch_destroy(fit->train);
    batch_destroy(fit->validation);
    free(fit);
    return status;
}
