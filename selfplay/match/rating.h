/* SPDX-License-Identifier: MIT
 * Ratings of many players from the scores of their pairings, by maximum likelihood.
 *
 * Model (R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", 1952, on the
 * Elo scale): player i with White against j expects s = 1 / (1 + 10^(-(r_i - r_j + w) / 400))
 * points; a draw counts as half a win and half a loss. w is White's advantage: 0 or fitted.
 *
 * Errors. The curvature H of the log-likelihood treats games as independent wins and losses. Draws,
 * and pairs of games from one opening, are not. So the covariance is the sandwich H⁻¹ B H⁻¹
 * (P. J. Huber, 1967), where B is the variance of the likelihood's slope, measured on pairs, and
 * on single games where a pairing has games without a partner. For two players this is the
 * pentanomial error of stats.h. */
#ifndef TABIA_SELFPLAY_MATCH_RATING_H
#define TABIA_SELFPLAY_MATCH_RATING_H

#include "engine/base/status.h"
#include <stdatomic.h>

#include "selfplay/match/scoreboard.h"

typedef struct RatingSettings {
    int anchor;     /* player with a given rating, without error; -1: the mean is given instead */
    double elo;     /* the anchor's rating, or the mean of all */
    bool fit_white; /* fit White's advantage; otherwise it is 0 */
    /* [players] the given ratings of more players than the anchor; NAN: not given. NULL: none. */
    const double *given;
    /* Leave out players that won, or lost, every game, then those that did against the rest, and so
     * on. They have no finite rating. Players with a given rating stay. */
    bool skip_perfect;
    const atomic_int *interrupted; /* non-zero: STATUS_INTERRUPTED; may be NULL */
} RatingSettings;

typedef enum RatingState {
    RATING_FOUND,    /* or given */
    RATING_WON_ALL,  /* left out by skip_perfect */
    RATING_LOST_ALL, /* likewise */
    RATING_SEPARATE  /* no games connect it with the anchors, or with the player of most games */
} RatingState;

/* NAN where a figure cannot be computed: of players whose state is not RATING_FOUND; the error of a
 * rating, and every likelihood of superiority with it, if fewer than MATCH_NORMAL of the player's
 * pairs differ from the most frequent result; white95 likewise by White's games, or if it is not
 * fitted; a likelihood of superiority without difference and error. */
typedef struct RatingTable {
    int players;
    double *elo, *elo95;   /* [players]; elo95: half width of the 95 % interval */
    RatingState *state;    /* [players] */
    double *covariance;    /* [players][players] */
    int *order;            /* [players] the strongest first; equals in order of number, those
                              without a rating last */
    double white, white95; /* White's advantage, Elo */
    /* No finite ratings, with a finite White's advantage, maximise the likelihood, as when a player
     * or a colour won every game against some others. Then each pairing gets one more draw, and
     * ratings are bounds. */
    bool bounded;
} RatingTable;

/* Errors: out of memory, interrupted. Free with rating_free(), also after a failure. */
MUST_CHECK Status rating_fit(const Scoreboard *board, const RatingSettings *settings,
                             RatingTable *table, Error *err);
void rating_free(RatingTable *table);

/* Half width of the 95 % interval of the difference of two ratings, or NAN. */
double rating_error(const RatingTable *table, int a, int b);

/* Likelihood that player a is stronger than b, 0 … 1, or NAN. */
double rating_los(const RatingTable *table, int a, int b);

/* Sets table->order, as rating_fit() does. */
void rating_order(RatingTable *table);

#endif
