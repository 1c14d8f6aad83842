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

/* What is summed: the columns that occur, tables being one column each. */
typedef struct Sums {
    Loss *loss;
    double k;
    int stride;
    const atomic_int *interrupted;
    int rows;         /* number of them */
    int dense;        /* rows below it are columns */
    uint16_t *column; /* [rows] of the Hessian, ascending */
    uint16_t *row;    /* [columns of the batch] */
    size_t size;      /* numbers of a phase: the matrix, then the diagonal of the tables' columns */
} Sums;

static bool name_rows(Sums *sums, int tables)
{
    const Batch *batch = sums->loss->batch;

    sums->column = malloc(((size_t)batch->columns + 1) * sizeof *sums->column);
    sums->row = malloc(((size_t)batch->columns + 1) * sizeof *sums->row);
    if (!sums->column || !sums->row) return false;
    for (int c = 0; c < batch->columns; c++) {
        int column = space_metric_column(tables, batch->column[c]);
        if (sums->rows == 0 || sums->column[sums->rows - 1] != column)
            sums->column[sums->rows++] = (uint16_t)column;
        sums->row[c] = (uint16_t)(sums->rows - 1);
        if (batch->column[c] < tables) sums->dense = sums->rows;
    }
    size_t rows = (size_t)sums->rows;
    sums->size = rows * rows + (size_t)batch->columns;
    return true;
}

/* Adds weight * x x' of one position, codes ascending, to the upper triangle of
 * sum[rows][rows], and the squares of the tables' columns behind it. */
static void add_outer_product(const Sums *sums, double *restrict sum, const Occurrence *restrict at,
                              int n, double weight)
{
    const Batch *batch = sums->loss->batch;
    double *diagonal = sum + (size_t)sums->rows * (size_t)sums->rows;
    int row[OCCURRENCES_MAX], rows = 0;
    double value[OCCURRENCES_MAX];

    for (int j = 0; j < n; j++) {
        int column = batch->code_of[at[j]], r = sums->row[column];
        double coefficient = batch->code_value[at[j]];
        if (r >= sums->dense) diagonal[column] += weight * coefficient * coefficient;
        if (r >= sums->dense && rows > 0 && row[rows - 1] == r) {
            value[rows - 1] += coefficient;
            continue;
        }
        row[rows] = r;
        value[rows++] = coefficient;
    }
    for (int j = 0; j < rows; j++) {
        double *to = sum + (size_t)row[j] * (size_t)sums->rows, mine = weight * value[j];
        for (int l = j; l < rows; l++)
            to[row[l]] += mine * value[l];
        /* A column that occurs twice is paired with itself in both orders. */
        for (int l = j + 1; l < rows && row[l] == row[j]; l++)
            to[row[l]] += mine * value[l];
    }
}

/* Sums over one phase, from every stride-th position of each run, by cp of the tapered weights. */
static void sum_phase(const Sums *sums, int phase, double *sum)
{
    const Loss *loss = sums->loss;
    const Batch *batch = loss->batch;
    const double *table = loss->table + (size_t)phase * (size_t)batch->codes;

    memset(sum, 0, sums->size * sizeof *sum);
    for (int c = batch->phase_chunk[phase]; c < batch->phase_chunk[phase + 1]; c++) {
        if (sums->interrupted && atomic_load(sums->interrupted)) return;
        const BatchChunk *chunk = &batch->chunks[c];
        for (int r = chunk->first_run; r < chunk->first_run + chunk->run_count; r++) {
            const BatchRun *run = &batch->runs[r];
            int64_t looked_at = (run->count + sums->stride - 1) / sums->stride;
            double weight = (double)run->count / (double)looked_at;
            for (int64_t i = 0; i < run->count; i += sums->stride) {
                const Occurrence *at = batch->occurrence + run->occurrence + i * run->occurrences;
                double cp = sum_codes(table, at, run->occurrences);
                double bend =
                    weight * loss_curvature(&loss->form, sigmoid(cp * sums->k / LOSS_CP_SCALE));
                if (batch->weight) bend *= (double)batch->weight[run->first + i];
                add_outer_product(sums, sum, at, run->occurrences, bend);
            }
        }
    }
}

/* Spreads row `row` of a phase's sums over the mg and eg halves of hessian[2 * half][]. */
static void spread_row(const Sums *sums, const double *sum, int row, double share, double factor,
                       size_t half, double *hessian)
{
    size_t rows = (size_t)sums->rows, d = 2 * half;
    double *mg = hessian + sums->column[row] * d;
    double *eg = hessian + (sums->column[row] + half) * d;
    double mg_mg = factor * share * share, mg_eg = factor * share * (1 - share),
           eg_eg = factor * (1 - share) * (1 - share);

    /* The mg-eg block is complete: entries below the phase's diagonal come from above it. */
    for (int c = 0; c < row; c++)
        mg[half + sums->column[c]] += mg_eg * sum[(size_t)c * rows + (size_t)row];
    for (int c = row; c < sums->rows; c++) {
        double value = sum[(size_t)row * rows + (size_t)c];
        mg[sums->column[c]] += mg_mg * value;
        mg[half + sums->column[c]] += mg_eg * value;
        eg[half + sums->column[c]] += eg_eg * value;
    }
}

static void spread_diagonal(const Sums *sums, const double *sum, double share, double factor,
                            int first, double (*diagonal)[3])
{
    const Batch *batch = sums->loss->batch;
    const double *value = sum + (size_t)sums->rows * (size_t)sums->rows;

    for (int c = 0; c < batch->columns; c++) {
        if (batch->column[c] < first) continue;
        double *out = diagonal[batch->column[c] - first];
        out[0] += factor * share * share * value[c];
        out[1] += factor * share * (1 - share) * value[c];
        out[2] += factor * (1 - share) * (1 - share) * value[c];
    }
}

Status loss_hessian(Loss *loss, int tables, const double *weights, double k, int stride,
                    const atomic_int *interrupted, double *hessian, double (*diagonal)[3],
                    Error *err)
{
    Sums sums = {.loss = loss, .k = k, .stride = stride, .interrupted = interrupted};
    double slope = k / LOSS_CP_SCALE, factor = slope * slope / loss->batch->weight_sum;
    int columns = loss->batch->space_columns;
    size_t half = (size_t)space_metric_column(tables, columns), d = 2 * half;
    double *sum = NULL;
    int together = 0;

    if (name_rows(&sums, tables)) {
        size_t fit = SUMS_BYTES / (sums.size * sizeof *sum + 1);
        together = fit < 1 ? 1 : fit > BATCH_PHASES ? BATCH_PHASES : (int)fit;
        sum = malloc((size_t)together * sums.size * sizeof *sum + 1);
    }
    Status status =
        sum ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory for the Hessian");
    if (status == STATUS_OK) {
        loss_taper(loss, weights);
        for (size_t i = 0; i < d; i++)
            memset(hessian + i * d + i, 0, (d - i) * sizeof *hessian);
        if (diagonal) memset(diagonal, 0, (size_t)(columns - tables) * sizeof *diagonal);
    }
    for (int first = 0; first < BATCH_PHASES && status == STATUS_OK; first += together) {
        int count = BATCH_PHASES - first < together ? BATCH_PHASES - first : together;
#pragma omp parallel for default(none) shared(sums, sum, first, count) num_threads(loss->threads)  \
    schedule(dynamic)
        for (int p = count - 1; p >= 0; p--)
            sum_phase(&sums, first + p, sum + (size_t)p * sums.size);
#pragma omp parallel for default(none) shared(sums, sum, first, count, factor, half, hessian)      \
    num_threads(loss->threads) schedule(dynamic, 16)
        for (int row = 0; row < sums.rows; row++)
            for (int p = 0; p < count; p++)
                spread_row(&sums, sum + (size_t)p * sums.size, row, mg_share(first + p), factor,
                           half, hessian);
        for (int p = 0; p < count && diagonal; p++)
            spread_diagonal(&sums, sum + (size_t)p * sums.size, mg_share(first + p), factor, tables,
                            diagonal);
        if (interrupted && atomic_load(interrupted))
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
    }
    free(sums.column);
    free(sums.row);
    free(sum);
    return status;
}
