/* SPDX-License-Identifier: MIT
 * Fitting K: one evaluation of the positions, then Newton's method on a single number. */
#include "tuner/fit/loss.h"

#include <math.h>

#include "engine/base/system.h"
#include "tuner/data/scratch.h"

/* K beyond these is noise or a perfect separation. */
static const double K_MIN = 1e-3, K_MAX = 1e3;

/* Newton's method inside the bracket given by the signs of the slope so far. */
static bool find_root(CalibrateSlope slope_by_k, const void *data, double tolerance, double *k)
{
    enum { NEWTON_MAX = 50 }; /* it may be slow where the predictions are bad: then halves */
    double low = 0, high = INFINITY, at = 1, curvature;
    bool flat = false; /* from `high` on all predictions are 0 or 1 */

    if (slope_by_k(data, 0, &curvature) >= 0) return false;
    for (int i = 0; at > K_MIN && at < K_MAX && !system_must_end(); i++) {
        double slope = slope_by_k(data, at, &curvature);
        if (slope < 0) {
            low = at;
        } else {
            high = at;
            flat = curvature < 1e-300; /* products of predictions underflow first */
        }
        double next = curvature > 0 ? at - slope / curvature : INFINITY;
        bool inside = next > low && next < high;
        if (!inside || i >= NEWTON_MAX) next = isfinite(high) ? (low + high) / 2 : 2 * at;
        *k = next;
        if (fabs(next - at) <= tolerance * at) return !flat || high - next > 2 * tolerance * at;
        at = next;
    }
    return false;
}

bool calibrate_root(CalibrateSlope slope, const void *data, double tolerance, double *k)
{
    bool found = find_root(slope, data, tolerance, k);

    if (!found) *k = CALIBRATE_K_REFERENCE;
    return found;
}

/* ---- Of a batch */

typedef struct Evaluated {
    const Batch *batch;
    const double *cp;
} Evaluated;

static double batch_slope(const void *data, double k, double *curvature)
{
    enum { BLOCK = 256 };
    const Batch *batch = ((const Evaluated *)data)->batch;
    const double *cp = ((const Evaluated *)data)->cp;
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

Status calibrate_k(Loss *loss, const double *weights, double *k, bool *fitted, Error *err)
{
    const Batch *batch = loss_batch(loss);
    double *cp;

    if (loss_evaluations(loss, weights, "fitting K", &cp, err) != STATUS_OK) return err->status;
    *fitted = calibrate_root(batch_slope, &(Evaluated){batch, cp}, 1e-12, k);
    scratch_free(batch->scratch, cp);
    return system_check_end(err);
}
