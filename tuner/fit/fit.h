/* SPDX-License-Identifier: MIT
 * A fit over any data set and space: training and held-out positions laid out, K, the iterations
 * and the choice among them. tune.h makes it a fit of Tabia's evaluation, foreign.h of anybody's.
 */
#ifndef TABIA_TUNER_FIT_FIT_H
#define TABIA_TUNER_FIT_FIT_H

#include "tuner/job/tune.h"

typedef struct Fit {
    const Dataset *data;
    const Space *space;
    const TuneSettings *settings;
    Batch *train, *validation; /* validation: NULL without hold-out */
    Loss *train_loss, *validation_loss;
    double *start, *best; /* [dimensions]; best: of the last run */
    double k;             /* of the sigmoid while fitting */
    bool k_fitted;
    int patience; /* of the next run */
    double prior; /* of the last run */
    int iterations, best_iteration, passes;
    bool converged;
    double objective;       /* at best, the prior included */
    double best_validation; /* least held-out loss of the last run */
    double started;
} Fit;

/* Those of the hooks that are not NULL are used. */
typedef struct FitHooks {
    const atomic_int *interrupted;
    TuneProgressFn progress;
    void *context;
    const char *checkpoint, *identity; /* the file, and which fit it is of */
} FitHooks;

/* Lays out the games: take[game] is 0 for training, 1 for the hold-out; NULL: all are for training.
 * Fits K by the start. Borrows all but start[dimensions]. STATUS_BAD_INPUT when a side is empty. */
MUST_CHECK Status fit_create(const Dataset *data, const Space *space, const double *start,
                             const TuneSettings *settings, const uint8_t *take, Fit **fit,
                             Error *err);
void fit_destroy(Fit *fit); /* NULL-safe */

/* Fits under a prior, beginning at from[dimensions] (NULL: at the start). May be run again. With
 * STATUS_INTERRUPTED `best` is that of the best iteration so far. */
MUST_CHECK Status fit_run(Fit *fit, double prior, const double *from, const FitHooks *hooks,
                          Error *err);

/* Loss per square centipawn of a prior that strong. */
double fit_ridge(const Fit *fit, double prior);

/* How well value[dimensions] predicts one of the fit's sides at k. */
MUST_CHECK Status fit_measure(const Fit *fit, Loss *loss, const double *value, double k,
                              TuneScore *score, Error *err);

/* ---- Choosing the prior, and cross-validation */

typedef struct FitTrial {
    double prior, mse; /* held out */
} FitTrial;

enum { FIT_TRIALS = 9 };

/* Runs the series of priors, from the strongest on, each from where the last ended, and adds the
 * held-out squared errors times their positions to mse[FIT_TRIALS]. */
MUST_CHECK Status fit_try_priors(Fit *fit, double mse[FIT_TRIALS], const FitHooks *hooks,
                                 Error *err);
double fit_trial_prior(int trial);

typedef struct FitFold {
    double train_mse;
    TuneScore held_out;
} FitFold;

/* Fits to all folds but one, for each of them: folds[settings->folds]. With settings->prior_auto
 * chooses the prior first and fills trials[FIT_TRIALS]. *prior is the one used. */
MUST_CHECK Status fit_cross_validate(const Dataset *data, const Space *space, const double *start,
                                     const TuneSettings *settings, const FitHooks *hooks,
                                     FitFold *folds, FitTrial *trials, double *prior, Error *err);

#endif
