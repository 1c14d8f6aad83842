/* SPDX-License-Identifier: MIT
 * L-BFGS in the metric of the Gauss-Newton Hessian. */
#include "tuner/optimise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/cholesky.h"

enum { MEMORY = 12 }; /* steps that L-BFGS remembers */
enum { BACKTRACKS_MAX = 30 };
enum { HESSIAN_POSITIONS = 60000 }; /* a metric is taken from about so many */

/* The metric is renewed when the loss has fallen by this part of what it was there. */
static const double METRIC_MOVED = 0.02;
/* How much of a piece's mean value the prior sees: enough to hold that of a piece never met. */
static const double PRIOR_OF_MEAN = 1e-3;

typedef double Vector[DIMENSIONS];

struct Optimiser {
    Loss *loss;
    OptimiserSettings settings;
    int stride; /* of the Hessian's sample */
    int passes;
    double data_loss, objective; /* at w */
    double metric_objective;     /* where the metric was taken; infinite before */
    int pairs, newest;           /* remembered; the newest's index */
    double rho[MEMORY];          /* 1 / s'y */
    Vector start, w, gradient, next, next_gradient, direction;
    Vector s[MEMORY], y[MEMORY]; /* steps, changes of the gradient */
    double metric[DIMENSIONS][DIMENSIONS];
};

static double dot(const double *a, const double *b)
{
    double lanes[8] = {0}, sum = 0;
    _Static_assert(DIMENSIONS % 8 == 0, "whole lanes");
    for (int i = 0; i < DIMENSIONS; i += 8)
        for (int l = 0; l < 8; l++)
            lanes[l] += a[i + l] * b[i + l];
    for (int l = 0; l < 8; l++)
        sum += lanes[l];
    return sum;
}

static void add_scaled(double *to, double factor, const double *v)
{
    for (int i = 0; i < DIMENSIONS; i++)
        to[i] += factor * v[i];
}

/* ---- The prior */

/* Columns [*first, *first + *count) of one half that a common mean binds: a piece's squares, but
 * not the king's, which has no value. Returns false when `table` is none such. */
static bool bound_table(int table, int *first, int *count)
{
    if (table >= KING) return false;
    *first = table * SQUARES + (table == PAWN ? SQUARES / 8 : 0);
    *count = table == PAWN ? SQUARES - 2 * SQUARES / 8 : SQUARES;
    return true;
}

/* rd = R d. */
static void prior_apply(const double *d, double *rd)
{
    memcpy(rd, d, sizeof(Vector));
    for (int half = 0; half < DIMENSIONS; half += COLUMNS)
        for (int table = 0, first, count; bound_table(table, &first, &count); table++) {
            double mean = 0;
            for (int c = first; c < first + count; c++)
                mean += d[half + c] / count;
            for (int c = first; c < first + count; c++)
                rd[half + c] -= (1 - PRIOR_OF_MEAN) * mean;
        }
}

/* Adds 2 * ridge * R. */
static void prior_add_hessian(double ridge, double (*hessian)[DIMENSIONS])
{
    for (int i = 0; i < DIMENSIONS; i++)
        hessian[i][i] += 2 * ridge;
    for (int half = 0; half < DIMENSIONS; half += COLUMNS)
        for (int table = 0, first, count; bound_table(table, &first, &count); table++)
            for (int i = half + first; i < half + first + count; i++)
                for (int j = i; j < half + first + count; j++)
                    hessian[i][j] -= 2 * ridge * (1 - PRIOR_OF_MEAN) / count;
}

/* The objective, its gradient and the loss in it. */
static double evaluate(Optimiser *o, const double *w, double *gradient, double *data_loss)
{
    Vector d, rd;
    double ridge = o->settings.ridge;

    *data_loss = loss_gradient(o->loss, w, o->settings.k, gradient);
    o->passes++;
    memcpy(d, w, sizeof d);
    add_scaled(d, -1, o->start);
    prior_apply(d, rd);
    add_scaled(gradient, 2 * ridge, rd);
    return *data_loss + ridge * dot(d, rd);
}

/* ---- Steps */

Status optimiser_create(Loss *loss, const double *start, const OptimiserSettings *settings,
                        Optimiser **out, Error *err)
{
    Optimiser *o = calloc(1, sizeof *o);
    *out = o;
    if (!o) return error_set(err, STATUS_FAILED, "out of memory for the optimiser");
    o->loss = loss;
    o->settings = *settings;
    int64_t stride = loss_batch(loss)->positions / HESSIAN_POSITIONS;
    o->stride = stride > 1 ? (int)stride : 1;
    memcpy(o->start, start, sizeof o->start);
    memcpy(o->w, start, sizeof o->w);
    o->metric_objective = INFINITY;
    o->objective = evaluate(o, o->w, o->gradient, &o->data_loss);
    return STATUS_OK;
}

void optimiser_destroy(Optimiser *optimiser)
{
    free(optimiser);
}
const double *optimiser_weights(const Optimiser *o)
{
    return o->w;
}
double optimiser_loss(const Optimiser *o)
{
    return o->data_loss;
}
double optimiser_objective(const Optimiser *o)
{
    return o->objective;
}
int optimiser_passes(const Optimiser *o)
{
    return o->passes;
}

static Status renew_metric(Optimiser *o, Error *err)
{
    Status status = loss_hessian(o->loss, o->w, o->settings.k, o->stride, o->metric[0], err);
    if (status != STATUS_OK) return status;
    prior_add_hessian(o->settings.ridge, o->metric);
    if (!cholesky_factor(o->metric[0], DIMENSIONS))
        return error_set(err, STATUS_FAILED, "the Hessian of the loss is not positive definite");
    o->metric_objective = o->objective;
    o->pairs = 0;
    return STATUS_OK;
}

/* x = H0 x: the metric's inverse, or for the first-order method the scale of the newest step. */
static void apply_metric(const Optimiser *o, double *x)
{
    double scale = 1 / sqrt(dot(o->gradient, o->gradient));

    if (!o->settings.first_order) {
        cholesky_solve(o->metric[0], DIMENSIONS, x);
        return;
    }
    if (o->pairs > 0) scale = 1 / (o->rho[o->newest] * dot(o->y[o->newest], o->y[o->newest]));
    for (int i = 0; i < DIMENSIONS; i++)
        x[i] *= scale;
}

/* direction = -H gradient by the two-loop recursion. */
static void find_direction(Optimiser *o)
{
    double alpha[MEMORY], *d = o->direction;

    for (int i = 0; i < DIMENSIONS; i++)
        d[i] = -o->gradient[i];
    for (int n = 0; n < o->pairs; n++) {
        int i = (o->newest - n + MEMORY) % MEMORY;
        alpha[i] = o->rho[i] * dot(o->s[i], d);
        add_scaled(d, -alpha[i], o->y[i]);
    }
    apply_metric(o, d);
    for (int n = o->pairs - 1; n >= 0; n--) {
        int i = (o->newest - n + MEMORY) % MEMORY;
        add_scaled(d, alpha[i] - o->rho[i] * dot(o->y[i], d), o->s[i]);
    }
}

/* Takes the step w -> next into the memory, unless the curvature along it is not positive. */
static void remember_step(Optimiser *o)
{
    int i = (o->newest + 1) % MEMORY;

    for (int c = 0; c < DIMENSIONS; c++) {
        o->s[i][c] = o->next[c] - o->w[c];
        o->y[i][c] = o->next_gradient[c] - o->gradient[c];
    }
    double curvature = dot(o->s[i], o->y[i]);
    if (!(curvature > 0)) return;
    o->rho[i] = 1 / curvature;
    o->newest = i;
    if (o->pairs < MEMORY) o->pairs++;
}

/* Along the direction, whose slope is negative: the full step, shortened by the parabola through
 * what is known until the objective falls enough (Armijo's rule). False when it never does. */
static bool line_search(Optimiser *o, double slope)
{
    double step = 1;

    for (int tries = 0; tries < BACKTRACKS_MAX; tries++) {
        double data_loss;
        memcpy(o->next, o->w, sizeof o->next);
        add_scaled(o->next, step, o->direction);
        double objective = evaluate(o, o->next, o->next_gradient, &data_loss);
        if (objective <= o->objective + 1e-4 * step * slope && objective < o->objective) {
            remember_step(o);
            memcpy(o->w, o->next, sizeof o->w);
            memcpy(o->gradient, o->next_gradient, sizeof o->gradient);
            o->objective = objective;
            o->data_loss = data_loss;
            return true;
        }
        double least = -slope * step * step / (2 * (objective - o->objective - slope * step));
        step = least > 0.1 * step && least < 0.5 * step ? least : 0.3 * step;
    }
    return false;
}

Status optimiser_step(Optimiser *o, double tolerance, bool *converged, Error *err)
{
    *converged = false;
    if (!o->settings.first_order && o->objective < (1 - METRIC_MOVED) * o->metric_objective) {
        Status status = renew_metric(o, err);
        if (status != STATUS_OK) return status;
    }
    find_direction(o);
    double slope = dot(o->gradient, o->direction);
    /* Half the slope is what the quadratic model still promises. */
    *converged = -slope / 2 <= tolerance * o->objective;
    if (!*converged && !line_search(o, slope)) *converged = true;
    return STATUS_OK;
}
