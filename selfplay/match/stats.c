/* SPDX-License-Identifier: MIT
 * Elo, normalised Elo, likelihood of superiority and the sequential test, from outcome counts. */
#include "selfplay/match/stats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { OUTCOMES_MAX = 5, MLE_ITERATIONS = 32, INTERVAL_STEPS = 50 };

static const double z95 = 1.959963984540054;              /* Φ⁻¹(0.975) */
static const double interval_cost = 3.688879454113936;    /* -ln 0.025 */
static const double nelo_per_sigma = 347.435585522600979; /* 800 / ln 10 */
static const double zero_count = 1e-3; /* replaces a count of 0, so that logarithms are finite */

/* Outcomes as probabilities p[i] of scoring a[i] = i / (count - 1). */
typedef struct Distribution {
    int count;
    double n; /* games or pairs */
    double p[OUTCOMES_MAX];
} Distribution;

static double outcome_score(int i, int count)
{
    return (double)i / (count - 1);
}

static double mean_of(const double *p, int count)
{
    double mean = 0;
    for (int i = 0; i < count; i++)
        mean += p[i] * outcome_score(i, count);
    return mean;
}

static double variance_of(const double *p, int count, double mean)
{
    double variance = 0;
    for (int i = 0; i < count; i++) {
        double d = outcome_score(i, count) - mean;
        variance += p[i] * d * d;
    }
    return variance;
}

double elo_of_score(double score)
{
    if (score <= 0) return -INFINITY;
    if (score >= 1) return INFINITY;
    return -400 * log10(1 / score - 1);
}

double score_of_elo(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

void sprt_bounds(double alpha, double beta, double *lower, double *upper)
{
    *lower = log(beta / (1 - alpha));
    *upper = log((1 - beta) / alpha);
}

/* ---- The generalised sequential probability ratio test */

/* The multiplier θ with Σ p̂_i φ_i / (1 + θ φ_i) = 0: the condition of the likelihood's maximum
 * under the constraint Σ p_i φ_i = 0. The sum falls strictly between its poles -1/max φ and -1/min
 * φ, so Newton's steps are kept inside a shrinking bracket. False when no distribution meets the
 * constraint (all φ of one sign). */
static bool solve_multiplier(const Distribution *d, const double *phi, double *theta)
{
    double least = phi[0], most = phi[0];

    for (int i = 1; i < d->count; i++) {
        least = fmin(least, phi[i]);
        most = fmax(most, phi[i]);
    }
    if (least >= 0 || most <= 0) return false;
    double low = -1 / most, high = -1 / least, x = 0;
    for (int step = 0; step < 200; step++) {
        double f = 0, slope = 0;
        for (int i = 0; i < d->count; i++) {
            double q = phi[i] / (1 + x * phi[i]);
            f += d->p[i] * q;
            slope -= d->p[i] * q * q;
        }
        if (f > 0)
            low = x;
        else
            high = x;
        double next = x - f / slope;
        if (!(next > low && next < high)) next = (low + high) / 2;
        if (fabs(next - x) <= 1e-15 * (1 + fabs(x))) break;
        x = next;
    }
    *theta = x;
    return true;
}

static bool tilt(const Distribution *d, const double *phi, double *p)
{
    double theta;

    if (!solve_multiplier(d, phi, &theta)) return false;
    for (int i = 0; i < d->count; i++)
        p[i] = d->p[i] / (1 + theta * phi[i]);
    return true;
}

/* Most likely p with mean score s(elo): p_i = p̂_i / (1 + θ (a_i - s)). */
static bool mle_logistic(const Distribution *d, double elo, double *p)
{
    double phi[OUTCOMES_MAX] = {0}, s = score_of_elo(elo);

    for (int i = 0; i < d->count; i++)
        phi[i] = outcome_score(i, d->count) - s;
    return tilt(d, phi, p);
}

/* Most likely p with (mean - ½) / σ = t. The constraint is linearised at the present (mean, σ),
 * from the uniform distribution on: φ_i = a_i - ½ - ½ t σ (1 + ((a_i - mean) / σ)²). */
static bool mle_normalized(const Distribution *d, double nelo, double *p)
{
    double t = nelo / nelo_per_sigma * (d->count == 5 ? sqrt(2) : 1);

    for (int i = 0; i < d->count; i++)
        p[i] = 1.0 / d->count;
    for (int round = 0; round < MLE_ITERATIONS; round++) {
        double phi[OUTCOMES_MAX] = {0}, next[OUTCOMES_MAX], change = 0;
        double mean = mean_of(p, d->count), sigma = sqrt(variance_of(p, d->count, mean));
        for (int i = 0; i < d->count; i++) {
            double a = outcome_score(i, d->count), z = (a - mean) / sigma;
            phi[i] = a - 0.5 - 0.5 * t * sigma * (1 + z * z);
        }
        if (!tilt(d, phi, next)) return false;
        for (int i = 0; i < d->count; i++) {
            change = fmax(change, fabs(next[i] - p[i]));
            p[i] = next[i];
        }
        if (change < 1e-12) break;
    }
    return true;
}

double sprt_llr(const double *counts, int count, double elo0, double elo1, SprtModel model)
{
    Distribution d = {.count = count};
    double p0[OUTCOMES_MAX], p1[OUTCOMES_MAX], seen = 0, llr = 0;
    bool (*mle)(const Distribution *, double, double *) =
        model == SPRT_NORMALIZED ? mle_normalized : mle_logistic;

    assert(count == 3 || count == 5);
    for (int i = 0; i < count; i++) {
        seen += counts[i];
        d.p[i] = counts[i] > 0 ? counts[i] : zero_count;
        d.n += d.p[i];
    }
    if (seen <= 0) return 0;
    for (int i = 0; i < count; i++)
        d.p[i] /= d.n;
    if (!mle(&d, elo0, p0) || !mle(&d, elo1, p1)) return 0;
    for (int i = 0; i < count; i++)
        llr += d.p[i] * log(p1[i] / p0[i]);
    return d.n * llr;
}

/* ---- The figures of a match */

/* The log-likelihood that the distribution of mean s > 0 loses against the observed one: n times
 * max_θ Σ p̂_i ln(1 + θ (a_i - s)). Outcomes that were not seen may have any probability. */
static double cost_of_mean(const Distribution *d, double s)
{
    double phi[OUTCOMES_MAX] = {0}, theta = 0, sum = 0;

    for (int i = 0; i < d->count; i++)
        phi[i] = outcome_score(i, d->count) - s;
    if (!solve_multiplier(d, phi, &theta)) return 0;
    for (int i = 0; i < d->count; i++)
        if (d->p[i] > 0) sum += d->p[i] * log1p(theta * phi[i]);
    return d->n * sum;
}

/* The least mean within the likelihood interval. */
static double likelihood_low(const Distribution *d)
{
    double low = 0, high = mean_of(d->p, d->count);

    for (int step = 0; step < INTERVAL_STEPS && high > 0; step++) {
        double s = (low + high) / 2;
        if (cost_of_mean(d, s) > interval_cost)
            low = s;
        else
            high = s;
    }
    return high;
}

static Distribution reversed(const Distribution *d)
{
    Distribution r = {.count = d->count, .n = d->n};

    for (int i = 0; i < d->count; i++)
        r.p[i] = d->p[d->count - 1 - i];
    return r;
}

/* Sets normal, elo_low, elo_high and elo95. */
static void elo_interval(const Distribution *d, double se, MatchStats *stats)
{
    double low = stats->score - z95 * se, high = stats->score + z95 * se;

    stats->normal = stats->unlike >= MATCH_NORMAL && low > 0 && high < 1;
    if (!stats->normal) {
        Distribution mirror = reversed(d);
        low = likelihood_low(d);
        high = 1 - likelihood_low(&mirror);
    }
    if (low > 0) stats->elo_low = elo_of_score(low);
    if (high < 1) stats->elo_high = elo_of_score(high);
    stats->elo95 = (stats->elo_high - stats->elo_low) / 2; /* NAN without one of them */
}

/* By the normal approximation; else by the signed root of the likelihood ratio of an even score,
 * Φ(±√(2 cost)) (S. S. Wilks, 1938). NAN: all outcomes were even. */
static double likelihood_of_superiority(const Distribution *d, double se, const MatchStats *stats)
{
    double mean = stats->score;

    if (stats->normal) return 0.5 * erfc(-(mean - 0.5) / (se * sqrt(2)));
    if (mean == 0.5 && se == 0) return NAN;
    double root = sqrt(fmax(cost_of_mean(d, 0.5), 0));
    return 0.5 * erfc(mean > 0.5 ? -root : root);
}

static void elo_stats(const double *counts, int count, double n, MatchStats *stats)
{
    Distribution d = {.count = count, .n = n};
    double most = 0, points = 0;

    for (int i = 0; i < count; i++) {
        d.p[i] = counts[i] / n;
        most = fmax(most, counts[i]);
        points += counts[i] * i;
    }
    stats->unlike = (int64_t)(n - most);
    /* From whole numbers: an even result is ½ exactly. */
    double mean = points / (n * (count - 1)), variance = variance_of(d.p, count, mean);
    double se = sqrt(variance / n);
    double sigma = sqrt(count == 5 ? 2 * variance : variance);

    stats->score = mean;
    if (mean > 0 && mean < 1) stats->elo = elo_of_score(mean) + 0.0; /* + 0.0: never -0 */
    elo_interval(&d, se, stats);
    stats->los = likelihood_of_superiority(&d, se, stats);
    if (variance > 0) stats->nelo = (mean - 0.5) / sigma * nelo_per_sigma;
    if (stats->normal) stats->nelo95 = z95 * nelo_per_sigma / sqrt(count == 5 ? 2 * n : n);
}

static void sprt_stats(const double *counts, int count, const SprtSettings *sprt, MatchStats *stats)
{
    sprt_bounds(sprt->alpha, sprt->beta, &stats->lower, &stats->upper);
    stats->llr = sprt_llr(counts, count, sprt->elo0, sprt->elo1, sprt->model);
    stats->decision = stats->llr >= stats->upper   ? SPRT_ACCEPT_H1
                      : stats->llr <= stats->lower ? SPRT_ACCEPT_H0
                                                   : SPRT_CONTINUE;
}

void match_stats(const MatchScore *score, const SprtSettings *sprt, MatchStats *stats)
{
    double counts[OUTCOMES_MAX];
    int count = 3;

    *stats = (MatchStats){.score = NAN,
                          .elo = NAN,
                          .elo95 = NAN,
                          .elo_low = NAN,
                          .elo_high = NAN,
                          .nelo = NAN,
                          .nelo95 = NAN,
                          .los = NAN,
                          .draw_ratio = NAN,
                          .pair_ratio = NAN,
                          .decision = SPRT_NONE};
    stats->games = match_games(score);
    for (int i = 0; i < 5; i++)
        stats->pairs += score->ptnml[i];
    if (stats->pairs > 0 && stats->games <= 4 * stats->pairs) {
        count = 5;
        for (int i = 0; i < 5; i++)
            counts[i] = (double)score->ptnml[i];
    } else {
        counts[0] = (double)score->losses;
        counts[1] = (double)score->draws;
        counts[2] = (double)score->wins;
    }
    int64_t pairs_lost = score->ptnml[0] + score->ptnml[1];
    if (pairs_lost > 0)
        stats->pair_ratio = (double)(score->ptnml[3] + score->ptnml[4]) / (double)pairs_lost;
    if (stats->games > 0) stats->draw_ratio = (double)score->draws / (double)stats->games;
    if (stats->games == 0) stats->games = 2 * stats->pairs; /* only the pairs are known */
    double n = (double)(count == 5 ? stats->pairs : stats->games);
    if (n > 0) elo_stats(counts, count, n, stats);
    if (sprt && sprt->enabled) sprt_stats(counts, count, sprt, stats);
}

/* ---- As JSON */

static const char *const decisions[] = {"none", "continue", "H0", "H1"};

static void put_count(JsonWriter *w, const char *key, int64_t value, bool known)
{
    if (known)
        json_int(w, key, value);
    else
        json_string(w, key, NULL);
}

static const char *interval_name(const MatchStats *stats)
{
    if (stats->games == 0) return NULL;
    return stats->normal ? "normal" : "likelihood";
}

static void put_figures(JsonWriter *w, const MatchScore *score, const MatchStats *stats,
                        bool stored)
{
    bool known = stats->pairs == 0 || match_games(score) > 0;

    json_int(w, "games", stats->games);
    put_count(w, "wins", score->wins, known);
    put_count(w, "draws", score->draws, known);
    put_count(w, "losses", score->losses, known);
    json_ints(w, "ptnml", score->ptnml, 5);
    json_double(w, "score", stats->score, 10);
    if (!stored) json_double(w, "draw_ratio", stats->draw_ratio, 10);
    if (!stored) json_double(w, "pair_ratio", stats->pair_ratio, 10);
    json_double(w, "elo", stats->elo, 10);
    json_double(w, "elo95", stats->elo95, 10);
    json_double(w, "elo_low", stats->elo_low, 10);
    json_double(w, "elo_high", stats->elo_high, 10);
    if (!stored) json_string(w, "elo_interval", interval_name(stats));
    json_double(w, "nelo", stats->nelo, 10);
    json_double(w, "nelo95", stats->nelo95, 10);
    json_double(w, "los", stats->los, 10);
    json_double(w, "llr", stats->llr, 10);
}

void match_json(JsonWriter *w, const MatchScore *score, const MatchStats *stats)
{
    put_figures(w, score, stats, false);
    if (stats->decision == SPRT_NONE) return;
    json_double(w, "llr_lower", stats->lower, 10);
    json_double(w, "llr_upper", stats->upper, 10);
    json_string(w, "decision", decisions[stats->decision]);
}

void match_json_stored(JsonWriter *w, const MatchScore *score, const MatchStats *stats)
{
    put_figures(w, score, stats, true);
    json_string(w, "sprt", decisions[stats->decision]);
}

/* ---- The settings of a sequential test */

/* Most of a bound. */
enum {
    NELO_MAX = 200, /* beyond, no distribution of pairs has such a mean and variance */
    ELO_MAX = 2000  /* beyond, the expected score is 0 or 1 but for rounding */
};

static const Setting pairs[] = {
    {"elo0", FIELD(SprtSettings, elo0), .preset = NAN},
    {"elo1", FIELD(SprtSettings, elo1), .preset = NAN},
    {"alpha", FIELD(SprtSettings, alpha), .preset = 0.05},
    {"beta", FIELD(SprtSettings, beta), .preset = 0.05},
    {"model", FIELD(SprtSettings, model), .words = "logistic|normalized",
     .preset = SPRT_NORMALIZED},
    {0},
};

/* In the configuration of a run. */
static const Setting in_run[] = {{.kind = FIELD_OTHER, .rows = pairs, .prefix = "sprt-"}, {0}};

Status sprt_parse(void *sprt, const char *text, Error *err)
{
    SprtSettings s = {.enabled = true};

    settings_default(pairs, &s);
    if (!strchr(text, '='))
        return error_set(err, STATUS_USAGE, "\"%s\" has no keys; write elo0=X,elo1=Y", text);
    Status status = settings_set_pairs(pairs, &s, text, err);
    if (status != STATUS_OK) return status;
    if (isnan(s.elo0) || isnan(s.elo1))
        return error_set(err, STATUS_USAGE, "both elo0=X and elo1=Y are needed, joined by a comma");
    if (s.elo0 >= s.elo1) return error_set(err, STATUS_USAGE, "elo0 must be below elo1");
    int most = s.model == SPRT_NORMALIZED ? NELO_MAX : ELO_MAX;
    if (fmax(fabs(s.elo0), fabs(s.elo1)) > most)
        return error_set(err, STATUS_USAGE, "%s bounds must be within ±%d",
                         s.model == SPRT_NORMALIZED ? "normalized" : "logistic", most);
    if (!(s.alpha > 0 && s.beta > 0 && s.alpha < 0.5 && s.beta < 0.5))
        return error_set(err, STATUS_USAGE, "alpha and beta must be between 0 and 0.5");
    *(SprtSettings *)sprt = s;
    return STATUS_OK;
}

void sprt_json(JsonWriter *w, const SprtSettings *sprt)
{
    if (sprt->enabled) settings_json(w, in_run, NULL, SETTINGS_IDENTITY, sprt);
}

Status sprt_read(SprtSettings *sprt, SettingValueFn value, void *context, Error *err)
{
    char text[SETTING_TEXT_MAX] = "";

    sprt->enabled = value(context, "sprt_elo0", &sprt->elo0, text);
    return settings_read(in_run, NULL, sprt, value, context, err);
}
