/* SPDX-License-Identifier: MIT
 * The Gauss-Newton Hessian of the loss. Sums are taken by phase, over columns alone, and spread
 * over the mg and eg halves afterwards: a quarter of the work. */
#include <stdlib.h>
#include <string.h>

#include "tuner/fit/kernel.h"

/* Memory for phases that are summed in parallel. */
enum { SUMS_BYTES = 128 << 20 };

double loss_curvature(const LossForm *form, double p)
{
    double slope = p * (1 - p);

    if (form->kind == LOSS_CROSS_ENTROPY) return slope;
    if (form->kind == LOSS_NOISE_FLOOR) slope *= 1 - 2 * form->floor;
    return 2 * slope * slope;
}

/* Adds weight * x x' of one position, codes ascending, to the upper triangle of
 * sum[columns][columns]. */
static void add_outer_product(const Batch *batch, double *restrict sum,
                              const Occurrence *restrict at, int n, double weight)
{
    int column[OCCURRENCES_MAX];
    double value[OCCURRENCES_MAX];

    for (int j = 0; j < n; j++) {
        column[j] = batch->code_of[at[j]];
        value[j] = batch->code_value[at[j]];
    }
    for (int j = 0; j < n; j++) {
        double *row = sum + (size_t)column[j] * (size_t)batch->columns, mine = weight * value[j];
        for (int l = j; l < n; l++)
            row[column[l]] += mine * value[l];
        /* A column that occurs twice is paired with itself in both orders. */
        for (int l = j + 1; l < n && column[l] == column[j]; l++)
            row[column[l]] += mine * value[l];
    }
}

/* Sums over one phase, from every stride-th position of each run, by cp of the tapered weights. */
static void sum_phase(const Loss *loss, int phase, double k, int stride,
                      const atomic_int *interrupted, double *sum)
{
    const Batch *batch = loss->batch;
    const double *table = loss->table + (size_t)phase * (size_t)batch->codes;

    memset(sum, 0, (size_t)batch->columns * (size_t)batch->columns * sizeof *sum);
    for (int c = batch->phase_chunk[phase]; c < batch->phase_chunk[phase + 1]; c++) {
        if (interrupted && atomic_load(interrupted)) return;
        const BatchChunk *chunk = &batch->chunks[c];
        for (int r = chunk->first_run; r < chunk->first_run + chunk->run_count; r++) {
            const BatchRun *run = &batch->runs[r];
            int64_t looked_at = (run->count + stride - 1) / stride;
            double weight = (double)run->count / (double)looked_at;
            for (int64_t i = 0; i < run->count; i += stride) {
                const Occurrence *at = batch->occurrence + run->occurrence + i * run->occurrences;
                double cp = sum_codes(table, at, run->occurrences);
                double bend = weight * loss_curvature(&loss->form, sigmoid(cp * k / LOSS_CP_SCALE));
                if (batch->weight) bend *= (double)batch->weight[run->first + i];
                add_outer_product(batch, sum, at, run->occurrences, bend);
            }
        }
    }
}

/* Spreads row `row` of a phase's sums over the mg and eg halves. */
static void spread_row(const Batch *batch, const double *sum, int row, double share, double factor,
                       double *hessian)
{
    size_t columns = (size_t)batch->columns, d = 2 * (size_t)batch->space_columns;
    double *mg = hessian + batch->column[row] * d;
    double *eg = hessian + (batch->column[row] + d / 2) * d;
    double mg_mg = factor * share * share, mg_eg = factor * share * (1 - share),
           eg_eg = factor * (1 - share) * (1 - share);

    /* The mg-eg block is complete: entries below the phase's diagonal come from above it. */
    for (int c = 0; c < row; c++)
        mg[d / 2 + batch->column[c]] += mg_eg * sum[(size_t)c * columns + (size_t)row];
    for (int c = row; c < batch->columns; c++) {
        double value = sum[(size_t)row * columns + (size_t)c];
        mg[batch->column[c]] += mg_mg * value;
        mg[d / 2 + batch->column[c]] += mg_eg * value;
        eg[d / 2 + batch->column[c]] += eg_eg * value;
    }
}

/* Phases [first, first + count): their sums, then those spread. */
static void add_phases(Loss *loss, int first, int count, double k, int stride,
                       const atomic_int *interrupted, double *sums, double *hessian)
{
    const Batch *batch = loss->batch;
    size_t size = (size_t)batch->columns * (size_t)batch->columns;
    double slope = k / LOSS_CP_SCALE, factor = slope * slope / batch->weight_sum;
    int rows = batch->columns;

#pragma omp parallel for default(none) shared(loss, first, count, k, stride, interrupted, sums,    \
                                              size) num_threads(loss->threads) schedule(dynamic)
    for (int p = count - 1; p >= 0; p--)
        sum_phase(loss, first + p, k, stride, interrupted, sums + (size_t)p * size);
#pragma omp parallel for default(none)                                                             \
    shared(batch, rows, first, count, sums, size, factor, hessian) num_threads(loss->threads)      \
        schedule(dynamic, 16)
    for (int row = 0; row < rows; row++)
        for (int p = 0; p < count; p++)
            spread_row(batch, sums + (size_t)p * size, row, mg_share(first + p), factor, hessian);
}

Status loss_hessian(Loss *loss, const double *weights, double k, int stride,
                    const atomic_int *interrupted, double *hessian, Error *err)
{
    const Batch *batch = loss->batch;
    size_t size = (size_t)batch->columns * (size_t)batch->columns,
           d = 2 * (size_t)batch->space_columns;
    size_t fit = SUMS_BYTES / (size * sizeof(double) + 1);
    int together = fit < 1 ? 1 : fit > BATCH_PHASES ? BATCH_PHASES : (int)fit;
    double *sums = malloc((size_t)together * size * sizeof *sums + 1);

    if (!sums) return error_set(err, STATUS_FAILED, "out of memory for the Hessian");
    loss_taper(loss, weights);
    for (size_t i = 0; i < d; i++)
        memset(hessian + i * d + i, 0, (d - i) * sizeof *hessian);
    Status status = STATUS_OK;
    for (int first = 0; first < BATCH_PHASES && status == STATUS_OK; first += together) {
        int count = BATCH_PHASES - first < together ? BATCH_PHASES - first : together;
        add_phases(loss, first, count, k, stride, interrupted, sums, hessian);
        if (interrupted && atomic_load(interrupted))
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
    }
    free(sums);
    return status;
}
