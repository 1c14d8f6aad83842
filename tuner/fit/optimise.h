/* SPDX-License-Identifier: MIT
 * Minimising the loss with a prior:
 *
 *   objective(w) = loss(w) + ridge * d' R d,   d = w - prior mean,
 *
 * over the dimensions of the space that are not fixed. R takes each group of columns about its own
 * mean (a piece's value is nearly free, its squares are pulled together) and every other column by
 * itself, those of tables times space->table_pull.
 *
 * The method: limited-memory BFGS (Nocedal & Wright, Numerical Optimization, 2nd ed.,
 * algorithm 7.4) whose initial metric is the Cholesky factor of the Gauss-Newton Hessian. Steps are
 * Gauss-Newton steps corrected by what the last gradients showed, at the price of a pass over the
 * data each; the metric is taken anew when the loss has moved away from where it was taken, that
 * of tables seldom, since it costs as much as many steps.
 *
 * Tables (space->tables) have too many columns for a dense Hessian. Their metric is the sum of two:
 * the dense one, in which the mean of each table is a column, and the (mg, eg) pair of each column
 * by itself: an additive two-level preconditioner (Y. Saad, Iterative Methods for Sparse Linear
 * Systems, 2nd ed., chapter 14), since what columns of a table share is what they are entangled by.
 *
 * Two methods without second derivatives are cross-checks: plain L-BFGS, and Adam (D. Kingma,
 * J. Ba, "Adam: A Method for Stochastic Optimization", 2015) over the full batch, which other
 * tuners use, with steps that shrink until they no longer matter. */
#ifndef TABIA_TUNER_FIT_OPTIMISE_H
#define TABIA_TUNER_FIT_OPTIMISE_H

#include "tuner/fit/loss.h"

typedef struct Optimiser Optimiser;

typedef enum OptimiserMethod { OPTIMISER_NEWTON, OPTIMISER_LBFGS, OPTIMISER_ADAM } OptimiserMethod;

typedef struct OptimiserSettings {
    OptimiserMethod method;
    double k;                      /* of the sigmoid */
    double ridge;                  /* > 0, loss per square centipawn */
    const atomic_int *interrupted; /* ends objective_factor(); NULL: nothing does */
} OptimiserSettings;

/* Borrows loss and space; copies mean[dimensions], the prior's, and start[dimensions], where it
 * begins, which agrees with the mean in the fixed dimensions. */
MUST_CHECK Status optimiser_create(Loss *loss, const Space *space, const double *mean,
                                   const double *start, const OptimiserSettings *settings,
                                   Optimiser **optimiser, Error *err);
void optimiser_destroy(Optimiser *optimiser); /* NULL-safe */

/* One step. *converged: the expected further gain is below `tolerance` of objective, or no step
 * lowers the objective any more. */
MUST_CHECK Status optimiser_step(Optimiser *optimiser, double tolerance, bool *converged,
                                 Error *err);

typedef struct OptimiserState {
    const double *weights; /* [dimensions] */
    double loss;           /* there, without the prior */
    double objective;
    int passes;  /* over the data so far */
    int metrics; /* taken since it was created or restored */
} OptimiserState;
const OptimiserState *optimiser_state(const Optimiser *optimiser);

/* All of an optimiser between two steps, as optimiser_saved_size() numbers. One that is created for
 * the same loss, space and settings and restores them takes the same steps, bit for bit.
 * STATUS_BAD_INPUT when the numbers are no such state. */
int optimiser_saved_size(const Optimiser *optimiser);
void optimiser_save(const Optimiser *optimiser, double *number);
MUST_CHECK Status optimiser_restore(Optimiser *optimiser, const double *number, Error *err);

/* The Cholesky factor (cholesky.h) of the objective's Gauss-Newton Hessian at w, over the rows
 * active[count] of loss_hessian(), into factor[count][count]; diagonal: of loss_hessian(), with the
 * prior. stride: as there.
 * STATUS_INTERRUPTED soon after *settings->interrupted is non-zero. */
MUST_CHECK Status objective_factor(Loss *loss, const Space *space, const double *w,
                                   const OptimiserSettings *settings, int stride, const int *active,
                                   int count, double *factor, double (*diagonal)[3], Error *err);

#endif
