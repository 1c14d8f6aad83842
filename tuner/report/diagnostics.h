/* SPDX-License-Identifier: MIT
 * What a fit has to say about itself beyond its weights. */
#ifndef TABIA_TUNER_REPORT_DIAGNOSTICS_H
#define TABIA_TUNER_REPORT_DIAGNOSTICS_H

#include "tuner/fit/folds.h"
#include "tuner/report/breakdown.h"
#include "tuner/report/standard_errors.h"

enum { DIAGNOSTICS_WARNINGS_MAX = 8, DIAGNOSTICS_WARNING_BYTES = 240 };

typedef struct Diagnostics {
    Space *space;           /* owned */
    double *value;          /* [dimensions] final weights, not rounded, tied ones spread; owned */
    StandardErrors *errors; /* owned */
    Breakdown train;        /* both by the final weights as they are written */
    Breakdown validation;
    bool has_validation;
    int fold_count; /* 0: no cross-validation */
    FitFold folds[FIT_FOLDS_MAX];
    int trial_count; /* 0: the prior was given */
    FitTrial trials[FIT_TRIALS];
    int held_count; /* weights that the prior settles more than the data, of those that are free */
    int unseen_count; /* of them, such as no training position contains */
    int warning_count;
    char warnings[DIAGNOSTICS_WARNINGS_MAX][DIAGNOSTICS_WARNING_BYTES];
} Diagnostics;

/* Counts the weights that the prior settles and writes the warnings. Call it when all else is
 * filled in. The errors are those of the written weights. */
void diagnostics_judge(Diagnostics *diagnostics, const Fit *fit, double train_mse,
                       double held_out_mse);

/* Is this weight free, but told by the prior more than by the data? */
bool diagnostics_is_held(const Diagnostics *diagnostics, int dimension);

/* Standard error of a weight, centipawns; that of a tied one is its partner's, that of a fixed one
 * 0. */
double diagnostics_error(const Diagnostics *diagnostics, int dimension);

/* Standard errors of the weights as the header has them: material, and squares about its mean. */
typedef struct TermErrors {
    double term[EVAL_TERMS][PHASES];
    double material_mean[EVAL_MATERIAL_COUNT]; /* of the mean of mg and eg */
} TermErrors;
void diagnostics_term_errors(const Diagnostics *diagnostics, TermErrors *errors);

/* Mean held-out squared error over the folds, and its standard error. */
typedef struct FoldMean {
    double mse, error;
} FoldMean;
FoldMean diagnostics_fold_mean(const Diagnostics *diagnostics);

void diagnostics_destroy(Diagnostics *diagnostics); /* NULL-safe */

#endif
