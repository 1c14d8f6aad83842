/* SPDX-License-Identifier: MIT
 * Minimising the loss with a prior:
 *
 *   objective(w) = loss(w) + ridge * d' R d,   d = w - start,
 *
 * where R takes each piece's table about its own mean (the piece's value is nearly free, its
 * squares are pulled together) and every other column by itself.
 *
 * Method: limited-memory BFGS (Nocedal & Wright, Numerical Optimization, 2nd ed., algorithm 7.4)
 * whose initial metric is the Cholesky factor of the Gauss-Newton Hessian. Steps are Gauss-Newton
 * steps corrected by what the last gradients showed, at the price of a pass over the data each; the
 * metric is taken anew when the loss has moved away from where it was taken. */
#ifndef TABIA_TUNER_OPTIMISE_H
#define TABIA_TUNER_OPTIMISE_H

#include "tuner/loss.h"

typedef struct Optimiser Optimiser;

typedef struct OptimiserSettings {
    double k;         /* of the sigmoid */
    double ridge;     /* > 0, loss per square centipawn */
    bool first_order; /* without the Hessian: plain L-BFGS, the cross-check */
} OptimiserSettings;

/* Borrows loss; copies start[DIMENSIONS]. */
MUST_CHECK Status optimiser_create(Loss *loss, const double *start,
                                   const OptimiserSettings *settings, Optimiser **optimiser,
                                   Error *err);
void optimiser_destroy(Optimiser *optimiser); /* NULL-safe */

/* One step. *converged: the expected further gain is below `tolerance` of objective, or no step
 * lowers the objective any more. */
MUST_CHECK Status optimiser_step(Optimiser *optimiser, double tolerance, bool *converged,
                                 Error *err);

const double *optimiser_weights(const Optimiser *optimiser); /* [DIMENSIONS], where it stands */
double optimiser_loss(const Optimiser *optimiser);           /* there, without the prior */
double optimiser_objective(const Optimiser *optimiser);
int optimiser_passes(const Optimiser *optimiser); /* passes over the data so far */

#endif
