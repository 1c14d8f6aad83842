/* SPDX-License-Identifier: MIT
 * A step of the training. */
#include "tuner/network/step.h"

#include <math.h>
#include <string.h>

#include "engine/base/pcg.h"

static const double weight_most = 1.98, rate_end = 0.01, pi = 3.14159265358979323846;

/* ---- The gradient */

/* Position i as an epoch sees it: half of them turned. */
static ModelPosition position_in_epoch(const Trainer *t, int64_t i, int epoch)
{
    ModelPosition p = trainer_position(t, i);

    if (t->settings->mirror && !t->shape.kings.mirrored && t->sample[i].mirror &&
        mix64(t->settings->seed ^ ((uint64_t)i << 16 | (uint64_t)epoch)) & 1)
        p.flip = MIRROR_FILES;
    return p;
}

enum { AHEAD = 16 };

/* Asks for the position's inputs, and for a later position: they lie anywhere in memory. */
static inline void fetch(const Trainer *t, const ModelPosition *p, int64_t i)
{
    if (i + AHEAD < t->batch_count) __builtin_prefetch(&t->sample[t->batch[i + AHEAD]]);
    __builtin_prefetch(p->input);
    __builtin_prefetch(p->input + p->pieces - 1);
}

/* Those from `first` to `end` in order; where there is a shared part, positions with kings in the
 * same buckets together: their columns stay in the cache, and a part has the gradient of few sets.
 */
static void set_batch(Trainer *t, int64_t first, int64_t end)
{
    int64_t at[UINT8_MAX + 2] = {0};

    t->batch = t->order + first;
    t->batch_count = end - first;
    if (t->shared == 0) return;
    for (int64_t i = 0; i < t->batch_count; i++) {
        if (i + AHEAD < t->batch_count) __builtin_prefetch(&t->sample[t->batch[i + AHEAD]]);
        at[t->sample[t->batch[i]].kings + 1]++;
    }
    for (int k = 0; k < UINT8_MAX; k++)
        at[k + 1] += at[k];
    for (int64_t i = 0; i < t->batch_count; i++)
        t->gathered[at[t->sample[t->batch[i]].kings]++] = t->batch[i];
    t->batch = t->gathered;
}

/* Is the number `at` of one of these sets of columns? Bits beyond the sets are of other weights. */
static inline bool has_set(const Trainer *t, uint32_t sets, int at)
{
    return sets >> (at / t->shape.set) & 1;
}

/* Zeroes a part's gradient, of the sets of columns that its positions have: the bits of these. */
static uint32_t clear_gradient(const Trainer *t, int64_t first, int64_t end, float *gradient)
{
    uint32_t sets = ~(uint32_t)0 << (t->shared > 0 ? t->shape.kings.sets : 0);

    for (int64_t i = first; i < end && t->shared > 0; i++) {
        uint8_t kings = t->sample[t->batch[i]].kings;
        sets |= (uint32_t)1 << (kings >> 4) | (uint32_t)1 << (kings & 15);
    }
    for (int at = 0; at < t->shape.numbers; at += t->shape.set) {
        int count = t->shape.numbers - at < t->shape.set ? t->shape.numbers - at : t->shape.set;
        if (has_set(t, sets, at)) memset(gradient + at, 0, (size_t)count * sizeof *gradient);
    }
    return sets;
}

/* The gradient of a part of the batch that begins at `first`; returns the sum of its errors. */
static double part_gradient(const Trainer *t, int epoch, int64_t first, int64_t end,
                            float *gradient, ModelTile *tile)
{
    ModelPosition positions[MODEL_TILE];
    double error = 0;

    for (int64_t i = first; i < end;) {
        int count = 0;
        for (; count < MODEL_TILE && i < end; i++) {
            positions[count] = position_in_epoch(t, t->batch[i], epoch);
            fetch(t, &positions[count++], i);
        }
        error += model_gradient(&t->shape, t->model, positions, count, (float)t->result->k,
                                gradient, tile);
    }
    return error;
}

/* ---- Moving the weights */

/* Numbers whose weights are moved at once. */
enum { RANGE = 2048 };

/* The mean gradient of the batch by `count` numbers from `first` on. */
static void mean_gradient(const Trainer *t, int parts, int first, int count, float *sum)
{
    const float scale = 1 / (float)t->batch_count;

    memset(sum, 0, (size_t)count * sizeof *sum);
    for (int p = 0; p < parts; p++) {
        const float *gradient = t->gradient + (size_t)p * (size_t)t->shape.numbers + first;
        if (!has_set(t, t->sets[p], first)) continue;
        for (int i = 0; i < count; i++)
            sum[i] += gradient[i];
    }
    for (int i = 0; i < count; i++)
        sum[i] *= scale;
}

/* AdamW on `count` numbers from `first` on. */
static void adapt(const Trainer *t, double rate, int first, int count, const float *gradient)
{
    const float beta1 = 0.9F, beta2 = 0.999F, epsilon = 1e-8F;
    const float keep = (float)(1 - rate * t->settings->decay);
    const float step = (float)(rate / (1 - pow(beta1, (double)t->step)));
    const float unbias = (float)(1 / (1 - pow(beta2, (double)t->step)));
    float *model = t->model + first, *mean = t->mean + first, *square = t->square + first;

    for (int i = 0; i < count; i++) {
        float g = gradient[i];
        mean[i] = beta1 * mean[i] + (1 - beta1) * g;
        square[i] = beta2 * square[i] + (1 - beta2) * g * g;
        model[i] = model[i] * keep - step * mean[i] / (sqrtf(square[i] * unbias) + epsilon);
    }
}

static void bound(const Trainer *t, int first, int count)
{
    const float most = (float)weight_most;

    for (int i = first; i < first + count; i++) {
        float w = t->model[i];
        t->model[i] = w > most ? most : w < -most ? -most : w;
    }
}

/* Moves up to RANGE numbers from `first` on. */
static void move_weights(const Trainer *t, int parts, double rate, int first)
{
    const int count = t->shape.numbers - first < RANGE ? t->shape.numbers - first : RANGE;
    float gradient[RANGE];

    mean_gradient(t, parts, first, count, gradient);
    adapt(t, rate, first, count, gradient);
    bound(t, first, count);
}

/* Adds `factor` times the shared part to RANGE numbers. */
static inline void add_shared(const Trainer *t, float factor, int first)
{
    const float *shared = t->model + t->shape.numbers + first % t->shape.set;

    for (int i = 0; i < RANGE; i++)
        t->model[first + i] += factor * shared[i];
}

/* Moves RANGE numbers of the shared part from `first` on, and what is its own of each set. */
static void move_shared(const Trainer *t, int parts, double rate, int first)
{
    float gradient[RANGE], sum[RANGE] = {0};

    for (int at = first; at < t->shape.bias; at += t->shape.set) {
        mean_gradient(t, parts, at, RANGE, gradient);
        add_shared(t, -1, at);
        adapt(t, rate, at, RANGE, gradient);
        for (int i = 0; i < RANGE; i++)
            sum[i] += gradient[i];
    }
    adapt(t, rate, t->shape.numbers + first, RANGE, sum);
    for (int at = first; at < t->shape.bias; at += t->shape.set) {
        add_shared(t, 1, at);
        bound(t, at, RANGE);
    }
}

/* Shrinks the output weights of a bucket, those above zero or those below, whose sum could overflow
 * 32 bits (network_check()), each of them rounded up. Up to 128 hidden units weight_most is the
 * narrower bound. */
static void bound_outputs(const Trainer *t)
{
    const int weights = COLORS * t->shape.hidden;
    const double unit = NETWORK_QA * (t->shape.squared ? NETWORK_QA : 1.0) * NETWORK_QB;
    const double most = (INT32_MAX - INT16_MAX) / unit - (weights + 1) * 0.5 / NETWORK_QB;

    for (int b = 0; b < t->shape.buckets; b++) {
        float *w = t->model + t->shape.output + b * weights;
        double sum[2] = {0};
        for (int i = 0; i < weights; i++)
            sum[w[i] < 0] += fabs((double)w[i]);
        for (int i = 0; i < weights; i++)
            if (sum[w[i] < 0] > most) w[i] *= (float)(most / sum[w[i] < 0]);
    }
}

double trainer_step(Trainer *t, int epoch, int64_t first)
{
    int64_t end = first + t->settings->batch < t->count ? first + t->settings->batch : t->count;
    int part_size = t->shared > 0 ? TRAINER_SHARED_PART : TRAINER_PART, numbers = t->shape.numbers;
    int parts = (int)((end - first + part_size - 1) / part_size);
    double error[TRAINER_PARTS_MAX], sum = 0;

    t->step++;
    set_batch(t, first, end);
    double part = (double)t->step / (double)t->result->steps;
    double rate = t->settings->rate * (rate_end + (1 - rate_end) * 0.5 * (1 + cos(pi * part)));
#pragma omp parallel default(none) shared(t, epoch, parts, part_size, numbers, error)              \
    num_threads(t->settings->threads)
    {
        ModelTile tile; /* a megabyte of the thread's stack */
#pragma omp for schedule(dynamic)
        for (int p = 0; p < parts; p++) {
            int64_t from = (int64_t)p * part_size, left = t->batch_count - from;
            int64_t to = left < part_size ? t->batch_count : from + part_size;
            float *gradient = t->gradient + (size_t)p * (size_t)numbers;
            t->sets[p] = clear_gradient(t, from, to, gradient);
            error[p] = part_gradient(t, epoch, from, to, gradient, &tile);
        }
    }
#pragma omp parallel for default(none) shared(t, parts, numbers, rate) schedule(dynamic)           \
    num_threads(t->settings->threads)
    for (int i = 0; i < numbers; i += RANGE) {
        if (i < t->shared)
            move_shared(t, parts, rate, i);
        else if (t->shared == 0 || i >= t->shape.bias)
            move_weights(t, parts, rate, i);
    }
    bound_outputs(t);
    for (int p = 0; p < parts; p++)
        sum += error[p];
    return sum;
}
