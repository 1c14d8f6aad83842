/* SPDX-License-Identifier: MIT
 * Diagnostics of a fit: standard errors, calibration, cross-validation, warnings. */
#ifndef TABIA_TUNER_REPORT_DIAGNOSTICS_H
#define TABIA_TUNER_REPORT_DIAGNOSTICS_H

#include "tuner/fit/folds.h"
#include "tuner/report/breakdown.h"
#include "tuner/report/standard_errors.h"

enum { DIAGNOSTICS_WARNINGS_MAX = 8, DIAGNOSTICS_WARNING_BYTES = 240 };

typedef struct Diagnostics {
    Space *space;           /* owned */
    double *value;          /* [dimensions] final weights, not rounded, tied ones spread; owned */
    StandardErrors *errors; /* owned; NULL: space and value are all that is filled in */
    Breakdown train;        /* both by the final weights as they are written */
    Breakdown validation;
    bool has_validation;
    int fold_count; /* 0: no cross-validation */
    FitFold folds[FIT_FOLDS_MAX];
    SplitCounts split; /* of the hold-out or the folds */
    int trial_count;   /* 0: the prior was given */
    FitTrial trials[FIT_TRIALS];
    int held_count;   /* free weights that the prior determines more than the data */
    int unseen_count; /* of them, those that no training position contains */
    int warning_count;
    char warnings[DIAGNOSTICS_WARNINGS_MAX][DIAGNOSTICS_WARNING_BYTES];
} Diagnostics;

/* Counts the weights that the prior determines and writes the warnings. Call it when all else is
 * filled in. The errors are those of the written weights, of which `clamped` were clamped. */
void diagnostics_judge(Diagnostics *diagnostics, const Fit *fit, int clamped, double train_mse,
                       double held_out_mse);

/* A free weight that the prior determines more than the data? */
bool diagnostics_is_held(const Diagnostics *diagnostics, int dimension);

/* Standard error of a weight, centipawns. A tied weight has its partner's, a fixed one 0. */
double diagnostics_error(const Diagnostics *diagnostics, int dimension);

/* Standard errors of the header's terms: material, and squares relative to its mean. */
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
