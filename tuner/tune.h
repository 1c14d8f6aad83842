/* SPDX-License-Identifier: MIT
 * Fitting evaluation weights to game outcomes: the whole job behind `tabia tune`. */
#ifndef TABIA_TUNER_TUNE_H
#define TABIA_TUNER_TUNE_H

#include <stdatomic.h>

#include "db/record.h"
#include "engine/weights.h"
#include "tuner/dataset.h"

typedef struct TuneSettings {
    double lambda; /* weight of the game's result in the target; 1 - lambda of the search score */
    double k;      /* 0: fit it to the start weights (or, from zero, to the reference scale) */
    double validation; /* share of games held out, 0 … 0.5 */
    int max_iterations;
    int patience;  /* iterations without a better held-out loss before stopping; 0: never early */
    double prior;  /* pull toward the start weights, in positions per weight; 0: only what keeps
                      unidentified weights still */
    uint64_t seed; /* of the hold-out split */
    int threads;
} TuneSettings;

void tune_defaults(TuneSettings *settings);

/* Squared error of 1 / (1 + exp(-k * cp / 400)) against the target, White's view. */
typedef struct TuneScore {
    int64_t n, games;
    double mse;
    double accuracy; /* decisive games' positions whose evaluation has the winner's sign */
} TuneScore;

typedef struct TuneIteration {
    int iteration;
    double train_loss, validation_loss; /* validation: NAN without hold-out */
    double seconds;
} TuneIteration;
typedef void (*TuneProgressFn)(void *context, const TuneIteration *iteration);

typedef struct TuneResult {
    double k;
    int iterations, best_iteration;
    TuneScore train_before, train_after, validation_before, validation_after;
    EvalWeights weights; /* rounded to centipawns, tables centred */
} TuneResult;

/* Fits starting from *start. Bit-identical for any number of threads. STATUS_BAD_INPUT when the set
 * is empty or one side of the split is; STATUS_INTERRUPTED leaves result as of the best iteration.
 */
MUST_CHECK Status tune_fit(const Dataset *data, const EvalWeights *start,
                           const TuneSettings *settings, const atomic_int *interrupted,
                           TuneProgressFn progress, void *context, TuneResult *result, Error *err);

/* Fits K alone (or uses settings->k) and measures the given weights over the whole set. */
MUST_CHECK Status tune_score(const Dataset *data, const EvalWeights *weights,
                             const TuneSettings *settings, double *k, TuneScore *score, Error *err);

#endif
