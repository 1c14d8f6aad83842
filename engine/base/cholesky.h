/* SPDX-License-Identifier: MIT
 * Dense symmetric positive definite systems by Cholesky's factorisation. */
#ifndef TABIA_ENGINE_BASE_CHOLESKY_H
#define TABIA_ENGINE_BASE_CHOLESKY_H

#include <stdatomic.h>
#include <stdbool.h>

/* Replaces the upper triangle of matrix[n][n] (row-major) by U with U'U = matrix; below it nothing
 * is read or written. False when the matrix is not positive definite, or when *interrupted (may be
 * NULL) becomes non-zero; its content is then undefined. One thread: at these sizes synchronisation
 * costs more than it saves. */
bool cholesky_factor(double *matrix, int n, const atomic_int *interrupted);

/* Solves U'U y = x for many right sides at once: y replaces columns [0, count) of x[n][stride],
 * whose content is undefined once *interrupted (may be NULL) is non-zero. */
void cholesky_solve(const double *factor, int n, double *x, int count, int stride,
                    const atomic_int *interrupted);

#endif
