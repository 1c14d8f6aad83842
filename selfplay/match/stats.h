/* SPDX-License-Identifier: MIT
 * The statistics of matches, as fishtest and fastchess compute them.
 * Sources: M. Van den Bergh, "The generalized sequential probability ratio test" (GSPRT) and
 * "Comments on normalized Elo"; fishtest's stat_util. Formulas are restated at each function. */
#ifndef TABIA_SELFPLAY_MATCH_STATS_H
#define TABIA_SELFPLAY_MATCH_STATS_H

#include <stdbool.h>
#include <stdint.h>

/* First player's view. A pair is two games from one opening with colours reversed. Either of games
 * and pairs may be all 0: unknown. */
typedef struct MatchScore {
    int64_t wins, draws, losses;
    int64_t ptnml[5]; /* pairs by score: LL, LD, DD or WL, WD, WW */
} MatchScore;

typedef enum SprtModel { SPRT_LOGISTIC, SPRT_NORMALIZED } SprtModel;
typedef enum SprtDecision { SPRT_NONE, SPRT_CONTINUE, SPRT_ACCEPT_H0, SPRT_ACCEPT_H1 } SprtDecision;

typedef struct SprtSettings {
    bool enabled;
    double elo0, elo1, alpha, beta;
    SprtModel model;
} SprtSettings;

/* NAN where a figure cannot be computed; printers show "–", JSON null. That is everything without
 * games; Elo and its error when one side won every point; its error and normalised Elo without
 * variance; LOS when all pairs were drawn; the ratio of pairs when none was lost. Nothing else is
 * NAN: a match of drawn pairs only (an engine against itself) has elo 0 and elo95 0. */
typedef struct MatchStats {
    int64_t games, pairs;
    double score;      /* 0 … 1 */
    double elo, elo95; /* elo95: half width of the 95 % interval */
    double nelo, nelo95;
    double los;               /* 0 … 1 */
    double draw_ratio;        /* of games; NAN when only pairs are known */
    double pair_ratio;        /* pairs won divided by pairs lost */
    double llr, lower, upper; /* LLR and its bounds; 0 without SPRT */
    SprtDecision decision;
} MatchStats;

/* Uses the pentanomial counts when there are pairs, else W/D/L. sprt may be NULL. */
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

#endif
