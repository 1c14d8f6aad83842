/* SPDX-License-Identifier: MIT
 * Cross-validation by game. */
#include <stdlib.h>

#include "tuner/data/split.h"
#include "tuner/fit/fit.h"

typedef struct CrossValidation {
    const Dataset *data;
    const Space *space;
    const double *start;
    const TuneSettings *settings;
    const FitHooks *hooks;
    const uint8_t *fold; /* [games] */
    uint8_t *take;       /* [games] */
} CrossValidation;

/* The fit to all folds but `fold`. */
static Status fold_fit(const CrossValidation *c, int fold, Fit **fit, Error *err)
{
    for (int64_t g = 0; g < dataset_games(c->data); g++)
        c->take[g] = c->fold[g] == fold;
    return fit_create(c->data, c->space, c->start, c->settings, c->take, fit, err);
}

static Status choose_prior(const CrossValidation *c, FitTrial *trials, double *prior, Error *err)
{
    double mse[FIT_TRIALS] = {0};
    int best = 0;
    Status status = STATUS_OK;

    for (int f = 0; f < c->settings->folds && status == STATUS_OK; f++) {
        Fit *fit;
        status = fold_fit(c, f, &fit, err);
        if (status == STATUS_OK) status = fit_try_priors(fit, mse, c->hooks, err);
        fit_destroy(fit);
    }
    for (int t = 0; t < FIT_TRIALS; t++) {
        trials[t] = (FitTrial){fit_trial_prior(t), mse[t] / (double)dataset_positions(c->data)};
        if (trials[t].mse < trials[best].mse) best = t;
    }
    *prior = trials[best].prior;
    return status;
}

static Status run_fold(const CrossValidation *c, int f, double prior, FitFold *fold, Error *err)
{
    Fit *fit;
    TuneScore train;

    Status status = fold_fit(c, f, &fit, err);
    if (status == STATUS_OK) {
        fit->patience = 0; /* what is measured on must not have a say */
        status = fit_run(fit, prior, NULL, c->hooks, err);
    }
    if (status == STATUS_OK)
        status = fit_measure(fit, fit->train_loss, fit->best, fit->k, &train, err);
    if (status == STATUS_OK)
        status = fit_measure(fit, fit->validation_loss, fit->best, fit->k, &fold->held_out, err);
    if (status == STATUS_OK) fold->train_mse = train.mse;
    fit_destroy(fit);
    return status;
}

Status fit_cross_validate(const Dataset *data, const Space *space, const double *start,
                          const TuneSettings *settings, const FitHooks *hooks, FitFold *folds,
                          FitTrial *trials, double *prior, Error *err)
{
    size_t games = (size_t)dataset_games(data);
    uint8_t *fold = malloc(games + 1), *take = malloc(games + 1);
    CrossValidation c = {data, space, start, settings, hooks, fold, take};
    Status status = STATUS_OK;

    if (!fold || !take) status = error_set(err, STATUS_FAILED, "out of memory for the folds");
    if (status == STATUS_OK && (int64_t)games < settings->folds)
        status = error_set(err, STATUS_BAD_INPUT, "%zu game%s too few for %d folds", games,
                           games == 1 ? " is" : "s are", settings->folds);
    if (status == STATUS_OK) status = split_folds(data, settings->folds, settings->seed, fold, err);
    *prior = settings->prior;
    if (status == STATUS_OK && settings->prior_auto) status = choose_prior(&c, trials, prior, err);
    for (int f = 0; f < settings->folds && status == STATUS_OK; f++)
        status = run_fold(&c, f, *prior, &folds[f], err);
    free(fold);
    free(take);
    return status;
}
