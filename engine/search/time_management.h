/* SPDX-License-Identifier: MIT
 * How much of the clock one move may take. */
#ifndef TABIA_ENGINE_SEARCH_TIME_MANAGEMENT_H
#define TABIA_ENGINE_SEARCH_TIME_MANAGEMENT_H

#include "engine/search/search.h"

typedef struct TimeBudget {
    bool limited;    /* by any clock at all */
    bool adjustable; /* soft_ms may be stretched and shrunk: a game clock, not `movetime` */
    int64_t soft_ms; /* begin no iteration after this; 0: answer after the first one */
    int64_t hard_ms; /* stop at once after this */
} TimeBudget;

/* How long a busy machine, or the way to the clock and back, keeps us waiting: learned from move to
 * move. All zero at first. */
typedef struct TimeLag {
    int64_t us;                  /* to be reckoned with: the longest wait, slowly forgotten */
    int64_t expected_ms[COLORS]; /* what that side's clock should show next; 0: unknown */
} TimeLag;

/* `overhead_ms` is lost on every move between us and the clock. The longer `lag_ms` (TimeLag),
 * the more of the clock is never planned with. */
TimeBudget time_management_budget(const SearchLimits *limits, Color stm, int64_t overhead_ms,
                                  int64_t lag_ms);

/* Before a search: learns from what the clock has lost since the search before. */
void time_management_lag_before(TimeLag *lag, const SearchLimits *limits, Color stm);

/* After it: `used_ms` of our clock (-1: none, it was not our turn), of which the search was once
 * kept waiting for `longest_gap_ms`. */
void time_management_lag_after(TimeLag *lag, const SearchLimits *limits, Color stm, int64_t used_ms,
                               int64_t longest_gap_ms);

/* Other clocks come; the machine is the same. */
void time_management_lag_new_game(TimeLag *lag);

/* The soft limit in view of how the iterations went: `stable` iterations with the same best move,
 * `drop_cp` by which the score fell since the last iteration, and the per mille of the nodes that
 * went into the best move. */
int64_t time_management_soft_ms(const TimeBudget *budget, int stable, int drop_cp, int best_share);

#endif
