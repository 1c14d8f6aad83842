/* SPDX-License-Identifier: MIT
 * Fitting Tabia's evaluation: from weights to the columns of a fit and back. */
#include "tuner/job/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/fit/checkpoint.h"

void tune_result_free(TuneResult *result)
{
    diagnostics_destroy(result->diagnostics);
    result->diagnostics = NULL;
}

/* ---- Measuring given weights */

Status tune_score(const Dataset *data, const EvalWeights *weights, const TuneSettings *settings,
                  double *k, bool *k_fitted, FitScore *score, Error *err)
{
    double value[ALL_DIMENSIONS];
    FitSettings plain = settings->fit;
    Space *space = NULL;
    Fit *fit = NULL;

    if (data->positions == 0)
        return error_set(err, STATUS_BAD_INPUT, "there are no positions to measure on");
    plain.weighing = weighing_none;
    columns_from_weights(weights, data->columns, value);
    Status status = space_of_evaluation(0, data->columns, &space, err);
    if (status == STATUS_OK) status = fit_create(data, space, value, &plain, NULL, &fit, err);
    if (status == STATUS_OK) {
        *k = fit->result.k;
        *k_fitted = fit->result.k_fitted;
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
    Diagnostics *diagnostics; /* never NULL while fitting */
    const double *start;      /* [dimensions] */
    double *written;          /* [dimensions] the result's weights as columns; owned */
    bool foreign;             /* not Tabia's evaluation: no header, no rounding */
    Fit *fit;
} Tune;

/* Under a prior below 1, frozen means are held as under 1. */
static void hold_means(Space *space, double prior)
{
    for (int g = 0; g < space->groups; g++)
        if (space->mean_pull[g] > 1 && prior < 1) space->mean_pull[g] /= fmax(prior, FIT_PRIOR_MIN);
}

/* A fixed weight that would be clamped on writing does not stay as it is. */
static Status check_fixed(const Tune *t, Error *err)
{
    const Space *space = t->diagnostics->space;

    for (int i = 0; i < space->dimensions; i++)
        if (space->fixed[i] && column_occurs(i % space->columns) &&
            fabs(t->start[i]) > COLUMN_VALUE_MAX)
            return error_set(
                err, STATUS_BAD_INPUT,
                "the start has %g cp for %s, which is not fitted; a fit writes up to %d cp",
                t->start[i], space->name[i % space->columns], COLUMN_VALUE_MAX);
    return STATUS_OK;
}

static Status shape_space(Tune *t, Error *err)
{
    const TuneSettings *s = t->settings;
    Space *space = t->diagnostics->space;
    Status status = STATUS_OK;

    /* Weights that are not fitted fix the scale of the others. */
    for (int i = 0; !t->foreign && i < space->dimensions; i++)
        if (t->start[i] != 0 && !(s->terms & eval_family(column_info(i % space->columns)->family)))
            space->frozen = true;
    if (s->fit.prior != FIT_PRIOR_AUTO)
        space->table_pull = s->king_prior / fmax(s->fit.prior, FIT_PRIOR_MIN);
    if (s->freeze) status = space_freeze(space, s->freeze, err);
    if (s->fit.prior != FIT_PRIOR_AUTO)
        hold_means(space, s->fit.prior); /* those that it tries are above */
    if (status == STATUS_OK && !t->foreign) status = check_fixed(t, err);
    if (s->mirror && !t->foreign) space_tie_mirrored(space);
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
    SplitCounts *split = &t->diagnostics->split;
    Status status = split_hold_out(data, share, t->settings->fit.seed, *take, &split->copies, err);
    if (status != STATUS_OK) return status;
    for (int32_t g = 0; g < data->games; g++)
        held_out += (*take)[g];
    if (held_out == 0 || held_out == data->games)
        return error_set(err, STATUS_BAD_INPUT,
                         "%lld game%s too few to hold out %g of them; set --validation 0",
                         (long long)(data->games - split->copies),
                         data->games - split->copies == 1 ? " is" : "s are", share);
    return split_measure(data, *take, false, t->settings->fit.threads, split, err);
}

static Status make_fit(Tune *t, Error *err)
{
    uint8_t *take;

    Status status = hold_out(t, &take, err);
    if (status == STATUS_OK)
        status = fit_create(t->data, t->diagnostics->space, t->start, &t->settings->fit, take,
                            &t->fit, err);
    free(take);
    return status;
}

/* Identifies the fit of a checkpoint: the positions and all settings that change the result. The
 * fixed weights and the pull on means stand for --terms and --freeze, the start for --army. */
static void identify(const Tune *t, double prior, char out[CHECKPOINT_IDENTITY_MAX])
{
    const Space *space = t->diagnostics->space;
    char start[HASH_HEX_MAX], fixed[HASH_HEX_MAX], pull[HASH_HEX_MAX];

    sha256_hex(t->fit->start, (uint64_t)space->dimensions * sizeof *t->fit->start, start);
    sha256_hex(space->fixed, (uint64_t)space->dimensions * sizeof *space->fixed, fixed);
    sha256_hex(space->mean_pull, (uint64_t)space->groups * sizeof *space->mean_pull, pull);
    (void)snprintf(out, CHECKPOINT_IDENTITY_MAX,
                   "%s, %d columns, k %.17g, prior %.17g, %s, start %.16s, fixed %.16s, pull %.16s",
                   t->data->digest, space->columns, t->fit->result.k, prior,
                   t->settings->fit.patience > 0 ? "patience" : "no patience", start, fixed, pull);
    settings_append(tune_settings, tune_identity, t->settings, NULL, out, CHECKPOINT_IDENTITY_MAX);
}

/* The fit whose weights count, with the checkpoint. */
static Status run_last(Tune *t, double prior, Error *err)
{
    FitHooks hooks = t->hooks ? *t->hooks : (FitHooks){0};
    char identity[CHECKPOINT_IDENTITY_MAX];

    identify(t, prior, identity);
    hooks.checkpoint = t->settings->checkpoint;
    hooks.identity = identity;
    return fit_run(t->fit, prior, NULL, &hooks, err);
}

static Status run(Tune *t, Error *err)
{
    const FitSettings *s = &t->settings->fit;
    double prior = s->prior;
    Status status = STATUS_OK;

    if (s->prior == FIT_PRIOR_AUTO) t->diagnostics->trial_count = FIT_TRIALS;
    if (s->folds > 0) {
        t->diagnostics->fold_count = s->folds;
        status = fit_cross_validate(t->data, t->diagnostics->space, t->start, s, t->hooks,
                                    t->diagnostics->folds, t->diagnostics->trials, &prior,
                                    &t->diagnostics->split, &t->result->gain, err);
    }
    if (status == STATUS_OK) status = make_fit(t, err);
    if (status == STATUS_OK && s->folds == 0 && s->prior == FIT_PRIOR_AUTO)
        status = fit_choose_prior(t->fit, t->hooks, t->diagnostics->trials, &prior, err);
    if (status == STATUS_OK) status = run_last(t, prior, err);
    return status;
}

/* Multiplies the weights by the scale and rounds them. */
static Status take_weights(Tune *t, Error *err)
{
    const TuneSettings *s = t->settings;
    const Fit *fit = t->fit;
    TuneResult *r = t->result;
    const Space *space = t->diagnostics->space;
    double material = space_scale(space, fit->best);
    bool varies = s->fit.k <= 0 && s->start_material > 0 && material > 0 && !space->frozen;

    r->fit = fit->result;
    r->scaled = varies;
    r->scale = varies ? s->start_material / material : 1;
    r->k = r->fit.k / r->scale;
    size_t bytes = ((size_t)space->dimensions + 1) * sizeof(double);
    double *value = t->diagnostics->value = malloc(bytes);
    t->written = malloc(bytes);
    if (!value || !t->written)
        return error_set(err, STATUS_FAILED, "out of memory for the weights");
    for (int i = 0; i < space->dimensions; i++)
        value[i] = t->written[i] = r->scale * fit->best[i];
    space_spread(space, value);
    if (!t->foreign) {
        r->clamped = columns_to_weights(value, space->columns, &r->weights);
        columns_from_weights(&r->weights, space->columns, t->written);
    }
    return STATUS_OK;
}

static Status measure_side(const Tune *t, Loss *loss, FitChange *change, Error *err)
{
    const TuneResult *r = t->result;

    Status status = fit_measure(t->fit, loss, t->fit->start, r->fit.k, &change->before, err);
    return status == STATUS_OK ? fit_measure(t->fit, loss, t->written, r->k, &change->after, err)
                               : status;
}

static Status measure(Tune *t, Error *err)
{
    const FitScore none = {.mse = NAN, .accuracy = NAN};
    TuneResult *r = t->result;
    Diagnostics *d = t->diagnostics;

    r->validation = (FitChange){none, none};
    r->split = d->split;
    d->has_validation = t->fit->validation != NULL;
    Status status = measure_side(t, t->fit->train_loss, &r->train, err);
    if (status == STATUS_OK && d->has_validation)
        status = measure_side(t, t->fit->validation_loss, &r->validation, err);
    if (status == STATUS_OK && d->has_validation)
        status = fit_add_gain(t->fit, t->written, r->k, &r->gain, err);
    return status;
}

/* All or nothing: after an interruption the fit is complete without this. */
static Status diagnose(const Tune *t, Error *err)
{
    const TuneResult *r = t->result;
    Diagnostics *d = t->diagnostics;

    Status status = standard_errors_create(
        t->fit, r->scale, r->scaled, t->hooks ? t->hooks->interrupted : NULL, &d->errors, err);
    if (status == STATUS_OK)
        status = breakdown_measure(t->data, d->space, t->fit->train_loss, t->written, r->k,
                                   &d->train, err);
    if (status == STATUS_OK && d->has_validation)
        status = breakdown_measure(t->data, d->space, t->fit->validation_loss, t->written, r->k,
                                   &d->validation, err);
    if (status == STATUS_OK) {
        diagnostics_judge(d, t->fit, r->clamped, r->train.after.mse, r->validation.after.mse);
    } else {
        standard_errors_destroy(d->errors);
        d->errors = NULL;
    }
    return status;
}

/* The whole job. Takes space. */
static Status fit_space(Tune *t, Space *space, Error *err)
{
    Status status = STATUS_OK;

    t->diagnostics = calloc(1, sizeof *t->diagnostics);
    if (!t->diagnostics) {
        space_destroy(space);
        return error_set(err, STATUS_FAILED, "out of memory for the fit");
    }
    t->diagnostics->space = space;
    if (t->data->positions == 0)
        status = error_set(err, STATUS_BAD_INPUT, "there are no positions to fit to");
    if (status == STATUS_OK) status = shape_space(t, err);
    if (status == STATUS_OK && t->settings->diagnostics)
        status = standard_errors_check(t->diagnostics->space, err);
    if (status == STATUS_OK) status = run(t, err);
    if ((status == STATUS_OK || status == STATUS_INTERRUPTED) && t->fit) {
        Status taken = take_weights(t, err);
        if (taken != STATUS_OK) status = taken;
    }
    if (status == STATUS_OK) status = measure(t, err);
    bool diagnosed = status == STATUS_OK && t->settings->diagnostics;
    if (diagnosed) {
        Status finished = diagnose(t, err);
        diagnosed = finished == STATUS_OK;
        if (finished != STATUS_INTERRUPTED) status = finished;
    }
    fit_destroy(t->fit);
    free(t->written);
    if ((diagnosed || t->foreign) && status == STATUS_OK)
        t->result->diagnostics = t->diagnostics;
    else
        diagnostics_destroy(t->diagnostics);
    return status;
}

Status tune_fit(const Dataset *data, const EvalWeights *start, const TuneSettings *settings,
                const FitHooks *hooks, TuneResult *result, Error *err)
{
    double value[ALL_DIMENSIONS];
    Tune t = {.data = data, .settings = settings, .hooks = hooks, .result = result, .start = value};
    Space *space;

    *result = (TuneResult){0};
    columns_from_weights(start, data->columns, value);
    Status status = space_of_evaluation(settings->terms, data->columns, &space, err);
    return status == STATUS_OK ? fit_space(&t, space, err) : status;
}

Status tune_fit_columns(const Dataset *data, Space *space, const double *start,
                        const TuneSettings *settings, const FitHooks *hooks, TuneResult *result,
                        Error *err)
{
    Tune t = {data, settings, hooks, result, .start = start, .foreign = true};

    *result = (TuneResult){0};
    return fit_space(&t, space, err);
}
