/* SPDX-License-Identifier: MIT
 * The squared error of a set of weights, its gradient and its Gauss-Newton Hessian.
 *
 *   loss(w) = mean of (sigmoid(k * cp / 400) - target)^2,   sigmoid(x) = 1 / (1 + exp(-x)),
 *   cp      = sum over the occurrences of (mg * phase + eg * (24 - phase)) / 24, untruncated
 *
 * over the positions of a batch, White's view. Vectors are [DIMENSIONS] as columns.h lays them out.
 * The results are the same to the last bit at any number of threads: chunks are summed by
 * themselves and added in their order. */
#ifndef TABIA_TUNER_LOSS_H
#define TABIA_TUNER_LOSS_H

#include "tuner/batch.h"

/* Centipawns at which the sigmoid's argument is k. */
#define LOSS_CP_SCALE 400.0

typedef struct Loss Loss; /* a batch with the kernel's working memory; one thread at a time */

/* Borrows the batch, which must not be empty. */
MUST_CHECK Status loss_create(const Batch *batch, int threads, Loss **loss, Error *err);
void loss_destroy(Loss *loss); /* NULL-safe */

const Batch *loss_batch(const Loss *loss);

double loss_value(Loss *loss, const double *weights, double k);

/* Returns the loss; gradient[DIMENSIONS] is its derivative by each weight, per centipawn. */
double loss_gradient(Loss *loss, const double *weights, double k, double *gradient);

/* The evaluation of each position, centipawns, into cp[batch->positions], in the batch's order. */
void loss_evaluate(Loss *loss, const double *weights, double *cp);

/* The Gauss-Newton approximation of the loss's second derivative (2 J'J / n, where J is the
 * derivative of the predictions; positive semidefinite): the upper triangle of
 * hessian[DIMENSIONS][DIMENSIONS], row-major; the rest is left alone. Of every run of equal
 * positions only each `stride`-th position is used, weighted accordingly; 1 is exact. */
MUST_CHECK Status loss_hessian(Loss *loss, const double *weights, double k, int stride,
                               double *hessian, Error *err);

/* p[i] = 1 / (1 + exp(-x[i])), accurate to a few units in the last place, without libm. */
void loss_sigmoid(const double *x, double *p, int n);

#endif
