/* SPDX-License-Identifier: MIT
 * A fit over any data set and space: training and held-out positions laid out, K, the iterations
 * and the best of them. It knows no evaluation. */
#ifndef TABIA_TUNER_FIT_FIT_H
#define TABIA_TUNER_FIT_FIT_H

#include <stdatomic.h>

#include "tuner/fit/optimise.h"
#include "tuner/fit/settings.h"

/* The hold-out is measured on positions as they are, whatever the settings weigh or merge, so that
 * fits with the same lambda compare. The training side is measured as it is fitted to. */
typedef struct FitScore {
    int64_t n, games;
    double mse;      /* of 1 / (1 + exp(-k * cp / 400)) against the target; NAN when n is 0 */
    double accuracy; /* part of decisive games' positions evaluated for the winner; NAN: none */
} FitScore;

/* The same side with two sets of weights. */
typedef struct FitChange {
    FitScore before, after;
} FitChange;

/* How much less squared error one set of weights has than another on the same positions; the error
 * is by game, whose positions share a result. Sums over games of their positions n and their part
 * d of the gain; zeroed: no positions. */
typedef struct FitGain {
    double n, d, dd, nd, nn;
} FitGain;

/* Mean gain and its standard error; NAN without positions. */
double fit_gain_mean(const FitGain *gain);
double fit_gain_error(const FitGain *gain);

typedef struct FitIteration {
    int iteration;                      /* 0: the start */
    double train_loss, validation_loss; /* validation: NAN without hold-out */
    double seconds;
} FitIteration;
typedef void (*FitProgressFn)(void *context, const FitIteration *iteration);

/* K, and what the last run came to. */
typedef struct FitResult {
    double k;         /* of the sigmoid while fitting */
    bool k_fitted;    /* false: given, or the reference because the start has no scale */
    double prior;     /* the one that was used */
    double objective; /* what was minimised, at the best weights before rounding */
    int iterations, best_iteration;
    int passes;     /* over the training positions */
    bool converged; /* false: max_iterations, patience or an interruption ended it */
} FitResult;

typedef struct Fit {
    const Dataset *data;
    const Space *space;
    const FitSettings *settings;
    Batch *train, *validation; /* validation: NULL without hold-out */
    Loss *train_loss, *validation_loss;
    double *start, *best; /* [dimensions]; best: of the last run */
    FitResult result;
    int patience;           /* of the next run */
    double best_validation; /* least held-out loss of the last run */
    double started;
} Fit;

/* NULL members are not used. */
typedef struct FitHooks {
    const atomic_int *interrupted;
    FitProgressFn progress;
    void *context;
    /* A file with the state of the run, and the identity of its fit: written every few seconds and
     * on interruption. If it exists, the run goes on from there, with the same bits. */
    const char *checkpoint, *identity;
} FitHooks;

/* Lays out the games: take[game] is 0 for training, 1 for the hold-out; NULL: all are for training.
 * Fits K by the start. Borrows all but start[dimensions]. STATUS_BAD_INPUT when a side is empty. */
MUST_CHECK Status fit_create(const Dataset *data, const Space *space, const double *start,
                             const FitSettings *settings, const uint8_t *take, Fit **fit,
                             Error *err);
void fit_destroy(Fit *fit); /* NULL-safe */

/* Fits under a prior, beginning at from[dimensions] (NULL: at the start). May be run again.
 * STATUS_USAGE when the checkpoint is of another fit. With STATUS_INTERRUPTED `best` is that of
 * the best iteration so far. */
MUST_CHECK Status fit_run(Fit *fit, double prior, const double *from, const FitHooks *hooks,
                          Error *err);

/* Loss per square centipawn of this prior. */
double fit_ridge(const Fit *fit, double prior);

/* Adds the held-out games' gain of to[dimensions] at `to_k` over the start at the fit's K. */
MUST_CHECK Status fit_add_gain(const Fit *fit, const double *to, double to_k, FitGain *gain,
                               Error *err);

/* How well value[dimensions] predicts one of the fit's sides at k. */
MUST_CHECK Status fit_measure(const Fit *fit, Loss *loss, const double *value, double k,
                              FitScore *score, Error *err);

#endif
