/* SPDX-License-Identifier: MIT
 * The constant K that turns centipawns into an expected score. */
#ifndef TABIA_TUNER_FIT_CALIBRATE_H
#define TABIA_TUNER_FIT_CALIBRATE_H

#include "tuner/fit/loss.h"

/* For weights without a scale (all zero, or unrelated to the results): about right for games
 * between engines. */
#define CALIBRATE_K_REFERENCE 2.0

/* The K that minimises the squared error, whatever the form of the loss, against the batch's
 * targets. If the weights do not predict the targets, *fitted is false and *k the reference. */
MUST_CHECK Status calibrate_k(Loss *loss, const double *weights, double *k, bool *fitted,
                              Error *err);

#endif
