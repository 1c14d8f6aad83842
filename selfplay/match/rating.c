/* SPDX-License-Identifier: MIT
 * Newton's method on the Bradley-Terry likelihood, and the error of its result. */
#include "selfplay/match/rating.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/cholesky.h"

enum { NEWTON_STEPS = 100 };

static const double z95 = 1.959963984540054;
static const double step_max = 400;     /* Elo: longest Newton step, since longer ones overshoot */
static const double no_variance = 1e-9; /* Elo²: 0 but for rounding */
static const double per_elo = 0.005756462732485115; /* ln 10 / 400 */

/* The problem to solve. The unknowns are the ratings of connected players, without the fixed one,
 * then White's advantage. `unknown` and `x` are owned, the other arrays are parts of them. */
typedef struct RatingFit {
    const Scoreboard *board;
    const RatingSettings *settings;
    double extra;       /* draws added to each pairing with games */
    int n;              /* unknowns */
    int *unknown;       /* [players]: index of the player's rating, or -1 */
    int white;          /* index of White's advantage, or -1 */
    int *shift;         /* [players]: for holds_white() */
    double *x;          /* [n] */
    double *slope;      /* [n]; then Newton's step */
    double *curvature;  /* [n][n]; then its Cholesky factor */
    double *covariance; /* [n][n] of x */
} RatingFit;

static bool must_end(const RatingSettings *settings)
{
    return settings->interrupted &&
           atomic_load_explicit(settings->interrupted, memory_order_relaxed);
}

/* ---- Connected players */

static bool has_games(const Scoreboard *board)
{
    for (int i = 0; i < board->pairing_count; i++)
        if (match_games(&board->pairings[i].score) > 0) return true;
    return false;
}

/* Is the player's rating the anchor's or another given one? */
static bool is_given(const RatingSettings *settings, int player)
{
    return player == settings->anchor || (settings->given && !isnan(settings->given[player]));
}

/* Marks the players from which reach() starts: those with a given rating, or `start` alone. */
static void mark_starts(const Scoreboard *board, const RatingSettings *settings, int start,
                        bool *reached)
{
    for (int i = 0; i < board->schedule.players; i++)
        reached[i] = i == start || is_given(settings, i);
}

/* Marks the players reachable from the marked ones. With both_ways every pairing with games is an
 * edge. Otherwise an edge leads from a player to one that it scored against, or reversed with
 * `backwards`. */
static void reach(const Scoreboard *board, const RatingSettings *settings, bool both_ways,
                  bool backwards, bool *reached)
{
    for (bool grown = true; grown && !must_end(settings);) {
        grown = false;
        for (int i = 0; i < board->pairing_count; i++) {
            const PairingScore *p = &board->pairings[i];
            int64_t points = p->white_points2[0] + p->white_points2[1];
            for (int side = 0; side < 2; side++) {
                int from = p->players[side], to = p->players[1 - side];
                int64_t scored =
                    (side == 0) != backwards ? points : 2 * match_games(&p->score) - points;
                bool edge = both_ways ? match_games(&p->score) > 0 : scored > 0;
                if (!edge || !reached[from] || reached[to]) continue;
                reached[to] = grown = true;
            }
        }
    }
}

/* The ratings of a connected group are finite when each player has scored against each other one,
 * directly or through a chain of players (L. R. Ford, 1957). Given ratings are as one player. */
static bool is_finite(const Scoreboard *board, const RatingSettings *settings, int start,
                      const bool *group, bool *reached)
{
    for (int backwards = 0; backwards < 2; backwards++) {
        mark_starts(board, settings, start, reached);
        reach(board, settings, false, backwards != 0, reached);
        for (int i = 0; i < board->schedule.players; i++)
            if (group[i] && !reached[i]) return false;
    }
    return true;
}

static int most_played(const Scoreboard *board)
{
    int best = 0;
    int64_t most = -1;

    for (int i = 0; i < board->schedule.players; i++) {
        MatchScore score = scoreboard_player(board, i);
        int64_t games = match_games(&score);
        if (games > most) {
            most = games;
            best = i;
        }
    }
    return best;
}

/* Removes the pairings of players that are left out. */
static void keep_found(Scoreboard *board, const RatingState *state)
{
    int kept = 0;

    for (int i = 0; i < board->pairing_count; i++) {
        const int *players = board->pairings[i].players;
        if (state[players[0]] == RATING_FOUND && state[players[1]] == RATING_FOUND)
            board->pairings[kept++] = board->pairings[i];
    }
    board->pairing_count = kept;
}

/* Leaves out players that won or lost every game, until there is no such player. Their states are
 * set. */
static void leave_out_perfect(Scoreboard *board, const RatingSettings *settings, RatingState *state)
{
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < board->schedule.players && !must_end(settings); i++) {
            MatchScore score = scoreboard_player(board, i);
            bool lost = score.wins + score.draws == 0, won = score.losses + score.draws == 0;
            if (lost == won || is_given(settings, i)) continue; /* both: no games */
            state[i] = won ? RATING_WON_ALL : RATING_LOST_ALL;
            again = true;
        }
        keep_found(board, state);
    }
}

/* ---- Likelihood */

/* Relative to the anchor, or to the player with the most games. */
static double rating_of(const RatingFit *fit, int player)
{
    const double *given = fit->settings->given;

    if (fit->unknown[player] >= 0) return fit->x[fit->unknown[player]];
    return given && !isnan(given[player]) ? given[player] - fit->settings->elo : 0;
}

static bool lower(int *shift, int most)
{
    if (*shift <= most) return false;
    *shift = most;
    return true;
}

/* Does some result become less likely when White's advantage grows by `step`, however the ratings
 * move along? Each point scored is an upper bound of one player's shift by another's. The shifts
 * are lowered to these bounds, which never ends if they contradict each other (R. Bellman, "On a
 * routing problem", 1958). Given ratings move as one, that of `start`. */
static bool holds_white(RatingFit *fit, int start, int step)
{
    int players = fit->board->schedule.players;
    bool lowered = true;

    memset(fit->shift, 0, (size_t)players * sizeof *fit->shift);
    for (int pass = 0; pass <= players && lowered && !must_end(fit->settings); pass++) {
        lowered = false;
        for (int i = 0; i < fit->board->pairing_count; i++) {
            const PairingScore *p = &fit->board->pairings[i];
            int a = fit->unknown[p->players[0]] < 0 ? start : p->players[0];
            int b = fit->unknown[p->players[1]] < 0 ? start : p->players[1];
            for (int side = 0; side < 2; side++) {
                int white = side == 0 ? step : -step; /* for a */
                int64_t points = p->white_points2[side], all = 2 * p->white_games[side];
                if (points > 0) lowered |= lower(&fit->shift[b], fit->shift[a] + white);
                if (points < all) lowered |= lower(&fit->shift[a], fit->shift[b] - white);
            }
            if (fit->shift[a] < -players || fit->shift[b] < -players) return true;
        }
    }
    return lowered;
}

/* Adds value · v vᵀ to a matrix, v being +1 at the first player, -1 at the second, `white` at
 * White's advantage. */
static void add_outer(const RatingFit *fit, double *matrix, const int players[2], double white,
                      double value)
{
    const int index[3] = {fit->unknown[players[0]], fit->unknown[players[1]], fit->white};
    const double v[3] = {1, -1, white};

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (index[i] >= 0 && index[j] >= 0)
                matrix[index[i] * fit->n + index[j]] += value * v[i] * v[j];
}

static void add_slope(const RatingFit *fit, const int players[2], double white, double value)
{
    if (fit->unknown[players[0]] >= 0) fit->slope[fit->unknown[players[0]]] += value;
    if (fit->unknown[players[1]] >= 0) fit->slope[fit->unknown[players[1]]] -= value;
    if (fit->white >= 0) fit->slope[fit->white] += white * value;
}

/* Slope and curvature (its negative second derivative) of the log-likelihood at x. */
static void differentiate(RatingFit *fit)
{
    memset(fit->slope, 0, (size_t)fit->n * sizeof *fit->slope);
    memset(fit->curvature, 0, (size_t)fit->n * (size_t)fit->n * sizeof *fit->curvature);
    for (int i = 0; i < fit->board->pairing_count; i++) {
        const PairingScore *p = &fit->board->pairings[i];
        double difference = rating_of(fit, p->players[0]) - rating_of(fit, p->players[1]);
        for (int side = 0; side < 2 && match_games(&p->score) > 0; side++) {
            double white = side == 0 ? 1 : -1; /* for players[0] */
            double advantage = fit->white < 0 ? 0 : white * fit->x[fit->white];
            double expected = score_of_elo(difference + advantage);
            double games = (double)p->white_games[side] + fit->extra / 2;
            double points = (double)p->white_points2[side] / 2 + fit->extra / 4;
            add_slope(fit, p->players, white, per_elo * (points - games * expected));
            add_outer(fit, fit->curvature, p->players, white,
                      per_elo * per_elo * games * expected * (1 - expected));
        }
    }
}

/* The variance of the points of a pair; *pairs: their number. */
static double pair_variance(const MatchScore *score, double *pairs)
{
    double mean = 0, square = 0;

    *pairs = 0;
    for (int k = 0; k < 5; k++) {
        double count = (double)score->ptnml[k];
        *pairs += count;
        mean += count * k / 2;
        square += count * k * k / 4;
    }
    if (*pairs == 0) return 0;
    mean /= *pairs;
    return fmax(square / *pairs - mean * mean, 0);
}

/* The variance of the points of a game. */
static double game_variance(const MatchScore *score, double games)
{
    double wins = (double)score->wins, draws = (double)score->draws;
    double mean = (wins + draws / 2) / games;

    return fmax((wins + draws / 4) / games - mean * mean, 0);
}

/* Adds the variance of the slope, from each pairing's points. White's advantage cancels within a
 * pair, so its own entry is the variance of independent games, and only games without a partner are
 * correlated with the players' points. */
static void add_slope_variance(const RatingFit *fit, double *variance_of_slope)
{
    for (int i = 0; i < fit->board->pairing_count; i++) {
        const PairingScore *p = &fit->board->pairings[i];
        double games = (double)match_games(&p->score), pairs,
               of_pair = pair_variance(&p->score, &pairs);
        if (games == 0) continue;
        double of_game = game_variance(&p->score, games);
        double variance = pairs * of_pair + (games - 2 * pairs) * of_game;
        add_outer(fit, variance_of_slope, p->players, 0, per_elo * per_elo * variance);
        if (fit->white < 0) continue;
        double single = (double)(p->white_games[0] - p->white_games[1]);
        variance_of_slope[fit->white * fit->n + fit->white] += per_elo * per_elo * games * of_game;
        for (int side = 0; side < 2; side++) {
            int player = fit->unknown[p->players[side]];
            double common = per_elo * per_elo * of_game * (side == 0 ? single : -single);
            if (player < 0) continue;
            variance_of_slope[player * fit->n + fit->white] += common;
            variance_of_slope[fit->white * fit->n + player] += common;
        }
    }
}

/* ---- Fitting */

/* The largest change of a pairing's difference, White's advantage included, by the step in `slope`.
 */
static double largest_change(const RatingFit *fit)
{
    double largest = 0;

    for (int i = 0; i < fit->board->pairing_count; i++) {
        int a = fit->unknown[fit->board->pairings[i].players[0]],
            b = fit->unknown[fit->board->pairings[i].players[1]];
        double change = (a < 0 ? 0 : fit->slope[a]) - (b < 0 ? 0 : fit->slope[b]);
        largest = fmax(largest, fabs(change) + (fit->white < 0 ? 0 : fabs(fit->slope[fit->white])));
    }
    return largest;
}

/* Newton's method to the only maximum of the likelihood, as near as rounding allows: with a million
 * games and one draw the steps stop shrinking. A step is shortened by the differences that it
 * changes: a ladder of players has ratings far apart. Leaves the factored curvature. */
static bool climb(RatingFit *fit)
{
    double before = INFINITY;

    for (int step = 0; step < NEWTON_STEPS; step++) {
        double largest = 0;
        differentiate(fit);
        if (!cholesky_factor(fit->curvature, fit->n, fit->settings->interrupted)) return false;
        cholesky_solve(fit->curvature, fit->n, fit->slope, 1, 1,
                       fit->settings->interrupted); /* becomes the step */
        for (int i = 0; i < fit->n; i++)
            largest = fmax(largest, fabs(fit->slope[i]));
        double scale = fmin(step_max / largest_change(fit), 1);
        for (int i = 0; i < fit->n; i++)
            fit->x[i] += scale * fit->slope[i];
        if (largest < 1e-9 || (largest < 1e-4 && largest >= before)) return true;
        before = largest;
    }
    return false;
}

static void transpose(double *m, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double above = m[j * n + i];
            m[j * n + i] = m[i * n + j];
            m[i * n + j] = above;
        }
}

/* H⁻¹ B H⁻¹; for bounds H⁻¹. */
static void find_covariance(const RatingFit *fit, bool bounded)
{
    double *c = fit->covariance;
    int n = fit->n;

    if (bounded) {
        for (int i = 0; i < n; i++)
            c[i * n + i] = 1;
    } else {
        add_slope_variance(fit, c);
        cholesky_solve(fit->curvature, n, c, n, n, fit->settings->interrupted);
        transpose(c, n);
    }
    cholesky_solve(fit->curvature, n, c, n, n, fit->settings->interrupted);
}

/* Sum of a row of the players' covariance, each column times its player's share. */
static double shared(const RatingFit *fit, const double *share, int players, int unknown)
{
    double sum = 0;

    for (int i = 0; i < players; i++)
        if (fit->unknown[i] >= 0)
            sum += share[i] * fit->covariance[unknown * fit->n + fit->unknown[i]];
    return sum;
}

/* Ratings and covariance relative to an origin: the anchor's rating or the group's mean. With u the
 * weights of the players in the origin, the covariance is (I - 1 uᵀ) C (I - 1 uᵀ)ᵀ. */
static Status place(const RatingFit *fit, const RatingSettings *settings, const bool *group,
                    RatingTable *table, Error *err)
{
    const double *covariance = fit->covariance;
    int n = table->players, members = 0;
    double origin = 0, total = 0, *share = calloc(2 * (size_t)n, sizeof *share);

    if (!share) return error_set(err, STATUS_FAILED, "out of memory for the ratings");
    double *with_origin = share + n; /* each player's covariance with it */
    for (int i = 0; i < n; i++)
        members += group[i];
    for (int i = 0; i < n; i++) {
        share[i] = settings->anchor >= 0 ? i == settings->anchor : group[i] ? 1.0 / members : 0;
        origin += share[i] * rating_of(fit, i);
    }
    for (int i = 0; i < n; i++) {
        if (fit->unknown[i] >= 0) with_origin[i] = shared(fit, share, n, fit->unknown[i]);
        total += share[i] * with_origin[i];
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int a = fit->unknown[i], b = fit->unknown[j];
            double c = a >= 0 && b >= 0 ? covariance[a * fit->n + b] : 0;
            table->covariance[i * n + j] =
                group[i] && group[j] ? c - with_origin[i] - with_origin[j] + total : NAN;
        }
        bool rated = group[i] && members > 1;
        double elo = rating_of(fit, i) - origin, variance = table->covariance[i * n + i];
        bool alike = variance < no_variance && fabs(elo) > 1e-9 && !is_given(settings, i);
        table->elo[i] = rated ? elo + settings->elo : NAN;
        if (fabs(table->elo[i]) < 1e-9) table->elo[i] = 0; /* not -0.0 */
        table->elo95[i] = rated && !alike ? z95 * sqrt(fmax(variance, 0)) : NAN;
    }
    if (fit->white >= 0) {
        table->white = fit->x[fit->white];
        table->white95 = z95 * sqrt(fmax(covariance[fit->white * fit->n + fit->white], 0));
    }
    free(share);
    return STATUS_OK;
}

/* Few pairs of a player do not measure the error of its rating, few games not White's. */
static void drop_unmeasured_errors(const Scoreboard *board, const RatingSettings *settings,
                                   RatingTable *table)
{
    for (int i = 0; i < table->players; i++) {
        if (must_end(settings)) return;
        MatchScore score = scoreboard_player(board, i);
        MatchStats stats;
        match_stats(&score, NULL, &stats);
        if (is_given(settings, i) || stats.normal) continue;
        table->elo95[i] = NAN;
        for (int j = 0; j < table->players; j++)
            table->covariance[i * table->players + j] = table->covariance[j * table->players + i] =
                NAN;
    }
    MatchScore score = scoreboard_white(board);
    MatchStats stats;
    match_stats(&score, NULL, &stats);
    if (!stats.normal) table->white95 = NAN;
}

/* Numbers the unknowns: the group without given ratings and `start`, whose rating stays 0 until
 * place(). */
static Status prepare(RatingFit *fit, const bool *group, int start, Error *err)
{
    int players = fit->board->schedule.players;

    fit->unknown = malloc(2 * (size_t)players * sizeof *fit->unknown);
    if (!fit->unknown) return error_set(err, STATUS_FAILED, "out of memory for the ratings");
    fit->shift = fit->unknown + players;
    for (int i = 0; i < players; i++)
        fit->unknown[i] = group[i] && i != start && !is_given(fit->settings, i) ? fit->n++ : -1;
    fit->white = fit->settings->fit_white && has_games(fit->board) ? fit->n++ : -1;
    size_t n = (size_t)fit->n;
    fit->x = calloc(2 * n * (n + 1) + 1, sizeof *fit->x); /* + 1: not of size 0 */
    if (!fit->x) return error_set(err, STATUS_FAILED, "out of memory for the ratings");
    fit->slope = fit->x + n;
    fit->curvature = fit->slope + n;
    fit->covariance = fit->curvature + n * n;
    return STATUS_OK;
}

/* group: the connected players; start: one of them. */
static Status fit_group(const Scoreboard *board, const RatingSettings *settings, const bool *group,
                        int start, RatingTable *table, Error *err)
{
    RatingFit fit = {.board = board, .settings = settings};

    Status status = prepare(&fit, group, start, err);
    if (status == STATUS_OK && fit.white >= 0 &&
        !(holds_white(&fit, start, 1) && holds_white(&fit, start, -1)))
        table->bounded = true;
    fit.extra = table->bounded ? 1 : 0;
    if (status == STATUS_OK && !climb(&fit))
        status = error_set(err, STATUS_FAILED, "the ratings do not converge");
    if (status == STATUS_OK) {
        find_covariance(&fit, table->bounded);
        status = place(&fit, settings, group, table, err);
    }
    if (status == STATUS_OK) drop_unmeasured_errors(board, settings, table);
    if (must_end(settings)) status = error_set(err, STATUS_INTERRUPTED, "interrupted");
    free(fit.unknown);
    free(fit.x);
    return status;
}

/* The players that the fit includes; the others' states are set. Returns the one whose rating is
 * the origin while it is fitted. */
static int choose_group(const Scoreboard *board, const RatingSettings *settings, bool *group,
                        RatingTable *table)
{
    int start = settings->anchor >= 0 ? settings->anchor : most_played(board);

    mark_starts(board, settings, start, group);
    reach(board, settings, true, false, group);
    for (int i = 0; i < table->players; i++)
        if (!group[i] && table->state[i] == RATING_FOUND) table->state[i] = RATING_SEPARATE;
    return start;
}

/* board: of the players that are not left out; loses the pairings of those that will be. */
static Status fit_board(Scoreboard *board, const RatingSettings *settings, RatingTable *table,
                        Error *err)
{
    size_t n = (size_t)table->players;
    bool *group = malloc(2 * n * sizeof *group);

    if (!group) return error_set(err, STATUS_FAILED, "out of memory for the ratings");
    int start = choose_group(board, settings, group, table);
    keep_found(board, table->state);
    table->bounded = !is_finite(board, settings, start, group, group + n);
    Status status = fit_group(board, settings, group, start, table, err);
    free(group);
    return status;
}

Status rating_fit(const Scoreboard *board, const RatingSettings *settings, RatingTable *table,
                  Error *err)
{
    size_t n = (size_t)board->schedule.players, pairings = (size_t)board->pairing_count;
    Scoreboard rest = *board;

    *table = (RatingTable){.players = board->schedule.players,
                           .elo = malloc(n * sizeof *table->elo),
                           .elo95 = malloc(n * sizeof *table->elo95),
                           .state = calloc(n, sizeof *table->state),
                           .covariance = malloc(n * n * sizeof *table->covariance),
                           .order = malloc(n * sizeof *table->order),
                           .white = NAN,
                           .white95 = NAN};
    rest.pairings = malloc((pairings + 1) * sizeof *rest.pairings);
    Status status = STATUS_OK;
    if (!table->elo || !table->elo95 || !table->state || !table->covariance || !table->order ||
        !rest.pairings) {
        status = error_set(err, STATUS_FAILED, "out of memory for the ratings");
    } else {
        memcpy(rest.pairings, board->pairings, pairings * sizeof *rest.pairings);
        if (settings->skip_perfect) leave_out_perfect(&rest, settings, table->state);
        status = fit_board(&rest, settings, table, err);
    }
    if (status == STATUS_OK) rating_order(table);
    free(rest.pairings);
    return status;
}

void rating_free(RatingTable *table)
{
    free(table->elo);
    free(table->elo95);
    free(table->state);
    free(table->covariance);
    free(table->order);
    *table = (RatingTable){0};
}

static double variance_between(const RatingTable *table, int a, int b)
{
    const double *c = table->covariance;
    size_t n = (size_t)table->players, i = (size_t)a, j = (size_t)b;

    return c[i * n + i] + c[j * n + j] - 2 * c[i * n + j];
}

double rating_error(const RatingTable *table, int a, int b)
{
    double variance = variance_between(table, a, b);

    return variance < 0 ? 0 : z95 * sqrt(variance); /* below 0 by rounding alone */
}

double rating_los(const RatingTable *table, int a, int b)
{
    double difference = table->elo[a] - table->elo[b], variance = variance_between(table, a, b);

    if (isnan(difference) || isnan(variance)) return NAN;
    if (variance > no_variance) return 0.5 * erfc(-difference / sqrt(2 * variance));
    return difference > 1e-9 ? 1 : difference < -1e-9 ? 0 : NAN;
}

void rating_order(RatingTable *table)
{
    int *order = table->order;

    for (int i = 0; i < table->players; i++) {
        int at = i;
        double elo = isnan(table->elo[i]) ? -INFINITY : table->elo[i];
        for (; at > 0; at--) {
            double above = table->elo[order[at - 1]];
            if (!(isnan(above) ? elo > -INFINITY : above < elo - 1e-9)) break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}
