/* SPDX-License-Identifier: MIT
 * The statistics of matches, as fishtest and fastchess compute them.
 * Sources: M. Van den Bergh, "The generalized sequential probability ratio test" (GSPRT) and
 * "Comments on normalized Elo"; fishtest's stat_util. Formulas are restated at each function.
 *
 * The 95 % interval of Elo. An outcome is a pair's score, or a game's where no pairs are known.
 *
 * Normal approximation: the ends are the Elo of mean ± 1.96 standard errors. It is used if at least
 * MATCH_NORMAL outcomes differ from the most frequent one.
 *
 * Likelihood interval: otherwise. It contains every mean for which some distribution with that mean
 * makes the match at least 0.025 times as likely as the most likely distribution does. Outcomes
 * that were not seen may have any probability (A. B. Owen, "Empirical likelihood ratio confidence
 * intervals for a single functional", 1988). If all outcomes are alike, its ends are those of the
 * exact interval for the share of other outcomes (C. J. Clopper and E. S. Pearson, "The use of
 * confidence or fiducial limits illustrated in the case of the binomial", 1934), from which the
 * factor 0.025 is taken. Each end then fails in at most 2.5 % of matches, however few the pairs
 * (checked by tests/tools/interval_coverage.c). An end is missing only if every game was won, or
 * every game lost. */
#ifndef TABIA_SELFPLAY_MATCH_STATS_H
#define TABIA_SELFPLAY_MATCH_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/json.h"
#include "engine/values/setting.h"

/* First player's view. A pair is two games from one opening with colours reversed. Either of games
 * and pairs may be all 0: unknown. */
typedef struct MatchScore {
    int64_t wins, draws, losses;
    int64_t ptnml[5]; /* pairs by score: LL, LD, DD or WL, WD, WW */
} MatchScore;

static inline int64_t match_games(const MatchScore *score)
{
    return score->wins + score->draws + score->losses;
}

typedef enum SprtModel { SPRT_LOGISTIC, SPRT_NORMALIZED } SprtModel;
typedef enum SprtDecision { SPRT_NONE, SPRT_CONTINUE, SPRT_ACCEPT_H0, SPRT_ACCEPT_H1 } SprtDecision;

typedef struct SprtSettings {
    bool enabled;
    double elo0, elo1, alpha, beta;
    SprtModel model;
} SprtSettings;

enum { MATCH_NORMAL = 10 };

/* NAN where a figure cannot be computed; printers show "–", JSON null. That is everything without
 * games; Elo, its error and one end of its interval when one side won every point; normalised Elo
 * without variance, and its error without the normal approximation; LOS when all pairs were drawn;
 * the ratio of pairs when none was lost. Nothing else is NAN. */
typedef struct MatchStats {
    int64_t games, pairs;
    double score;             /* 0 … 1 */
    double elo, elo95;        /* elo95: half width of the 95 % interval */
    double elo_low, elo_high; /* ends of that interval */
    int64_t unlike;           /* outcomes that differ from the most frequent one */
    bool normal;              /* whether the interval is the normal approximation */
    double nelo, nelo95;
    double los;               /* 0 … 1 */
    double draw_ratio;        /* of games; NAN when only pairs are known */
    double pair_ratio;        /* pairs won divided by pairs lost */
    double llr, lower, upper; /* LLR and its bounds; 0 without SPRT */
    SprtDecision decision;
} MatchStats;

/* Uses the pentanomial counts when at least half of the games are in pairs, without the others,
 * else W/D/L. sprt may be NULL. */
void match_stats(const MatchScore *score, const SprtSettings *sprt, MatchStats *stats);

/* Log-likelihood ratio of elo1 against elo0 for `count` outcome counts (3: loss draw win; 5:
 * pairs): n Σ p̂ ln(p1 / p0), where p0 and p1 are the most likely distributions under each
 * hypothesis. A count of 0 becomes 0.001. 0 without games, and for normalised bounds that no
 * distribution reaches (beyond about ±200). */
double sprt_llr(const double *counts, int count, double elo0, double elo1, SprtModel model);

void sprt_bounds(double alpha, double beta, double *lower, double *upper);

/* Logistic Elo of a score in (0, 1); ±INFINITY at the ends. */
double elo_of_score(double score);
double score_of_elo(double elo);

/* Writes the keys games, wins, draws, losses, ptnml, score, draw_ratio, pair_ratio, elo, elo95,
 * elo_low, elo_high, elo_interval ("normal", "likelihood" or null), nelo, nelo95, los and llr into
 * the open object; with a sequential test llr_lower, llr_upper and decision ("H0", "H1" or
 * "continue"). Wins, draws and losses are null if only pairs are known. */
void match_json(JsonWriter *w, const MatchScore *score, const MatchStats *stats);

/* The same without draw_ratio, pair_ratio, elo_interval, llr_lower, llr_upper and decision, which
 * follow from the rest; then sprt ("none", "continue", "H0" or "H1"). */
void match_json_stored(JsonWriter *w, const MatchScore *score, const MatchStats *stats);

/* A SettingParseFn of SprtSettings, which are enabled then. Both elo0 and elo1 are needed; alpha
 * and beta are 0.05 and the model is normalized unless they are given. */
MUST_CHECK Status sprt_parse(void *sprt, const char *text, Error *err);

/* The keys sprt_elo0, sprt_elo1, sprt_alpha, sprt_beta and sprt_model; none if it is disabled. */
void sprt_json(JsonWriter *w, const SprtSettings *sprt);
/* The inverse. */
MUST_CHECK Status sprt_read(SprtSettings *sprt, SettingValueFn value, void *context, Error *err);

#endif
