/* SPDX-License-Identifier: MIT
 * The prior of a fit: ridge * d' R d, where d is the distance from the start and R takes each group
 * of columns about its own mean (a piece's value is nearly free, its squares are pulled together)
 * and every other column by itself. */
#ifndef TABIA_TUNER_FIT_PRIOR_H
#define TABIA_TUNER_FIT_PRIOR_H

#include "tuner/data/space.h"

/* rd = R d; both [dimensions]. */
void prior_apply(const Space *space, const double *d, double *rd);

/* Adds 2 * ridge * R to the upper triangle of hessian[dimensions][dimensions]. */
void prior_add_hessian(const Space *space, double ridge, double *hessian);

#endif
