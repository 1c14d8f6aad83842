/* SPDX-License-Identifier: MIT
 * The settings of a fit of any columns. */
#ifndef TABIA_TUNER_FIT_SETTINGS_H
#define TABIA_TUNER_FIT_SETTINGS_H

#include "engine/values/setting.h"
#include "tuner/fit/optimise.h"

enum { FIT_FOLDS_MAX = 50 };

/* The least prior, in positions: it keeps weights that nothing else determines. */
#define FIT_PRIOR_MIN  1e-3
#define FIT_PRIOR_AUTO (-1)
/* Of lambda and prior: by the number of games (tune_settle()). */
#define FIT_LAMBDA_GAMES (-1)
#define FIT_PRIOR_GAMES  (-2)
#define FIT_PRIOR_LEAST  20

/* What each is, is said by its row. */
typedef struct FitSettings {
    double lambda, k, validation; /* validation: not used with folds */
    int folds;
    OptimiserMethod method;
    LossForm loss;
    int max_iterations, patience;
    /* Each weight counts as seen in that many more even positions whose best weight is the start's.
     * 0: only what keeps unidentified weights still. FIT_PRIOR_AUTO: that of a series with the
     * least held-out loss, over the folds or on the hold-out. */
    double prior;
    bool prior_zero;   /* the pull is toward zero instead, except for frozen weights */
    Weighing weighing; /* of training positions */
    uint64_t seed;     /* of the hold-out and the folds */
    int threads;
} FitSettings;

extern const Setting fit_settings[];

#endif
