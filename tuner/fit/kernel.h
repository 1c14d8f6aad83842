/* SPDX-License-Identifier: MIT
 * The arithmetic inside the loops of the loss: the sigmoid, and sums of look-ups. Private to the
 * loss. */
#ifndef TABIA_TUNER_FIT_KERNEL_H
#define TABIA_TUNER_FIT_KERNEL_H

#include <stdint.h>
#include <string.h>

#include "tuner/fit/batch.h"
#include "tuner/fit/loss.h"

struct Loss {
    const Batch *batch;
    LossForm form;
    int threads;
    double *table;          /* [BATCH_PHASES][codes] what each code is worth in each phase */
    double *chunk_loss;     /* [chunks] sums, not means */
    double *chunk_gradient; /* [chunks][codes] by cp */
};

/* Share of a phase that counts as middle game. */
static inline double mg_share(int phase)
{
    return (double)phase / EVAL_PHASE_MAX;
}

/* Fills loss->table from weights [2 * space columns]. */
void loss_taper(Loss *loss, const double *weights);

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

/* ---- Sums of look-ups */

/* Reads four codes at once and separates them by shifts, because loads take the time. */
static inline double sum_codes(const double *restrict table, const Occurrence *restrict at, int n)
{
    double even = 0, odd = 0;
    int j = 0;

    for (; j + 4 <= n; j += 4) {
        uint64_t four;
        memcpy(&four, at + j, sizeof four);
        even += table[four & 0xffff];
        odd += table[four >> 16 & 0xffff];
        even += table[four >> 32 & 0xffff];
        odd += table[four >> 48];
    }
    for (; j < n; j++)
        even += table[at[j]];
    return even + odd;
}

#endif
