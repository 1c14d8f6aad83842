/* SPDX-License-Identifier: MIT
 * Simulated sequential tests. */
#include "tests/support/support_sprt.h"

#include <math.h>

#include "engine/base/pcg.h"

enum { OUTCOMES_MAX = 5, LONGEST = 1000000 };

/* Elo of a distribution on the scale of the model. */
static double effect_of(const double *p, int count, SprtModel model)
{
    double mean = 0, variance = 0;

    for (int i = 0; i < count; i++)
        mean += p[i] * i / (count - 1);
    for (int i = 0; i < count; i++) {
        double d = (double)i / (count - 1) - mean;
        variance += p[i] * d * d;
    }
    if (model == SPRT_LOGISTIC) return elo_of_score(mean);
    return (mean - 0.5) / sqrt(count == 5 ? 2 * variance : variance) * 800 / log(10);
}

/* Makes p a distribution with that Elo: a base in which draws and shared pairs are common, with the
 * better outcomes tilted by a constant factor. */
static void make_distribution(double elo, int count, SprtModel model, double *p)
{
    static const double games[3] = {0.3, 0.4, 0.3}, pairs[5] = {0.05, 0.2, 0.5, 0.2, 0.05};
    const double *base = count == 3 ? games : pairs;
    double low = -5, high = 5;

    while (high - low > 1e-12) {
        double tilt = (low + high) / 2, sum = 0;
        for (int i = 0; i < count; i++)
            sum += p[i] = base[i] * exp(tilt * i);
        for (int i = 0; i < count; i++)
            p[i] /= sum;
        *(effect_of(p, count, model) < elo ? &low : &high) = tilt;
    }
}

static int draw(Pcg *rng, const double *p, int count)
{
    double u = pcg_unit(rng);
    int i = 0;

    while (i < count - 1 && u >= p[i])
        u -= p[i++];
    return i;
}

SprtRates sprt_simulate(const SprtTrials *t)
{
    SprtRates rates = {0};
    double p[OUTCOMES_MAX], lower, upper;
    int count = t->pairs ? 5 : 3;
    Pcg rng;

    make_distribution(t->elo, count, t->sprt.model, p);
    sprt_bounds(t->sprt.alpha, t->sprt.beta, &lower, &upper);
    for (int trial = 0; trial < t->trials; trial++) {
        double counts[OUTCOMES_MAX] = {0}, llr = 0;
        int n = 0;
        pcg_seed(&rng, t->seed, (uint64_t)trial);
        while (llr > lower && llr < upper && n++ < LONGEST) {
            counts[draw(&rng, p, count)]++;
            llr = sprt_llr(counts, count, t->sprt.elo0, t->sprt.elo1, t->sprt.model);
        }
        rates.accepted_h1 += llr >= upper;
        rates.mean_outcomes += (double)n / t->trials;
    }
    return rates;
}
