/* SPDX-License-Identifier: MIT
 * Ratings of many players from the scores of their pairings, by maximum likelihood.
 *
 * Model (R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", 1952, on the
 * Elo scale): player i with White against j expects s = 1 / (1 + 10^(-(r_i - r_j + w) / 400))
 * points; a draw counts as half a win and half a loss. w is White's advantage: 0, or fitted too.
 *
 * Errors. The curvature H of the log-likelihood treats games as independent wins and losses, which
 * draws and pairs of games from one opening are not. So the covariance is H⁻¹ B H⁻¹ (the
 * "sandwich"; P. J. Huber, 1967), B being the variance of the likelihood's slope as the pairs of
 * games show it: for two players that is the pentanomial error of stats.h. */
#ifndef TABIA_SELFPLAY_MATCH_RATING_H
#define TABIA_SELFPLAY_MATCH_RATING_H

#include "engine/base/status.h"
#include "selfplay/match/scoreboard.h"

typedef struct RatingSettings {
    int anchor;     /* player whose rating is given, without error; -1: the mean is given instead */
    double elo;     /* the anchor's rating, or the mean of all */
    bool fit_white; /* White's advantage is fitted, not 0 */
} RatingSettings;

/* What cannot be computed is NAN: a player's figures when no games tie it to the others (to the
 * anchor, or the player with the most games); the error of a rating that differs though all pairs
 * came out alike; a likelihood of superiority between players without a difference and without an
 * error. */
typedef struct RatingTable {
    int players;
    double *elo, *elo95;   /* [players]; elo95: half width of the 95 % interval */
    double *covariance;    /* [players][players] */
    double white, white95; /* White's advantage, Elo */
    /* A player won or lost every game against some others, or one colour did, so that no finite
     * ratings are the most likely: then one draw more is counted in each pairing, and the ratings
     * are bounds rather than estimates. */
    bool bounded;
} RatingTable;

/* Errors: out of memory. Free with rating_free(), also after a failure. */
MUST_CHECK Status rating_fit(const Scoreboard *board, const RatingSettings *settings,
                             RatingTable *table, Error *err);
void rating_free(RatingTable *table);

/* Likelihood that player a is stronger than b, 0 … 1. */
double rating_los(const RatingTable *table, int a, int b);

#endif
