/* SPDX-License-Identifier: MIT
 * Calibration: predictions against outcomes, by phase, by material and by prediction. */
#ifndef TABIA_TUNER_REPORT_BREAKDOWN_H
#define TABIA_TUNER_REPORT_BREAKDOWN_H

#include "tuner/fit/loss.h"

typedef struct BreakdownRow {
    int low, high; /* bounds, inclusive; INT_MIN and INT_MAX: none. In rows by prediction a bound
                      belongs to the row above it */
    int64_t n, decisive, right;
    double predicted, scored, mse, accuracy; /* means; NAN where there is nothing to divide by */
} BreakdownRow;

enum { BREAKDOWN_PHASES = 5, BREAKDOWN_MATERIAL = 7, BREAKDOWN_PREDICTIONS = 10 };

/* Outcomes are results, White's view. */
typedef struct Breakdown {
    BreakdownRow phase[BREAKDOWN_PHASES];           /* phase 0 … 24 */
    BreakdownRow material[BREAKDOWN_MATERIAL];      /* pawns that White is ahead by */
    BreakdownRow prediction[BREAKDOWN_PREDICTIONS]; /* per cent of a point for White */
    double calibration_error; /* mean over positions of a prediction row's |predicted - outcome| */
} Breakdown;

/* Over the batch of `loss`, with weights value[] at k. space: for `worth`. */
MUST_CHECK Status breakdown_measure(const Dataset *data, const Space *space, Loss *loss,
                                    const double *value, double k, Breakdown *breakdown,
                                    Error *err);

/* Whether positions differ in material, which needs columns with a worth in the space. */
bool breakdown_has_material(const Breakdown *breakdown);

#endif
