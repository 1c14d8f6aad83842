/* SPDX-License-Identifier: MIT
 * Match statistics against published values, degenerate matches, and the error rates of the
 * sequential test on simulated games. */
#include <math.h>
#include <string.h>

#include "selfplay/match/stats.h"
#include "tests/support/support.h"

/* |got - want| within `relative` of want, or 1e-9. */
static bool close_to(double got, double want, double relative)
{
    return fabs(got - want) <= fmax(relative * fabs(want), 1e-9);
}

#define ck_assert_close(got, want, relative)                                                       \
    ck_assert_msg(close_to(got, want, relative), "%s is %.12g, not %.12g", #got, (double)(got),    \
                  (double)(want))

/* Values from fastchess's tests (elo_test.cpp), recomputed exactly by an independent program. */
typedef struct EloVector {
    MatchScore score;
    double mean, elo, elo95, nelo, nelo95, los;
} EloVector;

static const EloVector elo_vectors[] = {
    {{.losses = 89, .draws = 123, .wins = 76},
     0.4774305556,
     -15.69352071,
     30.45800072,
     -20.75644978,
     40.12602556,
     0.1553264349},
    {{.losses = 356, .draws = 0, .wins = 34},
     0.08717948718,
     -407.9884324,
     63.16451474,
     -508.435325,
     34.48181249,
     0},
    {{.ptnml = {34, 54, 63, 64, 75}},
     0.5793103448,
     55.57978042,
     27.65342951,
     57.93559994,
     28.27537624,
     0.999970393},
    {{.ptnml = {332, 433, 498, 333, 334}},
     0.4875647668,
     -8.642667268,
     10.33419442,
     -9.17291427,
     10.96045888,
     0.05047006698},
};

START_TEST(test_ratios)
{
    MatchScore score = {.wins = 6, .draws = 9, .losses = 5, .ptnml = {1, 2, 3, 4, 0}};
    MatchStats stats;

    match_stats(&score, NULL, &stats);
    ck_assert(stats.draw_ratio == 0.45);
    ck_assert_double_eq_tol(stats.pair_ratio, 4.0 / 3, 1e-12);
    score.ptnml[0] = score.ptnml[1] = 0;
    match_stats(&score, NULL, &stats);
    ck_assert(isnan(stats.pair_ratio));
}
END_TEST

/* Games whose partner is missing do not count, unless they are most of them. */
START_TEST(test_single_games)
{
    MatchScore score = {.wins = 90, .draws = 40, .losses = 84, .ptnml = {8, 6, 18, 15, 60}};
    MatchStats pairs, more;

    match_stats(&score, NULL, &pairs);
    ck_assert_int_eq(pairs.games, 214);
    score.draws++;
    match_stats(&score, NULL, &more);
    ck_assert_int_eq(more.games, 215);
    ck_assert(more.elo == pairs.elo && more.elo95 == pairs.elo95 && more.nelo == pairs.nelo);
    score.draws += 213;
    match_stats(&score, NULL, &more);
    ck_assert(more.nelo == pairs.nelo);
    score.draws++;
    match_stats(&score, NULL, &more);
    ck_assert(more.nelo != pairs.nelo);
}
END_TEST

START_TEST(test_elo_vectors)
{
    const EloVector *v = &elo_vectors[_i];
    MatchStats s;

    match_stats(&v->score, NULL, &s);
    ck_assert_close(s.score, v->mean, 1e-9);
    ck_assert_close(s.elo, v->elo, 1e-9);
    ck_assert_close(s.elo95, v->elo95, 1e-9);
    ck_assert_close(s.nelo, v->nelo, 1e-9);
    ck_assert_close(s.nelo95, v->nelo95, 1e-9);
    ck_assert_close(s.los, v->los, 1e-9);
    ck_assert_int_eq(s.decision, SPRT_NONE);
}
END_TEST

/* From fastchess's sprt_test.cpp and fishtest's stat_util. */
typedef struct LlrVector {
    double counts[5];
    int count;
    double elo0, elo1;
    SprtModel model;
    double llr;
} LlrVector;

static const LlrVector llr_vectors[] = {
    {{36027, 68692, 36433}, 3, 0, 2, SPRT_NORMALIZED, 0.9232934509},
    {{0, 0, 4250}, 3, 0, 10, SPRT_NORMALIZED, 120.5482677},
    {{21184, 40708, 21404}, 3, 0.5, 2.5, SPRT_LOGISTIC, -1.571888793},
    {{365, 16618, 36229, 16974, 390}, 5, 0, 2, SPRT_NORMALIZED, 2.250367704},
    {{0, 0, 0, 0, 5550}, 5, 0, 5, SPRT_NORMALIZED, 111.7975551},
    {{223, 9863, 21279, 10037, 246}, 5, 0.5, 2.5, SPRT_LOGISTIC, -3.07412644},
    {{10789, 19328, 33806, 19402, 10543}, 5, -3, 1, SPRT_LOGISTIC, 2.131067812},
    {{39, 2226, 31451, 2412, 40}, 5, 0.2, 0.9, SPRT_LOGISTIC, 2.16254258},
};

START_TEST(test_llr_vectors)
{
    const LlrVector *v = &llr_vectors[_i];
    double llr = sprt_llr(v->counts, v->count, v->elo0, v->elo1, v->model);
    ck_assert_close(llr, v->llr, 1e-8);
}
END_TEST

START_TEST(test_bounds)
{
    double lower, upper;
    sprt_bounds(0.05, 0.05, &lower, &upper);
    ck_assert_close(lower, -2.944438979, 1e-9);
    ck_assert_close(upper, 2.944438979, 1e-9);
    sprt_bounds(0.05, 0.1, &lower, &upper);
    ck_assert_close(lower, log(0.1 / 0.95), 1e-12);
    ck_assert_close(upper, log(0.9 / 0.05), 1e-12);
}
END_TEST

START_TEST(test_elo_score_round_trip)
{
    for (int elo = -900; elo <= 900; elo += 75)
        ck_assert_close(elo_of_score(score_of_elo(elo)), elo, 1e-9);
    ck_assert(isinf(elo_of_score(0)) && elo_of_score(0) < 0);
    ck_assert(isinf(elo_of_score(1)) && elo_of_score(1) > 0);
}
END_TEST

/* A deterministic engine against itself: every pair is drawn. */
START_TEST(test_no_variance)
{
    MatchScore score = {.wins = 130, .draws = 140, .losses = 130, .ptnml = {0, 0, 200, 0, 0}};
    SprtSettings sprt = {.enabled = true, .elo1 = 5, .alpha = 0.05, .beta = 0.05};
    MatchStats s;

    for (int model = SPRT_LOGISTIC; model <= SPRT_NORMALIZED; model++) {
        sprt.model = (SprtModel)model;
        match_stats(&score, &sprt, &s);
        ck_assert(s.elo == 0 && !signbit(s.elo) && !s.normal && s.unlike == 0);
        ck_assert(s.score == 0.5 && isnan(s.los));
        ck_assert(isnan(s.nelo) && isnan(s.nelo95));
        ck_assert(isfinite(s.llr) && s.llr <= 0);
    }
}
END_TEST

/* Outcomes that are all alike have the interval of Clopper and Pearson: others have a share of at
 * most 1 - 0.025^(1/n). */
START_TEST(test_alike)
{
    for (int outcome = 0; outcome < 5; outcome++)
        for (int n = 1; n <= 1000; n *= 10) {
            MatchScore score = {0};
            MatchStats s;
            double other = 1 - pow(0.025, 1.0 / n), mean = outcome / 4.0;
            score.ptnml[outcome] = n;
            match_stats(&score, NULL, &s);
            ck_assert(!s.normal && s.unlike == 0 && isnan(s.nelo95));
            ck_assert(outcome > 0 || isnan(s.elo_low));
            ck_assert(outcome < 4 || isnan(s.elo_high));
            ck_assert(isnan(s.elo95) == (outcome == 0 || outcome == 4));
            if (outcome > 0) ck_assert_close(score_of_elo(s.elo_low), mean * (1 - other), 1e-9);
            if (outcome < 4)
                ck_assert_close(1 - score_of_elo(s.elo_high), (1 - mean) * (1 - other), 1e-9);
        }
}
END_TEST

/* The log-likelihood of the best distribution of W/D/L with a mean, by trying shares of draws. */
static double best_likelihood(const MatchScore *score, double mean)
{
    double best = -INFINITY, most = 2 * fmin(mean, 1 - mean);

    for (int i = 0; i <= 20000; i++) {
        double draws = most * i / 20000, wins = mean - draws / 2, losses = 1 - draws - wins;
        double sum = 0;
        if (score->wins > 0) sum += (double)score->wins * log(wins);
        if (score->draws > 0) sum += (double)score->draws * log(draws);
        if (score->losses > 0) sum += (double)score->losses * log(losses);
        best = fmax(best, sum);
    }
    return best;
}

/* At both ends the match is 0.025 times as likely as at its own mean. */
START_TEST(test_likelihood_interval)
{
    static const MatchScore few[] = {{.wins = 1, .draws = 1},
                                     {.draws = 3, .losses = 2},
                                     {.wins = 5, .losses = 2},
                                     {.wins = 3, .draws = 9},
                                     {.wins = 2, .draws = 4, .losses = 3},
                                     {.wins = 9, .draws = 1}};

    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        MatchStats s;
        match_stats(&few[i], NULL, &s);
        double best = best_likelihood(&few[i], s.score);
        ck_assert(!s.normal && s.elo_low < s.elo && s.elo < s.elo_high);
        ck_assert_double_eq_tol(best_likelihood(&few[i], score_of_elo(s.elo_low)),
                                best + log(0.025), 1e-3);
        ck_assert_double_eq_tol(best_likelihood(&few[i], score_of_elo(s.elo_high)),
                                best + log(0.025), 1e-3);
        ck_assert_close(s.elo95, (s.elo_high - s.elo_low) / 2, 1e-12);
    }
}
END_TEST

/* Ten outcomes that differ from the most frequent one are enough for the normal approximation. */
START_TEST(test_normal_from_ten)
{
    MatchScore nine = {.ptnml = {0, 3, 80, 6, 0}}, ten = {.ptnml = {0, 3, 80, 7, 0}};
    MatchStats s, t;

    match_stats(&nine, NULL, &s);
    ck_assert(!s.normal && s.unlike == 9 && isfinite(s.nelo) && isnan(s.nelo95));
    match_stats(&ten, NULL, &t);
    ck_assert(t.normal && t.unlike == 10 && isfinite(t.nelo95));
    double se = sqrt((10 * 0.0625 / 90 - pow(t.score - 0.5, 2)) / 90);
    ck_assert_close(t.elo_low, elo_of_score(t.score - 1.959963984540054 * se), 1e-9);
    ck_assert_close(t.elo_high, elo_of_score(t.score + 1.959963984540054 * se), 1e-9);
    ck_assert(s.elo_low < t.elo_low && s.elo_high > t.elo_high - 1);
}
END_TEST

/* Of pairs all won the likelihood of an even match is 1/2^n. */
START_TEST(test_los_of_few)
{
    for (int n = 1; n <= 30; n++) {
        MatchScore won = {.ptnml = {0, 0, 0, 0, n}}, lost = {.ptnml = {n, 0, 0, 0, 0}};
        MatchStats s, t;
        match_stats(&won, NULL, &s);
        match_stats(&lost, NULL, &t);
        ck_assert_double_eq_tol(s.los, 0.5 * (1 + erf(sqrt(n * log(2)))), 1e-9);
        ck_assert_double_eq_tol(t.los, 1 - s.los, 1e-9);
    }
    const MatchScore even = {.ptnml = {1, 0, 0, 0, 1}}, two = {.ptnml = {0, 0, 0, 2, 0}};
    MatchStats s;
    match_stats(&even, NULL, &s);
    ck_assert_double_eq_tol(s.los, 0.5, 1e-6);
    match_stats(&two, NULL, &s);
    ck_assert_double_eq_tol(s.los, 0.5 * (1 + erf(sqrt(2 * log(1.5)))), 1e-9);
}
END_TEST

START_TEST(test_no_games)
{
    MatchScore score = {0};
    SprtSettings sprt = {.enabled = true, .elo1 = 5, .alpha = 0.05, .beta = 0.05};
    MatchStats s;

    match_stats(&score, &sprt, &s);
    ck_assert(isnan(s.score) && isnan(s.elo) && isnan(s.elo95) && isnan(s.nelo) && isnan(s.los));
    ck_assert(s.llr == 0 && s.decision == SPRT_CONTINUE);
}
END_TEST

START_TEST(test_all_one_way)
{
    MatchScore won = {.wins = 10}, lost = {.losses = 20, .ptnml = {10, 0, 0, 0, 0}};
    MatchStats s;

    match_stats(&won, NULL, &s);
    ck_assert(s.score == 1 && s.los > 0.999 && isnan(s.elo) && isnan(s.elo95) && isnan(s.nelo));
    match_stats(&lost, NULL, &s);
    ck_assert(s.score == 0 && s.los < 0.001 && isnan(s.elo) && isnan(s.elo95) && isnan(s.nelo));
}
END_TEST

/* With variance every figure is finite, however few the games. */
START_TEST(test_small_matches_are_finite)
{
    SprtSettings sprt = {.enabled = true, .elo0 = -5, .elo1 = 5, .alpha = 0.05, .beta = 0.05};

    for (int w = 0; w < 6; w++)
        for (int d = 0; d < 6; d++)
            for (int l = 0; l < 6; l++) {
                MatchScore score = {.wins = w, .draws = d, .losses = l};
                MatchStats s;
                if ((w > 0) + (d > 0) + (l > 0) < 2) continue;
                sprt.model = (w + d + l) % 2 ? SPRT_LOGISTIC : SPRT_NORMALIZED;
                match_stats(&score, &sprt, &s);
                ck_assert(isfinite(s.elo) && isfinite(s.elo95) && s.elo95 > 0);
                ck_assert(s.elo_low < s.elo && s.elo < s.elo_high);
                ck_assert(isfinite(s.nelo) && isfinite(s.nelo95) == s.normal && isfinite(s.llr));
                ck_assert(s.los >= 0 && s.los <= 1);
            }
}
END_TEST

START_TEST(test_colours_reversed_mirror)
{
    MatchScore a = {.ptnml = {12, 40, 90, 55, 20}}, b = {.ptnml = {20, 55, 90, 40, 12}};
    SprtSettings up = {.enabled = true, .elo0 = 0, .elo1 = 8, .alpha = 0.05, .beta = 0.05};
    SprtSettings down = up;
    MatchStats s, t;

    down.elo0 = -0.0;
    down.elo1 = -8;
    match_stats(&a, &up, &s);
    match_stats(&b, &down, &t);
    ck_assert_close(s.elo, -t.elo, 1e-12);
    ck_assert_close(s.elo95, t.elo95, 1e-12);
    ck_assert_close(s.nelo, -t.nelo, 1e-12);
    ck_assert_close(s.los, 1 - t.los, 1e-12);
    ck_assert_close(s.llr, t.llr, 1e-9);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_bounds, test_elo_score_round_trip, test_no_variance, test_alike,
              test_likelihood_interval, test_normal_from_ten, test_los_of_few, test_no_games,
              test_all_one_way, test_small_matches_are_finite, test_ratios, test_single_games,
              test_colours_reversed_mirror);
    tcase_add_loop_test(c, test_elo_vectors, 0, sizeof elo_vectors / sizeof *elo_vectors);
    tcase_add_loop_test(c, test_llr_vectors, 0, sizeof llr_vectors / sizeof *llr_vectors);
    return support_run(c);
}
