/* SPDX-License-Identifier: MIT
 * The loss of a set of weights, its gradient and its Gauss-Newton Hessian.
 *
 *   loss(w) = weighted mean of l(p, target),   p = sigmoid(k * cp / 400),
 *   cp      = sum over the occurrences of (mg * phase + eg * (24 - phase)) / 24, untruncated
 *
 * over the positions of a batch, White's view; sigmoid(x) = 1 / (1 + exp(-x)). Vectors are
 * [2 * columns of the data set], mg of all columns first. The results are bit-identical at any
 * number of threads: chunks are summed apart and added in their order. */
#ifndef TABIA_TUNER_FIT_LOSS_H
#define TABIA_TUNER_FIT_LOSS_H

#include <stdatomic.h>

#include "tuner/fit/batch.h"

typedef enum LossKind {
    LOSS_SQUARED,       /* (p - target)^2 */
    LOSS_CROSS_ENTROPY, /* -target ln p - (1 - target) ln(1 - p) */
    LOSS_NOISE_FLOOR    /* squared, of floor + (1 - 2 floor) p */
} LossKind;

typedef struct LossForm {
    LossKind kind;
    double floor; /* 0 … 0.5, of LOSS_NOISE_FLOOR */
} LossForm;

/* Centipawns at which the sigmoid's argument is k. */
#define LOSS_CP_SCALE 400.0

typedef struct Loss Loss; /* a batch with the kernel's working memory; one thread at a time */

/* Borrows the batch, which must not be empty. */
MUST_CHECK Status loss_create(const Batch *batch, int threads, Loss **loss, Error *err);
void loss_destroy(Loss *loss); /* NULL-safe */

/* The squared error until set otherwise. */
void loss_set_form(Loss *loss, const LossForm *form);

/* Second derivative of the loss of a position by x = k * cp / 400 where the prediction, sigmoid(x)
 * = p, is right. */
double loss_curvature(const LossForm *form, double p);

const Batch *loss_batch(const Loss *loss);

double loss_value(Loss *loss, const double *weights, double k);

/* Returns the loss; gradient[] is its derivative by each weight, per centipawn. */
double loss_gradient(Loss *loss, const double *weights, double k, double *gradient);

/* The evaluation of each position, centipawns, in the batch's order: (*cp)[batch->positions], for
 * scratch_free(). `purpose` is for the sentence when it has no room. */
MUST_CHECK Status loss_evaluations(Loss *loss, const double *weights, const char *purpose,
                                   double **cp, Error *err);

/* From evaluations as loss_evaluations() gives them: derivative of each position's loss by its cp,
 * times its weight, into slope[batch->positions]. */
void loss_slopes(const Loss *loss, const double *cp, double k, double *slope);

/* The Gauss-Newton approximation of the loss's second derivative (for the squared error 2 J'J / n,
 * where J is the derivative of the predictions; positive semidefinite): the upper triangle of
 * hessian[][], square, row-major; the rest is left alone. Columns from `tables` on are
 * taken together, 64 by 64, as if the weights of a table changed by the same: the matrix has two
 * rows for each column before, and for each table. diagonal[][3] is what each of those columns has
 * by itself (mg mg, mg eg, eg eg); NULL: it is not needed. Of every run of equal positions only
 * each `stride`-th position is used, weighted accordingly; 1 is exact. STATUS_INTERRUPTED soon
 * after *interrupted (may be NULL) is non-zero. */
MUST_CHECK Status loss_hessian(Loss *loss, int tables, const double *weights, double k, int stride,
                               const atomic_int *interrupted, double *hessian,
                               double (*diagonal)[3], Error *err);

/* p[i] = 1 / (1 + exp(-x[i])), accurate to a few units in the last place, without libm. */
void loss_sigmoid(const double *x, double *p, int n);

/* ---- K, the constant that turns centipawns into an expected score */

/* For weights without a scale (all zero, or unrelated to the results): about right for games
 * between engines. */
#define CALIBRATE_K_REFERENCE 2.0

/* The K that minimises the squared error, whatever the form of the loss, against the batch's
 * targets. If the weights do not predict the targets, *fitted is false and *k the reference. */
MUST_CHECK Status calibrate_k(Loss *loss, const double *weights, double *k, bool *fitted,
                              Error *err);

/* The derivative of a squared error by K, and its Gauss-Newton second derivative, up to a common
 * factor. */
typedef double (*CalibrateSlope)(const void *data, double k, double *curvature);

/* The K where the slope is 0, to a relative `tolerance`. False, and *k is the reference, if the
 * slope is not negative at 0, or K would be noise or a perfect separation. */
bool calibrate_root(CalibrateSlope slope, const void *data, double tolerance, double *k);

#endif
