/* SPDX-License-Identifier: MIT
 * Fitting Tabia's evaluation: from weights to the columns of a fit and back. */
#include "tuner/job/tune.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/data/split.h"
#include "tuner/fit/calibrate.h"
#include "tuner/fit/checkpoint.h"

void tune_defaults(TuneSettings *settings)
{
    *settings = (TuneSettings){.fit = {.lambda = 1,
                                       .validation = 0.1,
                                       .max_iterations = 100,
                                       .patience = 8,
                                       .prior = 20,
                                       .draw_weight = 1,
                                       .decay = 1,
                                       .seed = 1,
                                       .threads = 1},
                               .army = COLUMNS_ARMY,
                               .terms = EVAL_MATERIAL_PST};
}

void tune_result_free(TuneResult *result)
{
    detail_destroy(result->detail);
    result->detail = NULL;
}

/* ---- Measuring given weights */

Status tune_score(const Dataset *data, const EvalWeights *weights, const TuneSettings *settings,
                  double *k, FitScore *score, Error *err)
{
    double value[DIMENSIONS];
    FitSettings plain = settings->fit;
    Space *space = NULL;
    Fit *fit = NULL;

    if (data->positions == 0)
        return error_set(err, STATUS_BAD_INPUT, "there are no positions to measure on");
    plain.duplicates = DUPLICATES_KEEP;
    plain.draw_weight = plain.decay = 1;
    columns_from_weights(weights, value);
    Status status = space_of_evaluation(0, &space, err);
    if (status == STATUS_OK) status = fit_create(data, space, value, &plain, NULL, &fit, err);
    if (status == STATUS_OK) {
        *k = fit->k;
        status = fit_measure(fit, fit->train_loss, value, *k, score, err);
    }
    fit_destroy(fit);
    space_destroy(space);
    return status;
}

/* ---- Fitting */

typedef struct Tune {
    const Dataset *data;
    const TuneSettings *settings;
    const FitHooks *hooks;
    TuneResult *result;
    TuneDetail *detail;  /* always there while fitting */
    const double *start; /* [dimensions] */
    double *written;     /* [dimensions] the result's weights as columns; owned */
    bool judge;          /* work out the detail */
    bool foreign;        /* not Tabia's evaluation: no header, nothing is rounded */
    Fit *fit;
} Tune;

/* Weights that stay have a scale of their own, which the others must keep. */
static void keep_scale(Space *space, EvalFamilies terms, const double *start)
{
    for (int i = 0; i < DIMENSIONS; i++)
        if (start[i] != 0 && !(terms & eval_family(column_family(i % COLUMNS))))
            space->frozen = true;
}

static Status shape_space(Tune *t, Error *err)
{
    const TuneSettings *s = t->settings;
    Status status = STATUS_OK;

    if (!t->foreign) keep_scale(t->detail->space, s->terms, t->start);
    if (s->freeze) status = space_freeze(t->detail->space, s->freeze, err);
    if (s->mirror && !t->foreign) space_tie_mirrored(t->detail->space);
    return status;
}

/* take[] is malloc'ed, or NULL where nothing is held out. */
static Status hold_out(const Tune *t, uint8_t **take, Error *err)
{
    const Dataset *data = t->data;
    double share = t->settings->fit.folds > 0 ? 0 : t->settings->fit.validation;
    int64_t held_out = 0;

    *take = NULL;
    if (share <= 0) return STATUS_OK;
    *take = malloc((size_t)data->games + 1);
    if (!*take) return error_set(err, STATUS_FAILED, "out of memory for the hold-out");
    Status status = split_hold_out(data, share, t->settings->fit.seed, *take, err);
    if (status != STATUS_OK) return status;
    for (int32_t g = 0; g < data->games; g++)
        held_out += (*take)[g];
    if (held_out == 0 || held_out == data->games)
        return error_set(err, STATUS_BAD_INPUT, "%d game%s too few to hold out a share of %g",
                         data->games, data->games == 1 ? " is" : "s are", share);
    return STATUS_OK;
}

static Status make_fit(Tune *t, Error *err)
{
    uint8_t *take;

    Status status = hold_out(t, &take, err);
    if (status == STATUS_OK)
        status =
            fit_create(t->data, t->detail->space, t->start, &t->settings->fit, take, &t->fit, err);
    free(take);
    return status;
}

/* Which fit a checkpoint belongs to: the positions and all that decides where it goes. What is
 * frozen is told by what is fixed and how means are held. */
static void identify(const Tune *t, double prior, char out[CHECKPOINT_IDENTITY_MAX])
{
    const FitSettings *s = &t->settings->fit;
    const Space *space = t->detail->space;
    char start[HASH_HEX_MAX], fixed[HASH_HEX_MAX], pull[HASH_HEX_MAX];

    sha256_hex(t->fit->start, (uint64_t)space->dimensions * sizeof *t->fit->start, start);
    sha256_hex(space->fixed, (uint64_t)space->dimensions * sizeof *space->fixed, fixed);
    sha256_hex(space->mean_pull, (uint64_t)space->groups * sizeof *space->mean_pull, pull);
    (void)snprintf(out, CHECKPOINT_IDENTITY_MAX,
                   "%s, %d columns, lambda %g, loss %d %g, k %.17g, prior %g %d, validation %g, "
                   "folds %d, duplicates %d, draws %g, decay %g, mirror %d, seed %llu, "
                   "start %.16s, fixed %.16s, pull %.16s",
                   t->data->digest, space->columns, s->lambda, (int)s->loss.kind, s->loss.floor,
                   t->fit->k, prior, s->prior_zero, s->validation, s->folds, (int)s->duplicates,
                   s->draw_weight, s->decay, t->settings->mirror, (unsigned long long)s->seed,
                   start, fixed, pull);
}

/* From the checkpoint on, where there is one. */
static Status run_last(Tune *t, double prior, Error *err)
{
    const char *path = t->settings->checkpoint;
    FitHooks hooks = *t->hooks;
    char identity[CHECKPOINT_IDENTITY_MAX];
    bool found = false;
    size_t bytes = ((size_t)t->detail->space->dimensions + 1) * sizeof(double);

    if (!path) return fit_run(t->fit, prior, NULL, t->hooks, err);
    double *from = malloc(bytes);
    if (!from) return error_set(err, STATUS_FAILED, "out of memory for a checkpoint");
    identify(t, prior, identity);
    hooks.checkpoint = path;
    hooks.identity = identity;
    Status status =
        checkpoint_read(path, identity, from, t->detail->space->dimensions, &found, err);
    if (status == STATUS_OK) status = fit_run(t->fit, prior, found ? from : NULL, &hooks, err);
    free(from);
    return status;
}

static Status run(Tune *t, Error *err)
{
    const FitSettings *s = &t->settings->fit;
    double prior = s->prior;
    Status status = STATUS_OK;

    if (s->prior_auto) t->detail->trial_count = FIT_TRIALS;
    if (s->folds > 0) {
        t->detail->fold_count = s->folds;
        status = fit_cross_validate(t->data, t->detail->space, t->start, s, t->hooks,
                                    t->detail->folds, t->detail->trials, &prior, err);
    }
    if (status == STATUS_OK) status = make_fit(t, err);
    if (status == STATUS_OK && s->folds == 0 && s->prior_auto)
        status = fit_choose_prior(t->fit, t->hooks, t->detail->trials, &prior, err);
    if (status == STATUS_OK) status = run_last(t, prior, err);
    return status;
}

/* Multiplies into the scale that is asked for and rounds. */
static Status take_weights(Tune *t, Error *err)
{
    const TuneSettings *s = t->settings;
    const Fit *fit = t->fit;
    TuneResult *r = t->result;
    double army = space_scale(t->detail->space, fit->best);
    bool varies = s->fit.k <= 0 && s->army > 0 && army > 0 && !t->detail->space->frozen;

    r->prior = fit->prior;
    r->objective = fit->objective;
    r->k_start = fit->k;
    r->k_fitted = fit->k_fitted;
    r->iterations = fit->iterations;
    r->best_iteration = fit->best_iteration;
    r->passes = fit->passes;
    r->converged = fit->converged;
    r->scale = varies ? s->army / army : 1;
    r->k = r->k_start / r->scale;
    size_t bytes = ((size_t)t->detail->space->dimensions + 1) * sizeof(double);
    double *value = t->detail->value = malloc(bytes);
    t->written = malloc(bytes);
    if (!value || !t->written)
        return error_set(err, STATUS_FAILED, "out of memory for the weights");
    for (int i = 0; i < t->detail->space->dimensions; i++)
        value[i] = t->written[i] = r->scale * fit->best[i];
    space_spread(t->detail->space, value);
    if (!t->foreign) {
        columns_to_weights(value, &r->weights);
        columns_from_weights(&r->weights, t->written);
    }
    return t->judge ? errors_create(t->fit, r->scale, varies, &t->detail->errors, err) : STATUS_OK;
}

static Status measure(Tune *t, Error *err)
{
    Fit *fit = t->fit;
    TuneResult *r = t->result;

    r->validation_before = r->validation_after = (FitScore){.mse = NAN, .accuracy = NAN};
    Status status =
        fit_measure(fit, fit->train_loss, fit->start, r->k_start, &r->train_before, err);
    if (status == STATUS_OK)
        status = fit_measure(fit, fit->train_loss, t->written, r->k, &r->train_after, err);
    if (status == STATUS_OK && fit->validation)
        status = fit_measure(fit, fit->validation_loss, fit->start, r->k_start,
                             &r->validation_before, err);
    if (status == STATUS_OK && fit->validation)
        status =
            fit_measure(fit, fit->validation_loss, t->written, r->k, &r->validation_after, err);
    return status;
}

static Status break_down(Tune *t, Error *err)
{
    TuneDetail *d = t->detail;
    const Fit *fit = t->fit;

    Status status = breakdown_measure(t->data, d->space, fit->train_loss, t->written, t->result->k,
                                      &d->train, err);
    d->has_validation = fit->validation != NULL;
    if (status == STATUS_OK && fit->validation)
        status = breakdown_measure(t->data, d->space, fit->validation_loss, t->written,
                                   t->result->k, &d->validation, err);
    if (status == STATUS_OK)
        detail_judge(d, fit, t->result->train_after.mse, t->result->validation_after.mse);
    return status;
}

/* Takes t->detail, whose space is made. */
static Status fit_and_judge(Tune *t, Error *err)
{
    Status status = STATUS_OK;

    if (t->data->positions == 0)
        status = error_set(err, STATUS_BAD_INPUT, "there are no positions to fit to");
    if (status == STATUS_OK) status = shape_space(t, err);
    if (status == STATUS_OK) status = run(t, err);
    t->judge = t->settings->detail && status == STATUS_OK; /* who interrupts has no time */
    if ((status == STATUS_OK || status == STATUS_INTERRUPTED) && t->fit) {
        Status finished = take_weights(t, err);
        if (finished == STATUS_OK) finished = measure(t, err);
        if (finished == STATUS_OK && t->judge) finished = break_down(t, err);
        if (finished != STATUS_OK) status = finished;
    }
    fit_destroy(t->fit);
    free(t->written);
    if (t->judge && status == STATUS_OK)
        t->result->detail = t->detail;
    else
        detail_destroy(t->detail);
    return status;
}

Status tune_fit(const Dataset *data, const EvalWeights *start, const TuneSettings *settings,
                const atomic_int *interrupted, FitProgressFn progress, void *context,
                TuneResult *result, Error *err)
{
    const FitHooks hooks = {.interrupted = interrupted, .progress = progress, .context = context};
    double value[DIMENSIONS];
    Tune t = {
        .data = data, .settings = settings, .hooks = &hooks, .result = result, .start = value};

    *result = (TuneResult){0};
    columns_from_weights(start, value);
    t.detail = calloc(1, sizeof *t.detail);
    if (!t.detail) return error_set(err, STATUS_FAILED, "out of memory for the fit");
    Status status = space_of_evaluation(settings->terms, &t.detail->space, err);
    if (status == STATUS_OK) return fit_and_judge(&t, err);
    detail_destroy(t.detail);
    return status;
}

Status tune_fit_columns(const Dataset *data, Space *space, const double *start,
                        const TuneSettings *settings, const atomic_int *interrupted,
                        FitProgressFn progress, void *context, TuneResult *result, Error *err)
{
    const FitHooks hooks = {.interrupted = interrupted, .progress = progress, .context = context};
    Tune t = {.data = data,
              .settings = settings,
              .hooks = &hooks,
              .result = result,
              .start = start,
              .foreign = true};

    *result = (TuneResult){0};
    t.detail = calloc(1, sizeof *t.detail);
    if (!t.detail) {
        space_destroy(space);
        return error_set(err, STATUS_FAILED, "out of memory for the fit");
    }
    t.detail->space = space;
    return fit_and_judge(&t, err);
}
