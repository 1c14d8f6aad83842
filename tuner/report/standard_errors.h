/* SPDX-License-Identifier: MIT
 * Standard errors of the weights of a fit.
 *
 * Positions of a game share its result, so games are the independent units. The covariance is the
 * sandwich H^-1 (sum over games of g g') H^-1, where H is the Gauss-Newton Hessian with the prior
 * and g the gradient of a game's loss. Source: K.-Y. Liang, S. Zeger, "Longitudinal Data Analysis
 * Using Generalized Linear Models", Biometrika 73, 1986; A. C. Cameron, D. Miller, "A
 * Practitioner's Guide to Cluster-Robust Inference", J. of Human Resources 50, 2015.
 *
 * The resolution of a weight, 1 - (H^-1 prior)_ii, is 1 where the data determine it and 0 where the
 * prior does ("told" in reports). The sum over all weights is the effective number of
 * parameters.
 *
 * Tables (space->tables) have too many weights for a covariance: they have no errors, and those of
 * the other weights are as if the tables were known. */
#ifndef TABIA_TUNER_REPORT_STANDARD_ERRORS_H
#define TABIA_TUNER_REPORT_STANDARD_ERRORS_H

#include "tuner/fit/fit.h"

typedef struct StandardErrors {
    int count;            /* free weights */
    int *row;             /* [dimensions] a weight's row of the covariance; -1: it has none */
    double *covariance;   /* [count][count], square centipawns of the final scale */
    double *resolution;   /* [dimensions] see above; 1 for fixed weights */
    int64_t *games;       /* [columns] training games in which the column occurs */
    double parameters;    /* effective number */
    double design_effect; /* factor by which correlation within games increases variances */
    double positions;     /* effective number: positions / design effect */
    double k_error;       /* standard error of the final K; 0 where the scale did not vary */
} StandardErrors;

/* The most free weights: six matrices of that size squared are 3 GB, and the work takes hours. */
enum { STANDARD_ERRORS_MAX = 8000 };

/* Before the fit: STATUS_BAD_INPUT beyond that, STATUS_FAILED where such memory cannot be had. */
MUST_CHECK Status standard_errors_check(const Space *space, Error *err);

/* Of the fit's best weights times `scale`. scale_varies: `scale` was computed from the weights, by
 * space->scale. STATUS_INTERRUPTED soon after *interrupted (may be NULL) is non-zero. */
MUST_CHECK Status standard_errors_create(Fit *fit, double scale, bool scale_varies,
                                         const atomic_int *interrupted, StandardErrors **errors,
                                         Error *err);
void standard_errors_destroy(StandardErrors *errors); /* NULL-safe */

/* Variance of the sum of factor[i] * weight[dimension[i]]. */
double standard_errors_variance(const StandardErrors *errors, const int *dimension,
                                const double *factor, int count);

#endif
