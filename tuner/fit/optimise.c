/* SPDX-License-Identifier: MIT
 * L-BFGS in the metric of the Gauss-Newton Hessian, and Adam. */
#include "tuner/fit/optimise.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/cholesky.h"
#include "engine/base/system.h"
#include "engine/values/field.h"

enum { MEMORY = 12 }; /* steps in the memory of L-BFGS */
enum { BACKTRACKS_MAX = 30 };
/* Least positions of a metric, in all and per entry. With fewer, rare columns are noise and steps
 * along them fail. */
enum { HESSIAN_POSITIONS = 60000, HESSIAN_ENTRIES = 8 };
enum { LANES = 8 }; /* vectors are padded to whole ones by zeros */

/* Bytes of the Hessian and its factor. */
static const double MATRICES_MAX = 4294967296.0;

/* The metric is renewed when the loss has fallen by this part of what it was there. */
static const double METRIC_MOVED = 0.02, METRIC_MOVED_TABLES = 0.5;

/* Adam's steps grow shorter from the one to the other, centipawns: some 6,000 of them. */
static const double ADAM_STEP = 10, ADAM_STEP_LEAST = 1e-3, ADAM_DECAY = 0.9985;
static const double ADAM_BETA1 = 0.9, ADAM_BETA2 = 0.999;

/* Of a Hessian in which each table is one. */
static int metric_columns(const Space *space)
{
    return space_metric_column(space->tables, space->columns);
}

/* ---- The prior */

static int group_size(const Space *space, int group)
{
    int size = 0;
    for (int c = 0; c < space->columns; c++)
        size += space->group[c] == group;
    return size;
}

static void prior_apply(const Space *space, const double *d, double *rd)
{
    memcpy(rd, d, (size_t)space->dimensions * sizeof *rd);
    for (int half = 0; half < space->dimensions; half += space->columns)
        for (int c = space->tables; c < space->columns; c++)
            rd[half + c] *= space->table_pull;
    for (int half = 0; half < space->dimensions; half += space->columns)
        for (int g = 0; g < space->groups; g++) {
            double sum = 0;
            int size = group_size(space, g);
            for (int c = 0; c < space->columns; c++)
                if (space->group[c] == g) sum += d[half + c];
            for (int c = 0; c < space->columns; c++)
                if (space->group[c] == g) rd[half + c] -= (1 - space->mean_pull[g]) * sum / size;
        }
}

/* To the matrix and the diagonal of loss_hessian(). */
static void prior_add_hessian(const Space *space, double ridge, double *hessian,
                              double (*diagonal)[3])
{
    const int n = metric_columns(space);
    const size_t dimensions = 2 * (size_t)n;

    for (int i = 0; i < 2 * n; i++) {
        double pull = i % n < space->tables ? 1 : SQUARES * space->table_pull;
        hessian[(size_t)i * dimensions + (size_t)i] += 2 * ridge * pull;
    }
    for (int c = 0; c < space->columns - space->tables && diagonal; c++) {
        diagonal[c][0] += 2 * ridge * space->table_pull;
        diagonal[c][2] += 2 * ridge * space->table_pull;
    }
    for (int g = 0; g < space->groups; g++) {
        double shared = 2 * ridge * (1 - space->mean_pull[g]) / (group_size(space, g) + 1e-300);
        for (int half = 0; half < 2 * n; half += n)
            for (int i = 0; i < space->tables; i++)
                for (int j = i; j < space->tables && space->group[i] == g; j++)
                    if (space->group[j] == g)
                        hessian[(size_t)(half + i) * dimensions + (size_t)(half + j)] -= shared;
    }
}

Status objective_factor(Loss *loss, const Space *space, const double *w,
                        const OptimiserSettings *settings, int stride, const int *active, int count,
                        double *factor, double (*diagonal)[3], Error *err)
{
    size_t d = 2 * (size_t)metric_columns(space), n = (size_t)count;
    double *hessian = malloc(d * d * sizeof *hessian);

    if (!hessian) return error_set(err, STATUS_FAILED, "out of memory for the Hessian");
    Status status = loss_hessian(loss, space->tables, w, settings->k, stride, settings->interrupted,
                                 hessian, diagonal, err);
    if (status == STATUS_OK) {
        prior_add_hessian(space, settings->ridge, hessian, diagonal);
        for (size_t i = 0; i < n; i++)
            for (size_t j = i; j < n; j++)
                factor[i * n + j] = hessian[(size_t)active[i] * d + (size_t)active[j]];
        bool factored = cholesky_factor(factor, count, settings->interrupted);
        if (settings->interrupted && atomic_load(settings->interrupted))
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
        else if (!factored)
            status =
                error_set(err, STATUS_FAILED, "the Hessian of the loss is not positive definite");
    }
    free(hessian);
    return status;
}

/* ---- The optimiser */

struct Optimiser {
    Loss *loss;
    const Space *space;
    OptimiserSettings settings;
    int stride;              /* of the Hessian's sample */
    OptimiserState state;    /* at w */
    double metric_objective; /* where the metric was taken; below 0: not yet */
    int pairs, newest;       /* remembered; the newest's index */
    double rho[MEMORY];      /* 1 / s'y */
    int dimensions, padded;  /* padded: whole lanes */
    int active_count;
    int *active;     /* [active_count] rows of the metric's matrix that are not fixed */
    double *vectors; /* all that follow, [padded] each; from w on they are saved */
    double *mean, *next, *next_gradient, *direction, *d, *rd;
    double *w, *gradient, *metric_at; /* metric_at: weights at which the metric was taken */
    double *first_moment, *second_moment;
    double *s[MEMORY], *y[MEMORY]; /* steps, changes of the gradient */
    double *metric;                /* [active][active], factored */
    double (*diagonal)[3];         /* [columns of tables] by each of them; NULL: there are none */
    uint8_t *occurs;               /* [columns] free and in the data */
    struct {
        int steps;
        double step; /* cp */
    } adam;
};

static double dot(const Optimiser *o, const double *a, const double *b)
{
    double lanes[LANES] = {0}, sum = 0;
    for (int i = 0; i < o->padded; i += LANES)
        for (int l = 0; l < LANES; l++)
            lanes[l] += a[i + l] * b[i + l];
    for (int l = 0; l < LANES; l++)
        sum += lanes[l];
    return sum;
}

static void add_scaled(const Optimiser *o, double *to, double factor, const double *v)
{
    for (int i = 0; i < o->padded; i++)
        to[i] += factor * v[i];
}

static void copy(const Optimiser *o, double *to, const double *from)
{
    memcpy(to, from, (size_t)o->padded * sizeof *to);
}

/* The objective, its gradient (0 in fixed dimensions) and the loss in it. */
static double evaluate(Optimiser *o, const double *w, double *gradient, double *data_loss)
{
    double ridge = o->settings.ridge;

    *data_loss = loss_gradient(o->loss, w, o->settings.k, gradient);
    o->state.passes++;
    copy(o, o->d, w);
    add_scaled(o, o->d, -1, o->mean);
    prior_apply(o->space, o->d, o->rd);
    add_scaled(o, gradient, 2 * ridge, o->rd);
    for (int i = 0; i < o->dimensions; i++)
        if (o->space->fixed[i]) gradient[i] = 0;
    return *data_loss + ridge * dot(o, o->d, o->rd);
}

/* ---- Life */

enum { VECTORS = 11, SAVED_VECTORS = 5 + 2 * MEMORY };

static bool allocate(Optimiser *o)
{
    double **const vectors[VECTORS] = {
        &o->mean,     &o->next,      &o->next_gradient, &o->direction,    &o->d, &o->rd, &o->w,
        &o->gradient, &o->metric_at, &o->first_moment,  &o->second_moment};
    size_t padded = (size_t)o->padded, d = (size_t)o->dimensions;

    o->vectors = calloc((VECTORS + 2 * MEMORY) * padded, sizeof *o->vectors);
    o->active = malloc((d + 1) * sizeof *o->active);
    if (!o->vectors || !o->active) return false;
    double *at = o->vectors;
    for (int i = 0; i < VECTORS; i++, at += padded)
        *vectors[i] = at;
    for (int i = 0; i < MEMORY; i++, at += 2 * padded) {
        o->s[i] = at;
        o->y[i] = at + padded;
    }
    const Space *space = o->space;
    const Batch *batch = loss_batch(o->loss);
    for (int i = 0; i < o->dimensions; i++) {
        int column = i % space->columns, half = i / space->columns;
        int row = half * metric_columns(space) + space_metric_column(space->tables, column);
        bool known = o->active_count > 0 && o->active[o->active_count - 1] == row;
        if (!space->fixed[i] && !known) o->active[o->active_count++] = row;
    }
    if (o->settings.method != OPTIMISER_NEWTON) return true;
    o->occurs = calloc((size_t)space->columns + 1, sizeof *o->occurs);
    if (!o->occurs) return false;
    for (int c = 0; c < batch->columns; c++)
        o->occurs[batch->column[c]] = !space->fixed[batch->column[c]];
    if (space->tables < space->columns) {
        o->diagonal = malloc((size_t)(space->columns - space->tables) * sizeof *o->diagonal);
        if (!o->diagonal) return false;
    }
    o->metric = calloc((size_t)o->active_count * (size_t)o->active_count + 1, sizeof *o->metric);
    return o->metric;
}

Status optimiser_create(Loss *loss, const Space *space, const double *mean, const double *start,
                        const OptimiserSettings *settings, Optimiser **out, Error *err)
{
    Optimiser *o = calloc(1, sizeof *o);

    *out = o;
    if (o) {
        o->loss = loss;
        o->space = space;
        o->settings = *settings;
        o->dimensions = space->dimensions;
        o->padded = (o->dimensions + LANES - 1) / LANES * LANES;
    }
    const double rows = 2.0 * metric_columns(space), matrices = 2 * 8 * rows * rows;
    if (o && settings->method == OPTIMISER_NEWTON && matrices > MATRICES_MAX) {
        optimiser_destroy(o);
        *out = NULL;
        return error_set(err, STATUS_FAILED,
                         "%d columns need %.1f GiB for their Hessian, and the limit is %.0f GiB;"
                         " use fewer columns, or another optimiser",
                         space->columns, matrices / (1 << 30), MATRICES_MAX / (1 << 30));
    }
    if (!o || !allocate(o)) {
        optimiser_destroy(o);
        *out = NULL;
        return error_set(err, STATUS_FAILED, "out of memory for the optimiser");
    }
    int64_t wanted = (int64_t)o->active_count * o->active_count / HESSIAN_ENTRIES;
    int64_t stride =
        loss_batch(loss)->positions / (wanted > HESSIAN_POSITIONS ? wanted : HESSIAN_POSITIONS);
    o->stride = stride > 1 ? (int)stride : 1;
    memcpy(o->mean, mean, (size_t)o->dimensions * sizeof *mean);
    memcpy(o->w, start, (size_t)o->dimensions * sizeof *start);
    o->state.weights = o->w;
    o->metric_objective = -1;
    o->state.objective = evaluate(o, o->w, o->gradient, &o->state.loss);
    o->adam.step = ADAM_STEP;
    return STATUS_OK;
}

void optimiser_destroy(Optimiser *o)
{
    if (!o) return;
    free(o->active);
    free(o->vectors);
    free(o->metric);
    free(o->diagonal);
    free(o->occurs);
    free(o);
}

const OptimiserState *optimiser_state(const Optimiser *o)
{
    return &o->state;
}

/* ---- L-BFGS */

static Status take_metric(Optimiser *o, Error *err)
{
    o->state.metrics++;
    return objective_factor(o->loss, o->space, o->metric_at, &o->settings, o->stride, o->active,
                            o->active_count, o->metric, o->diagonal, err);
}

static Status renew_metric(Optimiser *o, Error *err)
{
    copy(o, o->metric_at, o->w);
    Status status = take_metric(o, err);
    if (status != STATUS_OK) return status;
    o->metric_objective = o->state.objective;
    /* That of tables is but a start, and the steps know more about them. */
    if (o->space->tables == o->space->columns) o->pairs = 0;
    return STATUS_OK;
}

/* The dense part of the metric's inverse, into o->d by the matrix's rows. */
static void apply_dense(Optimiser *o, const double *x)
{
    const Space *space = o->space;
    int rows = metric_columns(space);

    memset(o->rd, 0, (size_t)o->padded * sizeof *o->rd);
    for (int half = MG; half <= EG; half++)
        for (int c = 0; c < space->columns; c++)
            o->rd[half * rows + space_metric_column(space->tables, c)] +=
                x[half * space->columns + c];
    for (int i = 0; i < o->active_count; i++)
        o->d[i] = o->rd[o->active[i]];
    cholesky_solve(o->metric, o->active_count, o->d, 1, 1, NULL);
    for (int i = 0; i < o->active_count; i++)
        o->rd[o->active[i]] = o->d[i];
}

/* x = H0 x for the second-order metric. */
static void apply_newton(Optimiser *o, double *x)
{
    const Space *space = o->space;
    int n = space->columns, rows = metric_columns(space);

    apply_dense(o, x);
    for (int half = MG; half <= EG; half++)
        for (int c = 0; c < space->tables; c++)
            if (!space->fixed[half * n + c]) x[half * n + c] = o->rd[half * rows + c];
    for (int c = space->tables; c < n; c++) {
        const double *d = o->diagonal[c - space->tables];
        double mg = x[c], eg = x[n + c], determinant = d[0] * d[2] - d[1] * d[1];
        int row = space_metric_column(space->tables, c);
        if (space->fixed[c]) continue;
        x[c] = (d[2] * mg - d[1] * eg) / determinant;
        x[n + c] = (d[0] * eg - d[1] * mg) / determinant;
        if (!o->occurs[c]) continue;
        x[c] += o->rd[row];
        x[n + c] += o->rd[rows + row];
    }
}

/* x = H0 x: the metric's inverse without tables; else, and for the first-order method, of the size
 * that the newest step had along it. */
static void apply_metric(Optimiser *o, double *x)
{
    bool newton = o->settings.method == OPTIMISER_NEWTON;
    double scale = newton ? 1 : 1 / sqrt(dot(o, o->gradient, o->gradient));

    if (newton) apply_newton(o, x);
    if (newton && o->space->tables == o->space->columns) return;
    if (o->pairs > 0) {
        const double *y = o->y[o->newest];
        copy(o, o->next, y);
        if (newton) apply_newton(o, o->next);
        scale = 1 / (o->rho[o->newest] * dot(o, y, o->next));
    }
    for (int i = 0; i < o->padded; i++)
        x[i] *= scale;
}

/* direction = -H gradient by the two-loop recursion. */
static void find_direction(Optimiser *o)
{
    double alpha[MEMORY], *d = o->direction;

    for (int i = 0; i < o->padded; i++)
        d[i] = -o->gradient[i];
    for (int n = 0; n < o->pairs; n++) {
        int i = (o->newest - n + MEMORY) % MEMORY;
        alpha[i] = o->rho[i] * dot(o, o->s[i], d);
        add_scaled(o, d, -alpha[i], o->y[i]);
    }
    apply_metric(o, d);
    for (int n = o->pairs - 1; n >= 0; n--) {
        int i = (o->newest - n + MEMORY) % MEMORY;
        add_scaled(o, d, alpha[i] - o->rho[i] * dot(o, o->y[i], d), o->s[i]);
    }
}

/* Takes the step w -> next into the memory, unless the curvature along it is not positive. */
static void remember_step(Optimiser *o)
{
    int i = (o->newest + 1) % MEMORY;

    for (int c = 0; c < o->padded; c++) {
        o->s[i][c] = o->next[c] - o->w[c];
        o->y[i][c] = o->next_gradient[c] - o->gradient[c];
    }
    double curvature = dot(o, o->s[i], o->y[i]);
    if (!(curvature > 0)) {
        if (o->pairs == MEMORY) o->pairs--; /* the oldest was overwritten */
        return;
    }
    o->rho[i] = 1 / curvature;
    o->newest = i;
    if (o->pairs < MEMORY) o->pairs++;
}

static void take_step(Optimiser *o, double objective, double data_loss)
{
    copy(o, o->w, o->next);
    copy(o, o->gradient, o->next_gradient);
    o->state.objective = objective;
    o->state.loss = data_loss;
}

/* Along the direction, whose slope is negative: the full step, shortened by the parabola through
 * the known values until the objective falls enough (Armijo's rule). *found: it does. */
static Status line_search(Optimiser *o, double slope, bool *found, Error *err)
{
    double step = 1;

    *found = false;
    for (int tries = 0; tries < BACKTRACKS_MAX; tries++) {
        double data_loss;
        Status status = system_check_end(err);
        if (status != STATUS_OK) return status;
        copy(o, o->next, o->w);
        add_scaled(o, o->next, step, o->direction);
        double objective = evaluate(o, o->next, o->next_gradient, &data_loss);
        if (objective <= o->state.objective + 1e-4 * step * slope &&
            objective < o->state.objective) {
            remember_step(o);
            take_step(o, objective, data_loss);
            *found = true;
            return STATUS_OK;
        }
        double least = -slope * step * step / (2 * (objective - o->state.objective - slope * step));
        step = least > 0.1 * step && least < 0.5 * step ? least : 0.3 * step;
    }
    return STATUS_OK;
}

static Status lbfgs_step(Optimiser *o, double tolerance, bool *converged, Error *err)
{
    bool found, tables = o->space->tables < o->space->columns;
    double moved = tables ? METRIC_MOVED_TABLES : METRIC_MOVED;

    if (o->settings.method == OPTIMISER_NEWTON &&
        (o->metric_objective < 0 || o->state.objective < (1 - moved) * o->metric_objective)) {
        Status status = renew_metric(o, err);
        if (status != STATUS_OK) return status;
    }
    find_direction(o);
    double slope = dot(o, o->gradient, o->direction);
    /* The quadratic model predicts a gain of half the slope. */
    *converged = -slope / 2 <= tolerance * o->state.objective;
    if (*converged) return STATUS_OK;
    Status status = line_search(o, slope, &found, err);
    *converged = status == STATUS_OK && !found;
    return status;
}

/* ---- Adam */

static void adam_step(Optimiser *o, bool *converged)
{
    double data_loss, t = ++o->adam.steps;
    double unbias1 = 1 / (1 - pow(ADAM_BETA1, t)), unbias2 = 1 / (1 - pow(ADAM_BETA2, t));

    copy(o, o->next, o->w);
    for (int i = 0; i < o->padded; i++) {
        double g = o->gradient[i], *m = &o->first_moment[i], *v = &o->second_moment[i];
        *m = ADAM_BETA1 * *m + (1 - ADAM_BETA1) * g;
        *v = ADAM_BETA2 * *v + (1 - ADAM_BETA2) * g * g;
        if (*v > 0) o->next[i] -= o->adam.step * *m * unbias1 / sqrt(*v * unbias2);
    }
    double objective = evaluate(o, o->next, o->next_gradient, &data_loss);
    take_step(o, objective, data_loss);
    o->adam.step *= ADAM_DECAY;
    *converged = o->adam.step < ADAM_STEP_LEAST;
}

Status optimiser_step(Optimiser *o, double tolerance, bool *converged, Error *err)
{
    *converged = false;
    if (o->settings.method != OPTIMISER_ADAM) return lbfgs_step(o, tolerance, converged, err);
    adam_step(o, converged);
    return STATUS_OK;
}

/* ---- Saved states */

static const Field saved_fields[] = {
    {NULL, FIELD(Optimiser, state.objective)}, {NULL, FIELD(Optimiser, state.loss)},
    {NULL, FIELD(Optimiser, state.passes)},    {NULL, FIELD(Optimiser, metric_objective)},
    {NULL, FIELD(Optimiser, pairs)},           {NULL, FIELD(Optimiser, newest)},
    {NULL, FIELD(Optimiser, adam.steps)},      {NULL, FIELD(Optimiser, adam.step)},
};
enum { SAVED_FIELDS = sizeof saved_fields / sizeof *saved_fields };

int optimiser_saved_size(const Optimiser *o)
{
    return SAVED_FIELDS + SAVED_VECTORS * o->padded;
}

void optimiser_save(const Optimiser *o, double *number)
{
    for (int i = 0; i < SAVED_FIELDS; i++)
        number[i] = field_number(saved_fields[i].kind, (const char *)o + saved_fields[i].offset);
    memcpy(number + SAVED_FIELDS, o->w, SAVED_VECTORS * (size_t)o->padded * sizeof *o->w);
}

Status optimiser_restore(Optimiser *o, const double *number, Error *err)
{
    bool valid = true;

    for (int i = 0; i < SAVED_FIELDS && valid; i++) {
        bool count = saved_fields[i].kind == FIELD_INT;
        valid = !count || (number[i] >= 0 && number[i] <= INT_MAX && number[i] == floor(number[i]));
        if (valid)
            field_set_number(saved_fields[i].kind, (char *)o + saved_fields[i].offset, number[i]);
    }
    if (!valid || o->pairs > MEMORY || o->newest >= MEMORY)
        return error_set(err, STATUS_BAD_INPUT, "no state of this fit");
    memcpy(o->w, number + SAVED_FIELDS, SAVED_VECTORS * (size_t)o->padded * sizeof *o->w);
    for (int i = 0; i < MEMORY; i++)
        o->rho[i] = 1 / dot(o, o->s[i], o->y[i]);
    return o->metric && o->metric_objective >= 0 ? take_metric(o, err) : STATUS_OK;
}
