/* SPDX-License-Identifier: MIT
 * How often the 95 % interval of a match misses its true Elo:
 *   interval_coverage [TRIALS]     (20,000 matches of each kind and length)
 * First the worst case of the shortest matches: all outcomes of a match are weighed, under random
 * distributions of a pair's score and variations of the worst one so far. Then simulated matches.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/pcg.h"
#include "selfplay/match/stats.h"

enum { SCORES = 5, PAIRS_MAX = 12, OUTCOMES_MAX = 1820 /* of 12 pairs */, SEARCH = 4000 };

static double uniform(Pcg *rng)
{
    return ((double)(pcg_next64(rng) >> 11) + 0.5) * 0x1p-53;
}

static double mean_of(const double *p)
{
    double mean = 0;

    for (int i = 0; i < SCORES; i++)
        mean += p[i] * i / (SCORES - 1);
    return mean;
}

/* ---- The worst case */

/* All results of a match of some pairs, with their intervals as scores. */
typedef struct Results {
    int count;
    int64_t ptnml[OUTCOMES_MAX][SCORES];
    double low[OUTCOMES_MAX], high[OUTCOMES_MAX];
    double ways[OUTCOMES_MAX]; /* logarithm of the orders that give the result */
} Results;

static void add_result(Results *r, const MatchScore *score, int pairs)
{
    MatchStats stats;

    match_stats(score, NULL, &stats);
    r->low[r->count] = isnan(stats.elo_low) ? 0 : score_of_elo(stats.elo_low);
    r->high[r->count] = isnan(stats.elo_high) ? 1 : score_of_elo(stats.elo_high);
    r->ways[r->count] = lgamma(pairs + 1);
    for (int i = 0; i < SCORES; i++) {
        r->ptnml[r->count][i] = score->ptnml[i];
        r->ways[r->count] -= lgamma((double)score->ptnml[i] + 1);
    }
    r->count++;
}

/* Adds the results that share the pairs left among the scores from `first` on. */
static void list_results(Results *r, MatchScore *score, int first, int left, int pairs)
{
    if (first == SCORES - 1) {
        score->ptnml[first] = left;
        add_result(r, score, pairs);
        return;
    }
    for (int i = 0; i <= left; i++) {
        score->ptnml[first] = i;
        list_results(r, score, first + 1, left - i, pairs);
    }
}

/* Probability that the interval begins above the mean of p. */
static double miss_of(const Results *r, const double *p)
{
    double mean = mean_of(p), sum = 0;

    for (int k = 0; k < r->count; k++) {
        double chance = r->ways[k];
        if (r->low[k] <= mean + 1e-9) continue;
        for (int i = 0; i < SCORES; i++)
            if (r->ptnml[k][i] > 0) chance += (double)r->ptnml[k][i] * log(p[i]);
        sum += exp(chance);
    }
    return sum;
}

static double find_worst(const Results *r, double *worst)
{
    double most = 0;
    Pcg rng;

    pcg_seed(&rng, 1, 0);
    for (int step = 0; step < SEARCH; step++) {
        double p[SCORES], sum = 0;
        for (int i = 0; i < SCORES; i++) {
            p[i] = step < SEARCH / 2 ? pow(uniform(&rng), 8)
                                     : worst[i] * exp(0.6 * (uniform(&rng) - 0.5));
            sum += p[i] += 1e-9;
        }
        for (int i = 0; i < SCORES; i++)
            p[i] /= sum;
        double miss = miss_of(r, p);
        if (miss <= most) continue;
        most = miss;
        for (int i = 0; i < SCORES; i++)
            worst[i] = p[i];
    }
    return most;
}

static void print_worst_cases(void)
{
    static Results results;

    printf("pairs  results  worst miss of one end, and where\n");
    for (int pairs = 1; pairs <= PAIRS_MAX; pairs++) {
        MatchScore score = {0};
        double p[SCORES] = {0};
        results.count = 0;
        list_results(&results, &score, 0, pairs, pairs);
        double miss = find_worst(&results, p);
        printf("%5d  %7d  %5.2f %%  %.3f %.3f %.3f %.3f %.3f\n", pairs, results.count, 100 * miss,
               p[0], p[1], p[2], p[3], p[4]);
    }
}

/* ---- Simulated matches */

typedef struct Kind {
    const char *name;
    double p[SCORES]; /* probabilities of a pair's scores */
} Kind;

static const Kind kinds[] = {
    {"even, decisive", {0.2, 0.2, 0.2, 0.2, 0.2}},
    {"even, drawish", {0.01, 0.14, 0.7, 0.14, 0.01}},
    {"even, 98 % shared", {0, 0.01, 0.98, 0.01, 0}},
    {"even, all or nothing", {0.5, 0, 0, 0, 0.5}},
    {"+98 Elo", {0.05, 0.15, 0.25, 0.26, 0.29}},
    {"+284 Elo", {0.01, 0.04, 0.11, 0.23, 0.61}},
    {"+482 Elo", {0, 0.01, 0.04, 0.12, 0.83}},
    {"+795 Elo", {0, 0, 0.01, 0.02, 0.97}},
    {"+996 Elo", {0, 0, 0.002, 0.009, 0.989}},
    {"95 % WW, 5 % LL", {0.05, 0, 0, 0, 0.95}},
    {"99 % WW, 1 % LL", {0.01, 0, 0, 0, 0.99}},
    {"97 % shared, 3 % WD", {0, 0, 0.97, 0.03, 0}},
    {"90 % shared, 10 % WW", {0, 0, 0.9, 0, 0.1}},
};

static int draw_pair(const double *p, Pcg *rng)
{
    double u = uniform(rng);
    int i = 0;

    while (i < SCORES - 1 && u >= p[i])
        u -= p[i++];
    return i;
}

static void measure(const Kind *kind, int pairs, int trials)
{
    int below = 0, above = 0, normal = 0;
    double elo = elo_of_score(mean_of(kind->p));
    Pcg rng;

    pcg_seed(&rng, 1, (uint64_t)pairs);
    for (int t = 0; t < trials; t++) {
        MatchScore score = {0};
        MatchStats stats;
        for (int i = 0; i < pairs; i++)
            score.ptnml[draw_pair(kind->p, &rng)]++;
        match_stats(&score, NULL, &stats);
        below += stats.elo_high < elo - 1e-6;
        above += stats.elo_low > elo + 1e-6;
        normal += stats.normal;
    }
    printf("%5d  %-21s %6.2f %% %6.2f %% %6.2f %% %6.1f %%\n", pairs, kind->name,
           100.0 * (trials - below - above) / trials, 100.0 * below / trials,
           100.0 * above / trials, 100.0 * normal / trials);
}

int main(int argc, char **argv)
{
    static const int lengths[] = {2, 5, 10, 20, 50, 100, 200, 500};
    int trials = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 20000;

    print_worst_cases();
    printf("\npairs  kind                     inside    below    above   normal\n");
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            measure(&kinds[k], lengths[n], trials);
    return 0;
}
