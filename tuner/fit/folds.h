/* SPDX-License-Identifier: MIT
 * Choosing the prior by held-out games, and cross-validation by game. */
#ifndef TABIA_TUNER_FIT_FOLDS_H
#define TABIA_TUNER_FIT_FOLDS_H

#include "tuner/data/split.h"
#include "tuner/fit/fit.h"

enum { FIT_TRIALS = 9 };

typedef struct FitTrial {
    double prior, mse; /* held out */
} FitTrial;

typedef struct FitFold {
    double train_mse;
    FitScore held_out;
} FitFold;

/* Fits under each prior of the series and fills trials[FIT_TRIALS]. *prior is the one with the
 * least error on the fit's hold-out. STATUS_USAGE without a hold-out. */
MUST_CHECK Status fit_choose_prior(Fit *fit, const FitHooks *hooks, FitTrial *trials, double *prior,
                                   Error *err);

/* Fits to all folds but one, for each of them: folds[settings->folds]. With FIT_PRIOR_AUTO
 * chooses the prior first and fills trials[FIT_TRIALS]. *prior is the one used. *split: what the
 * folds share. The gains of the folds are added to *gain. */
MUST_CHECK Status fit_cross_validate(const Dataset *data, const Space *space, const double *start,
                                     const FitSettings *settings, const FitHooks *hooks,
                                     FitFold *folds, FitTrial *trials, double *prior,
                                     SplitCounts *split, FitGain *gain, Error *err);

#endif
