/* SPDX-License-Identifier: MIT
 * Cholesky's factorisation in panels of rows. The trailing update is nearly all the work: it reads
 * each row once a panel and runs along rows. */
#include "engine/base/cholesky.h"

#include <math.h>
#include <stddef.h>

enum { PANEL = 32 };

/* to[0, n) -= the sum of a[p] * row p, four rows at a time. */
static void subtract_rows(double *restrict to, const double *restrict rows, size_t stride,
                          const double *restrict a, int count, int n)
{
    int p = 0;

    for (; p + 4 <= count; p += 4) {
        const double *r0 = rows + (size_t)p * stride, *r1 = r0 + stride, *r2 = r1 + stride,
                     *r3 = r2 + stride;
        double a0 = a[p], a1 = a[p + 1], a2 = a[p + 2], a3 = a[p + 3];
        for (int j = 0; j < n; j++)
            to[j] -= (a0 * r0[j] + a1 * r1[j]) + (a2 * r2[j] + a3 * r3[j]);
    }
    for (; p < count; p++)
        for (int j = 0; j < n; j++)
            to[j] -= a[p] * rows[(size_t)p * stride + (size_t)j];
}

/* Finishes rows [first, first + count), which all panels above have updated. */
static bool factor_panel(double *matrix, int n, int first, int count)
{
    for (int k = first; k < first + count; k++) {
        double *row = matrix + (size_t)k * (size_t)n;
        double above[PANEL];
        for (int p = first; p < k; p++)
            above[p - first] = matrix[(size_t)p * (size_t)n + (size_t)k];
        subtract_rows(row + k, matrix + (size_t)first * (size_t)n + k, (size_t)n, above, k - first,
                      n - k);
        if (!(row[k] > 0) || !isfinite(row[k])) return false;
        double pivot = sqrt(row[k]);
        for (int j = k; j < n; j++)
            row[j] /= pivot;
    }
    return true;
}

/* Applies a finished panel to row i below it. */
static void update_row(double *matrix, int n, int first, int count, int i)
{
    double above[PANEL];
    for (int p = 0; p < count; p++)
        above[p] = matrix[(size_t)(first + p) * (size_t)n + (size_t)i];
    subtract_rows(matrix + (size_t)i * (size_t)n + i, matrix + (size_t)first * (size_t)n + i,
                  (size_t)n, above, count, n - i);
}

static bool is_set(const atomic_int *interrupted)
{
    return interrupted && atomic_load_explicit(interrupted, memory_order_relaxed);
}

bool cholesky_factor(double *matrix, int n, const atomic_int *interrupted)
{
    for (int first = 0; first < n; first += PANEL) {
        if (is_set(interrupted)) return false;
        int count = n - first < PANEL ? n - first : PANEL;
        if (!factor_panel(matrix, n, first, count)) return false;
        for (int i = first + count; i < n; i++)
            update_row(matrix, n, first, count, i);
    }
    return true;
}

/* to[0, count) -= factor[r * width] * row r of `from`, for each r < rows in turn: the same bits,
 * four rows at a time or one. */
static void subtract_scaled(double *restrict to, const double *restrict factor, size_t width,
                            const double *restrict from, size_t step, size_t rows, int count)
{
    size_t r = 0;

    for (; r + 4 <= rows; r += 4) {
        const double *x0 = from + r * step, *x1 = x0 + step, *x2 = x1 + step, *x3 = x2 + step;
        const double *f = factor + r * width;
        double f0 = f[0], f1 = f[width], f2 = f[2 * width], f3 = f[3 * width];
        for (int c = 0; c < count; c++)
            to[c] = to[c] - f0 * x0[c] - f1 * x1[c] - f2 * x2[c] - f3 * x3[c];
    }
    for (; r < rows; r++)
        for (int c = 0; c < count; c++)
            to[c] -= factor[r * width] * from[r * step + (size_t)c];
}

static void divide(double *row, double by, int count)
{
    for (int c = 0; c < count; c++)
        row[c] /= by;
}

void cholesky_solve(const double *factor, int n, double *x, int count, int stride,
                    const atomic_int *interrupted)
{
    enum { TOGETHER = 8 };
    const size_t width = (size_t)n, step = (size_t)stride;

    for (size_t k = 0; k < width && !is_set(interrupted); k += TOGETHER) /* U'Y = X */
        for (size_t j = k; j < width; j++) {
            size_t rows = j - k < TOGETHER ? j - k : TOGETHER;
            subtract_scaled(x + j * step, factor + k * width + j, width, x + k * step, step, rows,
                            count);
            if (rows < TOGETHER) divide(x + j * step, factor[j * width + j], count);
        }
    for (size_t k = width; !is_set(interrupted) && k-- > 0;) { /* UX = Y */
        if (k + 1 < width)
            subtract_scaled(x + k * step, factor + k * width + k + 1, 1, x + (k + 1) * step, step,
                            width - k - 1, count);
        divide(x + k * step, factor[k * width + k], count);
    }
}
