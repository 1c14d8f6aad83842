/* SPDX-License-Identifier: MIT
 * A fit from data set to weights. */
#include "tuner/fit/fit.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/system.h"
#include "tuner/data/scratch.h"
#include "tuner/fit/checkpoint.h"

/* The fit ends when the expected gain of a step is below this part of the objective. */
static const double TOLERANCE = 1e-10;
/* A held-out loss is worse than the best only beyond this part of it. Smaller differences are
 * within its error, and then the better converged weights are preferred. */
static const double HELD_OUT_SLACK = 1e-3;
static const double CHECKPOINT_SECONDS = 5;

/* ---- Measuring */

Status fit_measure(const Fit *fit, Loss *loss, const double *value, double k, FitScore *score,
                   Error *err)
{
    const LossForm squared = {LOSS_SQUARED, 0};
    const Batch *batch = loss_batch(loss);
    const Dataset *data = fit->data;
    double *cp;
    int64_t decisive = 0, right = 0;

    Status status = loss_evaluations(loss, value, "measuring weights", &cp, err);
    if (status != STATUS_OK) return status;
    for (int64_t i = 0; i < batch->positions && !system_must_end(); i++) {
        double ahead = (double)data->result[batch->index[i]] - RESULT_DRAW;
        decisive += ahead != 0;
        right += (ahead > 0 && cp[i] > 0) || (ahead < 0 && cp[i] < 0);
    }
    scratch_free(batch->scratch, cp);
    score->n = batch->positions;
    score->games = batch->games;
    loss_set_form(loss, &squared);
    score->mse = loss_value(loss, value, k);
    loss_set_form(loss, &fit->settings->loss);
    score->accuracy = decisive > 0 ? (double)right / (double)decisive : (double)NAN;
    return system_check_end(err);
}

/* What is left of equal sums by rounding is not the same on every machine; it becomes 0. */
static double without_noise(double gain)
{
    return fabs(gain) < 1e-12 ? 0 : gain;
}

double fit_gain_mean(const FitGain *g)
{
    return without_noise(g->d / g->n);
}

double fit_gain_error(const FitGain *g)
{
    double mean = fit_gain_mean(g);
    return without_noise(sqrt(fmax(g->dd - 2 * mean * g->nd + mean * mean * g->nn, 0)) / g->n);
}

/* Adds to each game sign times the squared error of its positions. */
static Status add_errors(const Fit *fit, const double *value, double k, double sign, double *games,
                         Error *err)
{
    const Batch *batch = fit->validation;
    double *cp;

    Status status = loss_evaluations(fit->validation_loss, value, "comparing weights", &cp, err);
    if (status != STATUS_OK) return status;
    for (int64_t i = 0; i < batch->positions; i++) {
        double x = k * cp[i] / LOSS_CP_SCALE, p, target = (double)batch->target[i];
        loss_sigmoid(&x, &p, 1);
        games[fit->data->game[batch->index[i]]] += sign * (p - target) * (p - target);
    }
    scratch_free(batch->scratch, cp);
    return STATUS_OK;
}

Status fit_add_gain(const Fit *fit, const double *to, double to_k, FitGain *gain, Error *err)
{
    const Batch *batch = fit->validation;
    size_t games = (size_t)fit->data->games;
    double *d = calloc(2 * games + 1, sizeof *d), *n = d ? d + games : NULL;

    if (!d) return error_set(err, STATUS_FAILED, "out of memory for comparing weights");
    Status status = add_errors(fit, fit->start, fit->result.k, 1, d, err);
    if (status == STATUS_OK) status = add_errors(fit, to, to_k, -1, d, err);
    for (int64_t i = 0; status == STATUS_OK && i < batch->positions; i++)
        n[fit->data->game[batch->index[i]]]++;
    for (size_t g = 0; status == STATUS_OK && g < games; g++) {
        gain->n += n[g];
        gain->d += d[g];
        gain->dd += d[g] * d[g];
        gain->nd += n[g] * d[g];
        gain->nn += n[g] * n[g];
    }
    free(d);
    return status;
}

/* ---- Laying out */

/* The hold-out is never merged or weighted, so that losses of different fits compare. */
static Status lay_out(Fit *fit, const uint8_t *take, Error *err)
{
    const FitSettings *s = fit->settings;
    BatchOptions train = {s->weighing, fit->space, take, 0, s->threads};
    BatchOptions held_out = {weighing_none, fit->space, take, 1, s->threads};
    bool holds_out = take && memchr(take, 1, (size_t)fit->data->games);

    Status status = batch_create(fit->data, &train, &fit->train, err);
    if (status == STATUS_OK && holds_out)
        status = batch_create(fit->data, &held_out, &fit->validation, err);
    if (status == STATUS_OK && (fit->train->positions == 0 || fit->train->weight_sum <= 0))
        status = error_set(err, STATUS_BAD_INPUT, "there are no positions to fit to");
    if (status == STATUS_OK) status = loss_create(fit->train, s->threads, &fit->train_loss, err);
    if (status == STATUS_OK && fit->validation)
        status = loss_create(fit->validation, s->threads, &fit->validation_loss, err);
    if (status != STATUS_OK) return status;
    loss_set_form(fit->train_loss, &s->loss);
    if (fit->validation) loss_set_form(fit->validation_loss, &s->loss);
    return STATUS_OK;
}

/* Fits K to the results first, because the targets may depend on it. */
static Status prepare_targets(Fit *fit, Error *err)
{
    const FitSettings *s = fit->settings;
    Status status = STATUS_OK;

    fit->result.k = s->k;
    if (s->k <= 0)
        status =
            calibrate_k(fit->train_loss, fit->start, &fit->result.k, &fit->result.k_fitted, err);
    if (status == STATUS_OK)
        status = batch_set_targets(fit->train, fit->data, s->lambda, fit->result.k, err);
    if (status == STATUS_OK && fit->validation)
        status = batch_set_targets(fit->validation, fit->data, s->lambda, fit->result.k, err);
    return status;
}

Status fit_create(const Dataset *data, const Space *space, const double *start,
                  const FitSettings *settings, const uint8_t *take, Fit **out, Error *err)
{
    size_t bytes = ((size_t)space->dimensions + 1) * sizeof(double);
    Fit *fit = calloc(1, sizeof *fit);
    Status status = STATUS_OK;

    *out = NULL;
    if (fit) {
        *fit = (Fit){
            .data = data, .space = space, .settings = settings, .patience = settings->patience};
        fit->started = clock_seconds();
        fit->start = malloc(bytes);
        fit->best = malloc(bytes);
    }
    if (!fit || !fit->start || !fit->best)
        status = error_set(err, STATUS_FAILED, "out of memory for the fit");
    if (status == STATUS_OK) {
        memcpy(fit->start, start, (size_t)space->dimensions * sizeof *start);
        space_join(space, fit->start);
        memcpy(fit->best, fit->start, (size_t)space->dimensions * sizeof *start);
        status = lay_out(fit, take, err);
    }
    if (status == STATUS_OK) status = prepare_targets(fit, err);
    if (status == STATUS_OK) {
        *out = fit;
        fit = NULL;
    }
    fit_destroy(fit);
    return status;
}

void fit_destroy(Fit *fit)
{
    if (!fit) return;
    loss_destroy(fit->train_loss);
    loss_destroy(fit->validation_loss);
    batch_destroy(fit->train);
    batch_destroy(fit->validation);
    free(fit->start);
    free(fit->best);
    free(fit);
}

/* ---- Looking at a step */

/* The second derivative of the prior is the Gauss-Newton one of `prior` positions, even ones, that
 * contain the weight once and whole. That of the squared error is the unit. */
double fit_ridge(const Fit *fit, double prior)
{
    const LossForm squared = {LOSS_SQUARED, 0};
    double slope = fit->result.k / LOSS_CP_SCALE / 4;
    double form = loss_curvature(&fit->settings->loss, 0.5) / loss_curvature(&squared, 0.5);

    if (prior < FIT_PRIOR_MIN) prior = FIT_PRIOR_MIN;
    return prior * slope * slope / fit->train->weight_sum * form;
}

/* Measures the current weights, keeps them if they are the best so far, and reports. */
static void measure_weights(Fit *fit, const Optimiser *optimiser, int iteration,
                            const FitHooks *hooks)
{
    const OptimiserState *at = optimiser_state(optimiser);
    double validation = NAN;
    bool better = true;

    if (fit->validation) {
        validation = loss_value(fit->validation_loss, at->weights, fit->result.k);
        better = iteration == 0 || fit->patience == 0 ||
                 validation < fit->best_validation * (1 + HELD_OUT_SLACK);
        if (iteration == 0 || validation < fit->best_validation) fit->best_validation = validation;
    }
    if (better) {
        memcpy(fit->best, at->weights, (size_t)fit->space->dimensions * sizeof *fit->best);
        fit->result.best_iteration = iteration;
        fit->result.objective = at->objective;
    }
    fit->result.iterations = iteration;
    fit->result.passes = at->passes;
    if (!hooks->progress) return;
    FitIteration report = {
        .iteration = iteration,
        .train_loss = at->loss,
        .validation_loss = validation,
        .seconds = clock_seconds() - fit->started,
    };
    hooks->progress(hooks->context, &report);
}

/* ---- Checkpoints: these numbers, the best weights, the optimiser */

enum { STATE_ITERATIONS, STATE_BEST_ITERATION, STATE_BEST_VALIDATION, STATE_OBJECTIVE, STATE_HEAD };

static Status state_create(const Fit *fit, const Optimiser *optimiser, double **state, int *size,
                           Error *err)
{
    *size = STATE_HEAD + fit->space->dimensions + optimiser_saved_size(optimiser);
    *state = malloc((size_t)*size * sizeof **state);
    if (!*state) return error_set(err, STATUS_FAILED, "out of memory for a checkpoint");
    return STATUS_OK;
}

/* Every few seconds, and on interruption (now). */
static Status save(const Fit *fit, const Optimiser *optimiser, const FitHooks *hooks, bool now,
                   double *saved, Error *err)
{
    const int dimensions = fit->space->dimensions;
    double *state;
    int size;

    if (!hooks->checkpoint || (!now && clock_seconds() - *saved < CHECKPOINT_SECONDS))
        return STATUS_OK;
    Status status = state_create(fit, optimiser, &state, &size, err);
    if (status != STATUS_OK) return status;
    state[STATE_ITERATIONS] = fit->result.iterations;
    state[STATE_BEST_ITERATION] = fit->result.best_iteration;
    state[STATE_BEST_VALIDATION] = fit->best_validation;
    state[STATE_OBJECTIVE] = fit->result.objective;
    memcpy(state + STATE_HEAD, fit->best, (size_t)dimensions * sizeof *state);
    optimiser_save(optimiser, state + STATE_HEAD + dimensions);
    status = checkpoint_write(hooks->checkpoint, hooks->identity, state, size, err);
    free(state);
    *saved = clock_seconds();
    return status;
}

static Status take_state(Fit *fit, Optimiser *optimiser, const double *state, Error *err)
{
    const int dimensions = fit->space->dimensions;
    double iterations = state[STATE_ITERATIONS], best = state[STATE_BEST_ITERATION];

    if (!(iterations >= 0 && iterations <= INT_MAX && best >= 0 && best <= iterations))
        return error_set(err, STATUS_BAD_INPUT, "no state of this fit");
    fit->result.iterations = (int)iterations;
    fit->result.best_iteration = (int)best;
    fit->best_validation = state[STATE_BEST_VALIDATION];
    fit->result.objective = state[STATE_OBJECTIVE];
    memcpy(fit->best, state + STATE_HEAD, (size_t)dimensions * sizeof *state);
    Status status = optimiser_restore(optimiser, state + STATE_HEAD + dimensions, err);
    fit->result.passes = optimiser_state(optimiser)->passes;
    return status;
}

static Status resume(Fit *fit, Optimiser *optimiser, const FitHooks *hooks, bool *found, Error *err)
{
    double *state;
    int size;

    *found = false;
    if (!hooks->checkpoint) return STATUS_OK;
    Status status = state_create(fit, optimiser, &state, &size, err);
    if (status != STATUS_OK) return status;
    status = checkpoint_read(hooks->checkpoint, hooks->identity, state, size, found, err);
    if (status == STATUS_OK && *found) {
        status = take_state(fit, optimiser, state, err);
        if (status == STATUS_OK && fit->result.iterations > fit->settings->max_iterations)
            status = error_set(
                err, STATUS_BAD_INPUT,
                "the checkpoint has %d iterations, more than the %d of this fit; remove it or use another --checkpoint",
                fit->result.iterations, fit->settings->max_iterations);
        if (status == STATUS_BAD_INPUT) (void)error_prefix(err, "%s", hooks->checkpoint);
    }
    free(state);
    return status;
}

/* ---- Running */

static Status iterate(Fit *fit, Optimiser *optimiser, const FitHooks *hooks, Error *err)
{
    const FitSettings *settings = fit->settings;
    double saved = clock_seconds();
    bool resumed;

    Status status = resume(fit, optimiser, hooks, &resumed, err);
    if (status != STATUS_OK) return status;
    if (!resumed) measure_weights(fit, optimiser, 0, hooks);
    for (int i = fit->result.iterations + 1;
         i <= settings->max_iterations && !fit->result.converged; i++) {
        bool stop = hooks->interrupted && atomic_load(hooks->interrupted);
        status = save(fit, optimiser, hooks, stop, &saved, err);
        if (status == STATUS_OK && !stop)
            status = optimiser_step(optimiser, TOLERANCE, &fit->result.converged, err);
        if (status == STATUS_INTERRUPTED) { /* the step has not begun to move */
            stop = true;
            status = save(fit, optimiser, hooks, stop, &saved, err);
        }
        if (status == STATUS_OK && stop)
            status = error_set(err, STATUS_INTERRUPTED, "interrupted before iteration %d%s%s", i,
                               hooks->checkpoint ? "; the same command continues from " : "",
                               hooks->checkpoint ? hooks->checkpoint : "");
        if (status != STATUS_OK) return status;
        if (!fit->result.converged || settings->method == OPTIMISER_ADAM)
            measure_weights(fit, optimiser, i, hooks);
        if (fit->patience > 0 && i - fit->result.best_iteration >= fit->patience) break;
    }
    return STATUS_OK;
}

/* The free columns of a group all become their common mean in start[]. */
static void flatten_group(const Space *space, const double *start, int group, double *mean)
{
    double sum = 0;
    int size = 0;

    for (int c = 0; c < space->columns; c++)
        if (space->group[c] == group && !space->fixed[c]) {
            sum += start[c];
            size++;
        }
    for (int c = 0; c < space->columns; c++)
        if (space->group[c] == group && !space->fixed[c]) mean[c] = sum / size;
}

/* The mean of the prior: the start, but zero for tables; or zero, except for fixed weights and
 * frozen common means. */
static void find_prior_mean(const Fit *fit, double *mean)
{
    const Space *space = fit->space;
    bool zero = fit->settings->prior_zero;

    for (int i = 0; i < space->dimensions; i++)
        mean[i] =
            space->fixed[i] || (!zero && i % space->columns < space->tables) ? fit->start[i] : 0;
    for (int half = 0; zero && half < space->dimensions; half += space->columns)
        for (int g = 0; g < space->groups; g++)
            if (space->mean_pull[g] > 1) flatten_group(space, fit->start + half, g, mean + half);
}

Status fit_run(Fit *fit, double prior, const double *from, const FitHooks *hooks, Error *err)
{
    static const FitHooks none = {0};
    OptimiserSettings settings = {fit->settings->method, fit->result.k, fit_ridge(fit, prior),
                                  hooks ? hooks->interrupted : NULL};
    double *mean = calloc((size_t)fit->space->dimensions + 1, sizeof *mean);
    Optimiser *optimiser = NULL;

    if (!mean) return error_set(err, STATUS_FAILED, "out of memory for the prior");
    find_prior_mean(fit, mean);
    fit->result.prior = prior;
    fit->result.converged = false;
    Status status = optimiser_create(fit->train_loss, fit->space, mean, from ? from : fit->start,
                                     &settings, &optimiser, err);
    if (status == STATUS_OK) status = iterate(fit, optimiser, hooks ? hooks : &none, err);
    optimiser_destroy(optimiser);
    free(mean);
    return status;
}
