/* SPDX-License-Identifier: MIT
 * The loss kernel. Positions are taken by the block: look-ups give their evaluations, one vector
 * loop the sigmoid and its slope, and the slopes are scattered into the gradient of the phase. */
#include "tuner/fit/loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/system.h"
#include "tuner/data/scratch.h"
#include "tuner/fit/kernel.h"

enum { BLOCK = 256, LANES = 8 }; /* positions at a time; partial sums of a block's loss */

static const LossForm squared_error = {LOSS_SQUARED, 0};

Status loss_create(const Batch *batch, int threads, Loss **out, Error *err)
{
    size_t codes = (size_t)batch->codes + 1, chunks = (size_t)batch->chunk_count + 1;
    Loss *loss = calloc(1, sizeof *loss);

    if (loss) {
        loss->batch = batch;
        loss->form = squared_error;
        loss->threads = threads;
        loss->table = calloc(BATCH_PHASES * codes, sizeof *loss->table);
        loss->chunk_loss = calloc(chunks, sizeof *loss->chunk_loss);
        loss->chunk_gradient = calloc(chunks * codes, sizeof *loss->chunk_gradient);
    }
    if (!loss || !loss->table || !loss->chunk_loss || !loss->chunk_gradient) {
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
    free(loss->table);
    free(loss->chunk_loss);
    free(loss->chunk_gradient);
    free(loss);
}

void loss_set_form(Loss *loss, const LossForm *form)
{
    loss->form = *form;
}

const Batch *loss_batch(const Loss *loss)
{
    return loss->batch;
}

void loss_taper(Loss *loss, const double *weights)
{
    const Batch *b = loss->batch;

    for (int phase = 0; phase < BATCH_PHASES; phase++) {
        double *table = loss->table + (size_t)phase * (size_t)b->codes, share = mg_share(phase);
        for (int code = 0; code < b->codes; code++) {
            const double *mg = weights + b->column[b->code_of[code]], *eg = mg + b->space_columns;
            table[code] = b->code_value[code] * (*mg * share + *eg * (1 - share));
        }
    }
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

static inline void sum_positions(const double *restrict table, const Occurrence *restrict at, int n,
                                 int count, double *restrict cp)
{
    for (int i = 0; i < count; i++, at += n)
        cp[i] = sum_codes(table, at, n);
}

static inline void scatter_positions(const double *restrict slope, const Occurrence *restrict at,
                                     int n, int count, double *restrict gradient)
{
    for (int i = 0; i < count; i++, at += n) {
        double s = slope[i];
        int j = 0;
        for (; j + 4 <= n; j += 4) {
            uint64_t four;
            memcpy(&four, at + j, sizeof four);
            gradient[four & 0xffff] += s;
            gradient[four >> 16 & 0xffff] += s;
            gradient[four >> 32 & 0xffff] += s;
            gradient[four >> 48] += s;
        }
        for (; j < n; j++)
            gradient[at[j]] += s;
    }
}

/* cp[0, count) of positions with n occurrences each. */
static void evaluate_block(const double *table, const Occurrence *at, int n, int count, double *cp)
{
#define UNROLLED(constant) sum_positions(table, at, constant, count, cp)
    FOR_OCCURRENCES(n, UNROLLED)
#undef UNROLLED
}

static void scatter_block(const double *slope, const Occurrence *at, int n, int count,
                          double *gradient)
{
#define UNROLLED(constant) scatter_positions(slope, at, constant, count, gradient)
    FOR_OCCURRENCES(n, UNROLLED)
#undef UNROLLED
}

/* ---- Forms of the loss: from x = k * cp / 400 and target[] to the loss, which replaces the
 * target, and its derivative by x, which replaces x. */

static void squared_block(double *restrict x, double *restrict target, int n, double floor)
{
    for (int i = 0; i < n; i++) {
        double p = sigmoid(x[i]), error = floor + (1 - 2 * floor) * p - target[i];
        target[i] = error * error;
        x[i] = 2 * error * ((1 - 2 * floor) * p * (1 - p));
    }
}

/* -t ln p - (1 - t) ln(1 - p), without overflow: ln(1 + e^-|x|) + max(x, 0) - t x */
static void cross_entropy_block(double *restrict x, double *restrict target, int n)
{
    for (int i = 0; i < n; i++) {
        double p = sigmoid(x[i]), t = target[i];
        target[i] = log1p(exp(-fabs(x[i]))) + (x[i] > 0 ? x[i] : 0) - t * x[i];
        x[i] = p - t;
    }
}

/* Replaces cp[count] by the (weighted) derivatives and adds the losses to LANES sums. Rounds count
 * up to whole lanes with positions of weight 0. */
static void loss_block(const LossForm *form, double *restrict cp, const float *restrict targets,
                       const float *restrict weights, int count, double scale,
                       double *restrict lanes)
{
    double target[BLOCK];
    int whole = (count + LANES - 1) / LANES * LANES;

    for (int i = 0; i < count; i++)
        target[i] = (double)targets[i];
    for (int i = count; i < whole; i++)
        target[i] = cp[i] = 0;
    for (int i = 0; i < whole; i++)
        cp[i] *= scale;
    if (form->kind == LOSS_CROSS_ENTROPY)
        cross_entropy_block(cp, target, whole);
    else
        squared_block(cp, target, whole, form->kind == LOSS_NOISE_FLOOR ? form->floor : 0);
    if (weights)
        for (int i = 0; i < count; i++) {
            target[i] *= (double)weights[i];
            cp[i] *= (double)weights[i];
        }
    for (int i = count; i < whole; i++)
        target[i] = 0;
    for (int i = 0; i < whole; i += LANES)
        for (int l = 0; l < LANES; l++)
            lanes[l] += target[i + l];
}

/* ---- Chunks */

/* Computes for a chunk the sum of losses, and the sums of slopes into gradient[codes] (may be
 * NULL). */
static double run_chunk(const Loss *loss, const BatchChunk *chunk, double k, double *gradient)
{
    const Batch *batch = loss->batch;
    const double *table = loss->table + (size_t)chunk->phase * (size_t)batch->codes;
    double cp[BLOCK], lanes[LANES] = {0}, sum = 0;

    if (gradient) memset(gradient, 0, (size_t)batch->codes * sizeof *gradient);
    for (int r = chunk->first_run; r < chunk->first_run + chunk->run_count; r++) {
        const BatchRun *run = &batch->runs[r];
        const Occurrence *at = batch->occurrence + run->occurrence;
        int n = run->occurrences;
        for (int64_t done = 0; done < run->count; done += BLOCK, at += (size_t)n * BLOCK) {
            int count = run->count - done < BLOCK ? (int)(run->count - done) : BLOCK;
            const float *weights = batch->weight ? batch->weight + run->first + done : NULL;
            evaluate_block(table, at, n, count, cp);
            loss_block(&loss->form, cp, batch->target + run->first + done, weights, count,
                       k / LOSS_CP_SCALE, lanes);
            if (gradient) scatter_block(cp, at, n, count, gradient);
        }
    }
    for (int l = 0; l < LANES; l++)
        sum += lanes[l];
    return sum;
}

/* Returns the mean loss; fills chunk_gradient if `gradient`. */
static double run_chunks(Loss *loss, const double *weights, double k, bool gradient)
{
    const Batch *batch = loss->batch;
    int chunks = batch->chunk_count;
    double sum = 0;

    loss_taper(loss, weights);
#pragma omp parallel for default(none) shared(loss, batch, chunks, k, gradient)                    \
    num_threads(loss->threads) schedule(dynamic)
    for (int c = 0; c < chunks; c++) {
        double *slopes = loss->chunk_gradient + (size_t)c * (size_t)batch->codes;
        loss->chunk_loss[c] = run_chunk(loss, &batch->chunks[c], k, gradient ? slopes : NULL);
    }
    for (int c = 0; c < chunks; c++)
        sum += loss->chunk_loss[c];
    return sum / batch->weight_sum;
}

double loss_value(Loss *loss, const double *weights, double k)
{
    return run_chunks(loss, weights, k, false);
}

/* Adds a chunk's sums by code to the gradient by weight. */
static void add_chunk(const Loss *loss, int c, double *gradient)
{
    const Batch *b = loss->batch;
    const double *part = loss->chunk_gradient + (size_t)c * (size_t)b->codes;
    double share = mg_share(b->chunks[c].phase);

    for (int code = 0; code < b->codes; code++) {
        double *mg = gradient + b->column[b->code_of[code]],
               slope = part[code] * b->code_value[code];
        mg[0] += share * slope;
        mg[b->space_columns] += (1 - share) * slope;
    }
}

double loss_gradient(Loss *loss, const double *weights, double k, double *gradient)
{
    const Batch *batch = loss->batch;
    int dimensions = 2 * batch->space_columns;
    double factor = k / LOSS_CP_SCALE / batch->weight_sum,
           mean = run_chunks(loss, weights, k, true);

    memset(gradient, 0, (size_t)dimensions * sizeof *gradient);
    for (int c = 0; c < batch->chunk_count; c++)
        add_chunk(loss, c, gradient);
    for (int i = 0; i < dimensions; i++)
        gradient[i] *= factor;
    return mean;
}

Status loss_evaluations(Loss *loss, const double *weights, const char *purpose, double **out,
                        Error *err)
{
    const Batch *batch = loss->batch;
    int chunks = batch->chunk_count;
    double *cp = scratch_resize(batch->scratch, NULL, ((size_t)batch->positions + 1) * sizeof *cp);

    *out = cp;
    if (!cp) return scratch_error(batch->scratch, purpose, err);
    loss_taper(loss, weights);
#pragma omp parallel for default(none) shared(loss, batch, chunks, cp) num_threads(loss->threads)  \
    schedule(dynamic)
    for (int c = 0; c < chunks; c++) {
        const BatchChunk *chunk = &batch->chunks[c];
        const double *table = loss->table + (size_t)chunk->phase * (size_t)batch->codes;
        for (int r = chunk->first_run;
             r < chunk->first_run + chunk->run_count && !system_must_end(); r++) {
            const BatchRun *run = &batch->runs[r];
            evaluate_block(table, batch->occurrence + run->occurrence, run->occurrences,
                           (int)run->count, cp + run->first);
        }
    }
    if (system_must_end()) {
        scratch_free(batch->scratch, cp);
        *out = NULL;
    }
    return system_check_end(err);
}

void loss_slopes(const Loss *loss, const double *cp, double k, double *slope)
{
    const Batch *batch = loss->batch;
    double scale = k / LOSS_CP_SCALE;

    for (int64_t first = 0; first < batch->positions; first += BLOCK) {
        int64_t left = batch->positions - first;
        int count = left < BLOCK ? (int)left : BLOCK;
        double x[BLOCK], lanes[LANES] = {0};
        memcpy(x, cp + first, (size_t)count * sizeof *x);
        loss_block(&loss->form, x, batch->target + first,
                   batch->weight ? batch->weight + first : NULL, count, scale, lanes);
        for (int i = 0; i < count; i++)
            slope[first + i] = x[i] * scale;
    }
}
