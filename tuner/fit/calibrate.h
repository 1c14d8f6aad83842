/* SPDX-License-Identifier: MIT
 * The constant K that turns centipawns into an expected score. */
#ifndef TABIA_TUNER_FIT_CALIBRATE_H
#define TABIA_TUNER_FIT_CALIBRATE_H

#include "tuner/fit/loss.h"

/* For weights that have no scale of their own (all zero, or no relation to the results): what
 * centipawns mean in games between engines, near enough. */
#define CALIBRATE_K_REFERENCE 2.0

/* The K that minimises the squared error, whatever the form of the loss, against the batch's
 * targets. *fitted false, and *k the reference, where the weights tell nothing about the targets.
 */
MUST_CHECK Status calibrate_k(Loss *loss, const double *weights, double *k, bool *fitted,
                              Error *err);

#endif
