/* SPDX-License-Identifier: MIT
 * Fits to parts of the games. */
#include "tuner/fit/folds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Choosing the prior */

static double trial_prior(int trial)
{
    return ldexp(1, 2 * (FIT_TRIALS - 1 - trial)); /* 65536, 16384 … 4, 1 */
}

/* Runs the series of priors, from the strongest on, each from where the last ended, and adds the
 * held-out squared errors times their positions to mse[FIT_TRIALS]. */
static Status try_priors(Fit *fit, double mse[FIT_TRIALS], const FitHooks *hooks, Error *err)
{
    double *from = malloc(((size_t)fit->space->dimensions + 1) * sizeof *from);
    Status status = STATUS_OK;

    if (!from) return error_set(err, STATUS_FAILED, "out of memory for choosing the prior");
    fit->patience = 0; /* here the prior alone limits overfitting */
    memcpy(from, fit->start, (size_t)fit->space->dimensions * sizeof *from);
    for (int t = 0; t < FIT_TRIALS && status == STATUS_OK; t++) {
        FitScore score;
        status = fit_run(fit, trial_prior(t), from, hooks, err);
        if (status != STATUS_OK) break;
        memcpy(from, fit->best, (size_t)fit->space->dimensions * sizeof *from);
        status = fit_measure(fit, fit->validation_loss, fit->best, fit->result.k, &score, err);
        if (status == STATUS_OK) mse[t] += score.mse * (double)score.n;
    }
    fit->patience = fit->settings->patience;
    free(from);
    return status;
}

/* From the summed errors over n positions. */
static double best_prior(const double mse[FIT_TRIALS], double n, FitTrial *trials)
{
    int best = 0;

    for (int t = 0; t < FIT_TRIALS; t++) {
        trials[t] = (FitTrial){trial_prior(t), mse[t] / n};
        if (mse[t] < mse[best]) best = t;
    }
    return trials[best].prior;
}

Status fit_choose_prior(Fit *fit, const FitHooks *hooks, FitTrial *trials, double *prior,
                        Error *err)
{
    double mse[FIT_TRIALS] = {0};

    if (!fit->validation)
        return error_set(err, STATUS_USAGE, "choosing the prior needs --validation or --folds");
    Status status = try_priors(fit, mse, hooks, err);
    *prior = best_prior(mse, (double)fit->validation->positions, trials);
    return status;
}

/* ---- Cross-validation */

typedef struct CrossValidation {
    const Dataset *data;
    const Space *space;
    const double *start;
    const FitSettings *settings;
    const FitHooks *hooks;
    const uint8_t *fold; /* [games] */
    uint8_t *take;       /* [games] */
} CrossValidation;

/* The fit to all folds but `fold`. */
static Status fold_fit(const CrossValidation *c, int fold, Fit **fit, Error *err)
{
    for (int64_t g = 0; g < c->data->games; g++)
        c->take[g] = c->fold[g] == fold;
    return fit_create(c->data, c->space, c->start, c->settings, c->take, fit, err);
}

static Status choose_prior(const CrossValidation *c, FitTrial *trials, double *prior, Error *err)
{
    double mse[FIT_TRIALS] = {0};
    Status status = STATUS_OK;

    for (int f = 0; f < c->settings->folds && status == STATUS_OK; f++) {
        Fit *fit;
        status = fold_fit(c, f, &fit, err);
        if (status == STATUS_OK) status = try_priors(fit, mse, c->hooks, err);
        fit_destroy(fit);
    }
    *prior = best_prior(mse, (double)c->data->positions, trials);
    return status;
}

static Status run_fold(const CrossValidation *c, int f, double prior, FitFold *fold, FitGain *gain,
                       Error *err)
{
    Fit *fit;
    FitScore train;

    Status status = fold_fit(c, f, &fit, err);
    if (status == STATUS_OK) {
        fit->patience = 0; /* the fold that is measured must not stop the fit */
        status = fit_run(fit, prior, NULL, c->hooks, err);
    }
    if (status == STATUS_OK)
        status = fit_measure(fit, fit->train_loss, fit->best, fit->result.k, &train, err);
    if (status == STATUS_OK)
        status =
            fit_measure(fit, fit->validation_loss, fit->best, fit->result.k, &fold->held_out, err);
    if (status == STATUS_OK) status = fit_add_gain(fit, fit->best, fit->result.k, gain, err);
    if (status == STATUS_OK) fold->train_mse = train.mse;
    fit_destroy(fit);
    return status;
}

Status fit_cross_validate(const Dataset *data, const Space *space, const double *start,
                          const FitSettings *settings, const FitHooks *hooks, FitFold *folds,
                          FitTrial *trials, double *prior, SplitCounts *split, FitGain *gain,
                          Error *err)
{
    size_t games = (size_t)data->games;
    uint8_t *fold = malloc(games + 1), *take = malloc(games + 1);
    CrossValidation c = {data, space, start, settings, hooks, fold, take};
    Status status = STATUS_OK;

    if (!fold || !take) status = error_set(err, STATUS_FAILED, "out of memory for the folds");
    if (status == STATUS_OK)
        status = split_folds(data, settings->folds, settings->seed, fold, &split->copies, err);
    if (status == STATUS_OK)
        status = split_measure(data, fold, true, settings->threads, split, err);
    *prior = settings->prior;
    if (status == STATUS_OK && settings->prior == FIT_PRIOR_AUTO)
        status = choose_prior(&c, trials, prior, err);
    for (int f = 0; f < settings->folds && status == STATUS_OK; f++)
        status = run_fold(&c, f, *prior, &folds[f], gain, err);
    free(fold);
    free(take);
    return status;
}
