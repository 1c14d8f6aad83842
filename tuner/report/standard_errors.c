/* SPDX-License-Identifier: MIT
 * Covariances by the sandwich, clustered by game. */
#include "tuner/report/standard_errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/cholesky.h"
#include "tuner/data/scratch.h"

/* Games are summed in this many parts at any number of threads, so the bits are the same. */
enum { PARTS = 4 };
/* Beyond this number of games only every n-th is used: the error of the error is small then. */
enum { GAMES_MAX = 40000 };
/* Right sides that are solved together and stay in the cache. */
enum { TOGETHER = 32 };
/* A resolution below this is the rounding error of 1 - 1, which differs by machine: it becomes 0.
 */
#define RESOLUTION_NOISE 1e-12

typedef struct Work {
    Fit *fit;
    StandardErrors *errors;
    const Batch *batch;
    int *active;         /* [count] dimensions */
    int *rows;           /* [count] of the Hessian */
    double *factor;      /* [count][count] of the Hessian with the prior */
    double *inverse;     /* [count][count] of the same */
    double *meat[PARTS]; /* [count][count] upper triangles */
    double *slope;       /* [positions] of the batch */
    int64_t *offset;     /* [positions] where each one's occurrences start */
    int64_t *first;      /* [games + 1] into slots[] */
    int32_t *slots;      /* [positions] sorted by game */
    const atomic_int *interrupted;
} Work;

static bool must_end(const Work *w)
{
    return w->interrupted && atomic_load_explicit(w->interrupted, memory_order_relaxed);
}

static Status check_end(const Work *w, Error *err)
{
    return must_end(w) ? error_set(err, STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

static bool allocate(Work *w)
{
    const Space *space = w->fit->space;
    size_t d = (size_t)space->dimensions, positions = (size_t)w->batch->positions + 1;
    const char *scratch = w->batch->scratch;
    StandardErrors *e = w->errors;
    bool ok = true;

    e->row = malloc((d + 1) * sizeof *e->row);
    e->resolution = malloc((d + 1) * sizeof *e->resolution);
    e->games = calloc(d + 1, sizeof *e->games);
    w->active = malloc((d + 1) * sizeof *w->active);
    if (!e->row || !e->resolution || !e->games || !w->active) return false;
    w->rows = malloc((d + 1) * sizeof *w->rows);
    if (!w->rows) return false;
    for (int i = 0; i < space->dimensions; i++) {
        int column = i % space->columns;
        bool has_error = !space->fixed[i] && column < space->tables;
        e->row[i] = has_error ? e->count : -1;
        if (!has_error) continue;
        w->active[e->count] = i;
        w->rows[e->count++] =
            i / space->columns * space_metric_column(space->tables, space->columns) + column;
    }
    size_t square = (size_t)e->count * (size_t)e->count + 1;
    w->factor = malloc(square * sizeof *w->factor);
    w->inverse = calloc(square, sizeof *w->inverse);
    for (int p = 0; p < PARTS; p++) {
        w->meat[p] = calloc(square, sizeof *w->meat[p]);
        ok = ok && w->meat[p];
    }
    w->slope = scratch_resize(scratch, NULL, positions * sizeof *w->slope);
    w->offset = scratch_resize(scratch, NULL, positions * sizeof *w->offset);
    w->first = calloc((size_t)w->fit->data->games + 2, sizeof *w->first);
    w->slots = scratch_resize(scratch, NULL, positions * sizeof *w->slots);
    return ok && w->factor && w->inverse && w->slope && w->offset && w->first && w->slots;
}

static void release(Work *w)
{
    free(w->active);
    free(w->rows);
    free(w->factor);
    free(w->inverse);
    for (int p = 0; p < PARTS; p++)
        free(w->meat[p]);
    scratch_free(w->batch->scratch, w->slope);
    scratch_free(w->batch->scratch, w->offset);
    free(w->first);
    scratch_free(w->batch->scratch, w->slots);
}

/* ---- The Hessian and its inverse */

/* x[count][count] becomes H^-1 x. */
static void solve_square(const Work *w, double *x)
{
    int n = w->errors->count;

#pragma omp parallel for default(none) shared(w, n, x) num_threads(w->fit->settings->threads)      \
    schedule(dynamic)
    for (int at = 0; at < n; at += TOGETHER)
        cholesky_solve(w->factor, n, x + at, n - at < TOGETHER ? n - at : TOGETHER, n,
                       w->interrupted);
}

static Status invert_hessian(Work *w, Error *err)
{
    const Fit *fit = w->fit;
    const OptimiserSettings settings = {.k = fit->result.k,
                                        .ridge = fit_ridge(fit, fit->result.prior),
                                        .interrupted = w->interrupted};
    size_t n = (size_t)w->errors->count;

    Status status = objective_factor(fit->train_loss, fit->space, fit->best, &settings, 1, w->rows,
                                     (int)n, w->factor, NULL, err);
    if (status != STATUS_OK) return status;
    for (size_t i = 0; i < n; i++)
        w->inverse[i * n + i] = 1;
    solve_square(w, w->inverse);
    return STATUS_OK;
}

/* told_i = 1 - (H^-1 2 ridge R)_ii, R as in optimise.h. */
static void find_resolution(Work *w)
{
    const Space *space = w->fit->space;
    StandardErrors *e = w->errors;
    size_t n = (size_t)e->count, d = (size_t)space->dimensions;
    double ridge = fit_ridge(w->fit, w->fit->result.prior);

    for (size_t i = 0; i < d; i++)
        e->resolution[i] = 1;
    for (size_t i = 0; i < n; i++) {
        int dimension = w->active[i], column = dimension % space->columns;
        int half = dimension - column, group = space->group[column], size = 0;
        double sum = 0;
        for (int c = 0; group >= 0 && c < space->columns; c++) {
            if (space->group[c] != group) continue;
            size++;
            if (e->row[half + c] >= 0) sum += w->inverse[i * n + (size_t)e->row[half + c]];
        }
        double held = w->inverse[i * n + i];
        if (group >= 0) held -= (1 - space->mean_pull[group]) * sum / size;
        double told = 1 - 2 * ridge * held;
        e->resolution[dimension] = fabs(told) < RESOLUTION_NOISE ? 0 : told;
        e->parameters += e->resolution[dimension];
    }
}

/* ---- Games */

static void sort_by_game(Work *w)
{
    const Batch *b = w->batch;
    const Dataset *data = w->fit->data;

    for (int r = 0; r < b->run_count; r++)
        for (int64_t i = 0; i < b->runs[r].count; i++)
            w->offset[b->runs[r].first + i] = b->runs[r].occurrence + i * b->runs[r].occurrences;
    for (int64_t i = 0; i < b->positions && !must_end(w); i++)
        w->first[data->game[b->index[i]] + 2]++;
    for (int32_t g = 0; g < data->games; g++)
        w->first[g + 2] += w->first[g + 1];
    for (int64_t i = 0; i < b->positions && !must_end(w); i++)
        w->slots[w->first[data->game[b->index[i]] + 1]++] = (int32_t)i;
}

/* The gradient of a game by the weights of a column. */
typedef struct ColumnSum {
    double half[PHASES];
    bool touched; /* the column occurs in the game */
} ColumnSum;

/* The same by a row of the covariance. */
typedef struct RowSum {
    int row;
    double value;
} RowSum;

static void sum_game(const Work *w, int32_t game, ColumnSum *sums)
{
    const Batch *b = w->batch;
    const Dataset *data = w->fit->data;

    for (int64_t s = w->first[game]; s < w->first[game + 1]; s++) {
        int32_t slot = w->slots[s];
        const Occurrence *at = b->occurrence + w->offset[slot];
        int32_t position = b->index[slot];
        double share = (double)data->phase[position] / EVAL_PHASE_MAX, slope = w->slope[slot];
        for (int j = 0; j < data->count[position]; j++) {
            ColumnSum *sum = &sums[b->code_of[at[j]]];
            double part = slope * b->code_value[at[j]];
            sum->half[MG] += share * part;
            sum->half[EG] += (1 - share) * part;
            sum->touched = true;
        }
    }
}

/* Moves the sums into rows that ascend; returns their number. */
static int gather(const Work *w, ColumnSum *sums, RowSum *rows)
{
    const Batch *b = w->batch;
    int count = 0;

    for (int half = MG; half <= EG; half++)
        for (int c = 0; c < b->columns; c++) {
            int row = w->errors->row[half * b->space_columns + b->column[c]];
            if (sums[c].touched && row >= 0) rows[count++] = (RowSum){row, sums[c].half[half]};
        }
    memset(sums, 0, (size_t)b->columns * sizeof *sums);
    return count;
}

static void add_square(double *meat, size_t n, const RowSum *rows, int count)
{
    for (int i = 0; i < count; i++) {
        double *row = meat + (size_t)rows[i].row * n, value = rows[i].value;
        for (int j = i; j < count; j++)
            row[rows[j].row] += value * rows[j].value;
    }
}

/* Every stride-th game of part p. False when out of memory. */
static bool sum_part(Work *w, int p, int stride)
{
    size_t columns = (size_t)w->batch->columns + 1;
    ColumnSum *sums = calloc(columns, sizeof *sums);
    RowSum *rows = malloc(2 * columns * sizeof *rows);
    bool ok = sums && rows;

    for (int32_t g = p * stride; ok && !must_end(w) && g < w->fit->data->games;
         g += PARTS * stride) {
        sum_game(w, g, sums);
        int count = gather(w, sums, rows);
        add_square(w->meat[p], (size_t)w->errors->count, rows, count);
    }
    free(sums);
    free(rows);
    return ok;
}

/* meat[0] becomes the whole symmetric sum over games, as of the mean loss. */
static Status sum_games(Work *w, Error *err)
{
    int stride = w->fit->data->games / GAMES_MAX + 1;
    bool ok[PARTS] = {false};
    size_t n = (size_t)w->errors->count;

#pragma omp parallel for default(none) shared(w, stride, ok)                                       \
    num_threads(w->fit->settings->threads) schedule(dynamic)
    for (int p = 0; p < PARTS; p++)
        ok[p] = sum_part(w, p, stride);
    for (int p = 0; p < PARTS; p++)
        if (!ok[p]) return error_set(err, STATUS_FAILED, "out of memory for standard errors");

    double games = (double)w->batch->games;
    double factor = stride * games / (games > 1 ? games - 1 : 1) /
                    (w->batch->weight_sum * w->batch->weight_sum);
    double *meat = w->meat[0];
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            double sum = 0;
            for (int p = 0; p < PARTS; p++)
                sum += w->meat[p][i * n + j];
            meat[i * n + j] = meat[j * n + i] = factor * sum;
        }
    return STATUS_OK;
}

/* Variance of the games' sums of residuals, relative to independent positions. */
static void find_design_effect(Work *w)
{
    double between = 0, within = 0;

    for (int32_t g = 0; g < w->fit->data->games && !must_end(w); g++) {
        double sum = 0;
        for (int64_t s = w->first[g]; s < w->first[g + 1]; s++) {
            double slope = w->slope[w->slots[s]];
            sum += slope;
            within += slope * slope;
        }
        between += sum * sum;
    }
    w->errors->design_effect = within > 0 && between > within ? between / within : 1;
    w->errors->positions = (double)w->batch->positions / w->errors->design_effect;
}

static Status count_games(Work *w, Error *err)
{
    const Batch *b = w->batch;
    const Dataset *data = w->fit->data;
    int32_t *last = malloc(((size_t)b->columns + 1) * sizeof *last);

    if (!last) return error_set(err, STATUS_FAILED, "out of memory for standard errors");
    for (int c = 0; c < b->columns; c++)
        last[c] = -1;
    for (int32_t g = 0; g < data->games && !must_end(w); g++)
        for (int64_t s = w->first[g]; s < w->first[g + 1]; s++) {
            const Occurrence *at = b->occurrence + w->offset[w->slots[s]];
            for (int j = 0; j < data->count[b->index[w->slots[s]]]; j++) {
                int c = b->code_of[at[j]];
                if (last[c] == g) continue;
                last[c] = g;
                w->errors->games[b->column[c]]++;
            }
        }
    free(last);
    return STATUS_OK;
}

/* ---- The sandwich */

/* w' = A w / (c'w): the weights in the required scale. To first order
 * dw' = s (I - w c' / a) dw, with s = A / a. Multiplies the covariance accordingly. */
static Status rescale(Work *w, double scale, bool varies, Error *err)
{
    const Fit *fit = w->fit;
    StandardErrors *e = w->errors;
    size_t n = (size_t)e->count;
    double a = space_scale(fit->space, fit->best), total = 0;
    double *vc = calloc(n + 1, sizeof *vc);

    if (!vc) return error_set(err, STATUS_FAILED, "out of memory for standard errors");
    for (size_t i = 0; varies && i < n; i++) {
        for (size_t j = 0; j < n; j++)
            vc[i] += e->covariance[i * n + j] * fit->space->scale[w->active[j]];
        total += vc[i] * fit->space->scale[w->active[i]];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double *v = &e->covariance[i * n + j];
            if (varies) {
                double wi = fit->best[w->active[i]] / a, wj = fit->best[w->active[j]] / a;
                *v += wi * wj * total - wi * vc[j] - wj * vc[i];
            }
            *v *= scale * scale;
        }
    if (varies) e->k_error = fit->result.k / (scale * a) * sqrt(total);
    free(vc);
    return STATUS_OK;
}

static Status work_out(Work *w, double scale, bool varies, Error *err)
{
    Fit *fit = w->fit;
    StandardErrors *e = w->errors;
    size_t n = (size_t)e->count;
    double *cp;

    Status status = loss_evaluations(fit->train_loss, fit->best, "standard errors", &cp, err);
    if (status != STATUS_OK) return status;
    loss_slopes(fit->train_loss, cp, fit->result.k, w->slope);
    scratch_free(w->batch->scratch, cp);
    sort_by_game(w);
    find_design_effect(w);
    status = count_games(w, err);
    if (status == STATUS_OK) status = invert_hessian(w, err);
    if (status == STATUS_OK) status = check_end(w, err);
    if (status == STATUS_OK) find_resolution(w);
    if (status == STATUS_OK) status = sum_games(w, err);
    if (status == STATUS_OK) status = check_end(w, err);
    if (status != STATUS_OK) return status;
    /* H^-1 M, transposed, then H^-1 M H^-1. */
    double *v = w->meat[0];
    solve_square(w, v);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            double t = v[i * n + j];
            v[i * n + j] = v[j * n + i];
            v[j * n + i] = t;
        }
    solve_square(w, v);
    e->covariance = v;
    w->meat[0] = NULL;
    status = check_end(w, err);
    return status == STATUS_OK ? rescale(w, scale, varies, err) : status;
}

Status standard_errors_check(const Space *space, Error *err)
{
    enum { MATRICES = 2 + PARTS };
    size_t count = 0;

    for (int i = 0; i < space->dimensions; i++)
        count += !space->fixed[i] && i % space->columns < space->tables;
    if (count > STANDARD_ERRORS_MAX)
        return error_set(err, STATUS_BAD_INPUT,
                         "standard errors are for at most %d weights, not %zu; use --no-errors",
                         STANDARD_ERRORS_MAX, count);
    size_t bytes = MATRICES * count * count * sizeof(double);
    void *room = malloc(bytes + 1);
    free(room);
    if (room) return STATUS_OK;
    return error_set(err, STATUS_FAILED,
                     "out of memory for standard errors of %zu weights, %zu MB; use --no-errors",
                     count, bytes >> 20);
}

Status standard_errors_create(Fit *fit, double scale, bool scale_varies,
                              const atomic_int *interrupted, StandardErrors **out, Error *err)
{
    Work w = {.fit = fit, .batch = fit->train, .interrupted = interrupted};
    Status status = STATUS_OK;

    *out = NULL;
    w.errors = calloc(1, sizeof *w.errors);
    if (!w.errors || !allocate(&w))
        status = scratch_error(w.batch->scratch, "standard errors", err);
    if (status == STATUS_OK) status = work_out(&w, scale, scale_varies, err);
    if (w.errors) release(&w);
    if (status == STATUS_OK)
        *out = w.errors;
    else
        standard_errors_destroy(w.errors);
    return status;
}

void standard_errors_destroy(StandardErrors *errors)
{
    if (!errors) return;
    free(errors->row);
    free(errors->covariance);
    free(errors->resolution);
    free(errors->games);
    free(errors);
}

double standard_errors_variance(const StandardErrors *e, const int *dimension, const double *factor,
                                int count)
{
    size_t n = (size_t)e->count;
    double sum = 0;

    for (int i = 0; i < count; i++) {
        int row = e->row[dimension[i]];
        for (int j = 0; row >= 0 && j < count; j++) {
            int column = e->row[dimension[j]];
            if (column < 0) continue;
            sum += factor[i] * factor[j] * e->covariance[(size_t)row * n + (size_t)column];
        }
    }
    return sum > 0 ? sum : 0;
}
