/* SPDX-License-Identifier: MIT
 * Dense symmetric positive definite systems by Cholesky's factorisation. */
#ifndef TABIA_ENGINE_BASE_CHOLESKY_H
#define TABIA_ENGINE_BASE_CHOLESKY_H

#include <stdbool.h>

/* Replaces the upper triangle of matrix[n][n] (row-major) by U with U'U = matrix; below it nothing
 * is read or written. False when the matrix is not positive definite; its content is then
 * undefined. One thread: at these sizes synchronisation costs more than it saves. */
bool cholesky_factor(double *matrix, int n);

/* Replaces x[n] by the solution of U'U y = x. */
void cholesky_solve(const double *factor, int n, double *x);

/* The same for many right sides at once: x[n][stride], of which columns [0, count) are solved. */
void cholesky_solve_many(const double *factor, int n, double *x, int count, int stride);

#endif
