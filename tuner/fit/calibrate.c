/* SPDX-License-Identifier: MIT
 * Fitting K: one evaluation of the positions, then Newton's method on a single number. */
#include "tuner/fit/loss.h"

#include <math.h>

#include "tuner/data/scratch.h"

/* K beyond these is noise or a perfect separation. */
static const double K_MIN = 1e-3, K_MAX = 1e3;

/* The squared error's derivative by K, and its Gauss-Newton second derivative, up to a common
 * factor. */
static double slope_by_k(const Batch *batch, const double *cp, double k, double *curvature)
{
    enum { BLOCK = 256 };
    double x[BLOCK], p[BLOCK], slope = 0;

    *curvature = 0;
    for (int64_t first = 0; first < batch->positions; first += BLOCK) {
        int64_t left = batch->positions - first;
        int n = left < BLOCK ? (int)left : BLOCK;
        for (int i = 0; i < n; i++)
            x[i] = cp[first + i] * (k / LOSS_CP_SCALE);
        loss_sigmoid(x, p, n);
        for (int i = 0; i < n; i++) {
            double weight = batch->weight ? (double)batch->weight[first + i] : 1;
            double by_k = p[i] * (1 - p[i]) * (cp[first + i] / LOSS_CP_SCALE);
            slope += weight * (p[i] - (double)batch->target[first + i]) * by_k;
            *curvature += weight * by_k * by_k;
        }
    }
    return slope;
}

/* Newton's method inside the bracket given by the signs of the slope so far. */
static bool find_root(const Batch *batch, const double *cp, double *k)
{
    double low = 0, high = INFINITY, at = 1, curvature;

    if (slope_by_k(batch, cp, 0, &curvature) >= 0) return false;
    while (at > K_MIN && at < K_MAX) {
        double slope = slope_by_k(batch, cp, at, &curvature);
        if (slope < 0)
            low = at;
        else
            high = at;
        double next = curvature > 0 ? at - slope / curvature : INFINITY;
        if (!(next > low && next < high)) next = isfinite(high) ? (low + high) / 2 : 2 * at;
        *k = next;
        if (fabs(next - at) <= 1e-12 * at) return true;
        at = next;
    }
    return false;
}

Status calibrate_k(Loss *loss, const double *weights, double *k, bool *fitted, Error *err)
{
    const Batch *batch = loss_batch(loss);
    double *cp = scratch_resize(batch->scratch, NULL, ((size_t)batch->positions + 1) * sizeof *cp);

    if (!cp) return scratch_error(batch->scratch, "fitting K", err);
    loss_evaluate(loss, weights, cp);
    *fitted = find_root(batch, cp, k);
    if (!*fitted) *k = CALIBRATE_K_REFERENCE;
    scratch_free(batch->scratch, cp);
    return STATUS_OK;
}
