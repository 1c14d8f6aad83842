/* SPDX-License-Identifier: MIT
 * The loss kernel. Positions are taken by the block: look-ups give their evaluations, one vector
 * loop the sigmoid and its slope, and the slopes are scattered into the gradient of the phase. */
#include "tuner/loss.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, LANES = 8 };       /* positions at a time; partial sums of a block's loss */
enum { SIGNED_COLUMNS = 2 * COLUMNS }; /* the columns, then their negatives */

struct Loss {
    const Batch *batch;
    int threads;
    double table[BATCH_PHASES][SIGNED_COLUMNS]; /* weights tapered to each phase */
    double *chunk_loss;                         /* [chunks] sums, not means */
    double (*chunk_gradient)[COLUMNS];          /* [chunks] by cp of the tapered weights */
    double *phase_sums; /* [BATCH_PHASES][COLUMNS][COLUMNS] of the Hessian; NULL before the first */
};

Status loss_create(const Batch *batch, int threads, Loss **out, Error *err)
{
    Loss *loss = calloc(1, sizeof *loss);
    if (loss) {
        loss->batch = batch;
        loss->threads = threads;
        loss->chunk_loss = calloc((size_t)batch->chunk_count, sizeof *loss->chunk_loss);
        loss->chunk_gradient = calloc((size_t)batch->chunk_count, sizeof *loss->chunk_gradient);
    }
    if (!loss || !loss->chunk_loss || !loss->chunk_gradient) {
        loss_destroy(loss);
        *out = NULL;
        return error_set(err, STATUS_FAILED, "out of memory for the loss of %lld positions",
                         (long long)batch->positions);
    }
    *out = loss;
    return STATUS_OK;
}

void loss_destroy(Loss *loss)
{
    if (!loss) return;
    free(loss->chunk_loss);
    free(loss->chunk_gradient);
    free(loss->phase_sums);
    free(loss);
}

const Batch *loss_batch(const Loss *loss)
{
    return loss->batch;
}

/* Share of a phase that counts as middle game. */
static double mg_share(int phase)
{
    return (double)phase / EVAL_PHASE_MAX;
}

static void taper_tables(Loss *loss, const double *weights)
{
    for (int phase = 0; phase < BATCH_PHASES; phase++) {
        double *table = loss->table[phase], share = mg_share(phase);
        for (int c = 0; c < COLUMNS; c++) {
            table[c] = weights[c] * share + weights[COLUMNS + c] * (1 - share);
            table[COLUMNS + c] = -table[c];
        }
    }
}

/* ---- The sigmoid */

/* exp(-x) for |x| <= 700, by exp(r) * 2^n with |r| <= ln(2) / 2: the Taylor series to r^13 is below
 * half a unit in the last place there. Adding 1.5 * 2^52 rounds to an integer, which then stands in
 * the low bits of the sum. Plain arithmetic, so that the compiler can vectorise the loop around it
 * and the bits are the same on every machine. */
static inline double exp_negative(double x)
{
    const double round = 0x1.8p52, log2_e = 0x1.71547652b82fep0, ln2_high = 0x1.62e42fefa0000p-1,
                 ln2_low = 0x1.cf79abc9e3b3ap-40;
    double shifted = -x * log2_e + round, n = shifted - round;
    double r = (-x - n * ln2_high) - n * ln2_low;
    double p = 1.0 / 6227020800;
    uint64_t bits;

    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1;
    p = p * r + 1;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits << 52) + 0x3ff0000000000000ULL; /* 2^n: n's low bits become the exponent */
    double power;
    memcpy(&power, &bits, sizeof power);
    return p * power;
}

static inline double sigmoid(double x)
{
    x = x > 700 ? 700 : x;
    x = x < -700 ? -700 : x;
    return 1 / (1 + exp_negative(x));
}

void loss_sigmoid(const double *x, double *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = sigmoid(x[i]);
}

/* ---- Blocks of positions */

/* `unrolled(n)` for each n that positions of material and squares come to, so that the compiler
 * sees a constant; any other number by the general loop. */
/* clang-format off */
#define FOR_OCCURRENCES(n, unrolled) \
    switch (n) { \
    case 2: unrolled(2); break; \
    case 3: unrolled(3); break; \
    case 4: unrolled(4); break; \
    case 5: unrolled(5); break; \
    case 6: unrolled(6); break; \
    case 7: unrolled(7); break; \
    case 8: unrolled(8); break; \
    case 9: unrolled(9); break; \
    case 10: unrolled(10); break; \
    case 11: unrolled(11); break; \
    case 12: unrolled(12); break; \
    case 13: unrolled(13); break; \
    case 14: unrolled(14); break; \
    case 15: unrolled(15); break; \
    case 16: unrolled(16); break; \
    case 17: unrolled(17); break; \
    case 18: unrolled(18); break; \
    case 19: unrolled(19); break; \
    case 20: unrolled(20); break; \
    case 21: unrolled(21); break; \
    case 22: unrolled(22); break; \
    case 23: unrolled(23); break; \
    case 24: unrolled(24); break; \
    default: unrolled(n); break; \
    }
/* clang-format on */

static inline void sum_occurrences(const double *restrict table, const Occurrence *restrict at,
                                   int n, int count, double *restrict cp)
{
    for (int i = 0; i < count; i++, at += n) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += table[at[j]];
        cp[i] = sum;
    }
}

static inline void scatter_slopes(const double *restrict slope, const Occurrence *restrict at,
                                  int n, int count, double *restrict gradient)
{
    for (int i = 0; i < count; i++, at += n)
        for (int j = 0; j < n; j++)
            gradient[at[j]] += slope[i];
}

/* cp[0, count) of positions with n occurrences each. */
static void evaluate_block(const double *table, const Occurrence *at, int n, int count, double *cp)
{
#define UNROLLED(constant) sum_occurrences(table, at, constant, count, cp)
    FOR_OCCURRENCES(n, UNROLLED)
#undef UNROLLED
}

static void scatter_block(const double *slope, const Occurrence *at, int n, int count,
                          double *gradient)
{
#define UNROLLED(constant) scatter_slopes(slope, at, constant, count, gradient)
    FOR_OCCURRENCES(n, UNROLLED)
#undef UNROLLED
}

/* Replaces cp by the slope (p - target) p (1 - p), and adds (p - target)^2 to LANES sums. Rounds
 * count up to whole lanes with positions that are exactly right. */
static void slope_block(double *restrict cp, const float *restrict targets, int count, double scale,
                        double *restrict lanes)
{
    double target[BLOCK];
    int whole = (count + LANES - 1) / LANES * LANES;

    for (int i = 0; i < count; i++)
        target[i] = (double)targets[i];
    for (int i = count; i < whole; i++) {
        target[i] = 0.5;
        cp[i] = 0;
    }
    for (int i = 0; i < whole; i++) {
        double p = sigmoid(cp[i] * scale), error = p - target[i];
        target[i] = error * error;
        cp[i] = error * (p * (1 - p));
    }
    for (int i = 0; i < whole; i += LANES)
        for (int l = 0; l < LANES; l++)
            lanes[l] += target[i + l];
}

/* ---- Chunks */

/* What a chunk works out: the sum of losses, and with gradient[SIGNED_COLUMNS] (zero beforehand)
 * the sums of slopes. */
static double run_chunk(const Loss *loss, const BatchChunk *chunk, double k, double *gradient)
{
    const Batch *batch = loss->batch;
    const double *table = loss->table[chunk->phase];
    double cp[BLOCK], lanes[LANES] = {0}, sum = 0;

    for (int r = chunk->first_run; r < chunk->first_run + chunk->run_count; r++) {
        const BatchRun *run = &batch->runs[r];
        const Occurrence *at = batch->occurrence + run->occurrence;
        int n = run->occurrences;
        for (int64_t done = 0; done < run->count; done += BLOCK, at += (size_t)n * BLOCK) {
            int count = run->count - done < BLOCK ? (int)(run->count - done) : BLOCK;
            evaluate_block(table, at, n, count, cp);
            slope_block(cp, batch->target + run->first + done, count, k / LOSS_CP_SCALE, lanes);
            if (gradient) scatter_block(cp, at, n, count, gradient);
        }
    }
    for (int l = 0; l < LANES; l++)
        sum += lanes[l];
    return sum;
}

static void run_chunk_gradient(Loss *loss, int c, double k)
{
    double gradient[SIGNED_COLUMNS] = {0};

    loss->chunk_loss[c] = run_chunk(loss, &loss->batch->chunks[c], k, gradient);
    for (int i = 0; i < COLUMNS; i++)
        loss->chunk_gradient[c][i] = gradient[i] - gradient[COLUMNS + i];
}

static double mean_loss(const Loss *loss)
{
    double sum = 0;
    for (int c = 0; c < loss->batch->chunk_count; c++)
        sum += loss->chunk_loss[c];
    return sum / (double)loss->batch->positions;
}

double loss_value(Loss *loss, const double *weights, double k)
{
    int chunks = loss->batch->chunk_count;

    taper_tables(loss, weights);
#pragma omp parallel for default(none) shared(loss, chunks, k) num_threads(loss->threads)          \
    schedule(dynamic)
    for (int c = 0; c < chunks; c++)
        loss->chunk_loss[c] = run_chunk(loss, &loss->batch->chunks[c], k, NULL);
    return mean_loss(loss);
}

double loss_gradient(Loss *loss, const double *weights, double k, double *gradient)
{
    const Batch *batch = loss->batch;
    int chunks = batch->chunk_count;
    double factor = 2 * k / LOSS_CP_SCALE / (double)batch->positions;

    taper_tables(loss, weights);
#pragma omp parallel for default(none) shared(loss, chunks, k) num_threads(loss->threads)          \
    schedule(dynamic)
    for (int c = 0; c < chunks; c++)
        run_chunk_gradient(loss, c, k);

    memset(gradient, 0, DIMENSIONS * sizeof *gradient);
    for (int c = 0; c < chunks; c++) {
        double share = mg_share(batch->chunks[c].phase);
        const double *part = loss->chunk_gradient[c];
        for (int i = 0; i < COLUMNS; i++) {
            gradient[i] += share * part[i];
            gradient[COLUMNS + i] += (1 - share) * part[i];
        }
    }
    for (int i = 0; i < DIMENSIONS; i++)
        gradient[i] *= factor;
    return mean_loss(loss);
}

void loss_evaluate(Loss *loss, const double *weights, double *cp)
{
    const Batch *batch = loss->batch;
    int chunks = batch->chunk_count;

    taper_tables(loss, weights);
#pragma omp parallel for default(none) shared(loss, batch, chunks, cp) num_threads(loss->threads)  \
    schedule(dynamic)
    for (int c = 0; c < chunks; c++) {
        const BatchChunk *chunk = &batch->chunks[c];
        for (int r = chunk->first_run; r < chunk->first_run + chunk->run_count; r++) {
            const BatchRun *run = &batch->runs[r];
            evaluate_block(loss->table[chunk->phase], batch->occurrence + run->occurrence,
                           run->occurrences, (int)run->count, cp + run->first);
        }
    }
}

/* ---- The Hessian */

/* Adds curvature * x x' of one position to the upper triangle of sum[COLUMNS][COLUMNS]. */
static void add_outer_product(double *restrict sum, const Occurrence *restrict at, int n,
                              double curvature)
{
    int column[OCCURRENCES_MAX];
    double sign[OCCURRENCES_MAX];

    for (int j = 0; j < n; j++) {
        column[j] = occurrence_column(at[j]);
        sign[j] = at[j] < COLUMNS ? 1 : -1;
    }
    for (int j = 0; j < n; j++) {
        double *row = sum + (size_t)column[j] * COLUMNS, value = curvature * sign[j];
        for (int l = j; l < n; l++)
            row[column[l]] += value * sign[l];
        /* A column that occurs twice meets itself in both orders. */
        for (int l = j + 1; l < n && column[l] == column[j]; l++)
            row[column[l]] += value * sign[l];
    }
}

/* Sums over one phase, from every stride-th position of each run, by cp of the tapered weights. */
static void sum_phase(const Loss *loss, int phase, const double *table, double k, int stride,
                      double *sum)
{
    const Batch *batch = loss->batch;

    memset(sum, 0, (size_t)COLUMNS * COLUMNS * sizeof *sum);
    for (int c = batch->phase_chunk[phase]; c < batch->phase_chunk[phase + 1]; c++) {
        const BatchChunk *chunk = &batch->chunks[c];
        for (int r = chunk->first_run; r < chunk->first_run + chunk->run_count; r++) {
            const BatchRun *run = &batch->runs[r];
            double weight = (double)run->count / (double)((run->count + stride - 1) / stride);
            for (int64_t i = 0; i < run->count; i += stride) {
                const Occurrence *at = batch->occurrence + run->occurrence + i * run->occurrences;
                double cp;
                evaluate_block(table, at, run->occurrences, 1, &cp);
                double p = sigmoid(cp * k / LOSS_CP_SCALE), slope = p * (1 - p);
                add_outer_product(sum, at, run->occurrences, weight * slope * slope);
            }
        }
    }
}

/* Spreads a phase's sums over the mg and eg halves. */
static void spread_row(const double *sum, int row, double share, double factor, double *hessian)
{
    double *mg = hessian + (size_t)row * DIMENSIONS;
    double *eg = hessian + (size_t)(COLUMNS + row) * DIMENSIONS + COLUMNS;
    double mg_mg = factor * share * share, mg_eg = factor * share * (1 - share),
           eg_eg = factor * (1 - share) * (1 - share);

    /* The mg-eg block is whole, so what lies under the phase's diagonal is taken from above it. */
    for (int c = 0; c < row; c++)
        mg[COLUMNS + c] += mg_eg * sum[(size_t)c * COLUMNS + (size_t)row];
    for (int c = row; c < COLUMNS; c++) {
        double value = sum[(size_t)row * COLUMNS + (size_t)c];
        mg[c] += mg_mg * value;
        mg[COLUMNS + c] += mg_eg * value;
        eg[c] += eg_eg * value;
    }
}

Status loss_hessian(Loss *loss, const double *weights, double k, int stride, double *hessian,
                    Error *err)
{
    const size_t size = (size_t)COLUMNS * COLUMNS;
    double slope = k / LOSS_CP_SCALE;
    double factor = 2 * slope * slope / (double)loss->batch->positions;

    if (!loss->phase_sums) loss->phase_sums = malloc(BATCH_PHASES * size * sizeof(double));
    if (!loss->phase_sums) return error_set(err, STATUS_FAILED, "out of memory for the Hessian");
    double *sums = loss->phase_sums;
    taper_tables(loss, weights);
#pragma omp parallel for default(none) shared(loss, k, stride, sums, size)                         \
    num_threads(loss->threads) schedule(dynamic)
    for (int phase = BATCH_PHASES - 1; phase >= 0; phase--)
        sum_phase(loss, phase, loss->table[phase], k, stride, sums + (size_t)phase * size);

    for (int i = 0; i < DIMENSIONS; i++)
        memset(hessian + (size_t)i * DIMENSIONS + i, 0, (size_t)(DIMENSIONS - i) * sizeof *hessian);
#pragma omp parallel for default(none) shared(sums, size, factor, hessian)                         \
    num_threads(loss->threads) schedule(dynamic, 16)
    for (int row = 0; row < COLUMNS; row++)
        for (int phase = 0; phase < BATCH_PHASES; phase++)
            spread_row(sums + (size_t)phase * size, row, mg_share(phase), factor, hessian);
    return STATUS_OK;
}
