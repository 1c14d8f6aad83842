/* SPDX-License-Identifier: MIT
 * How much time a move may use. */
#ifndef TABIA_ENGINE_SEARCH_TIME_MANAGEMENT_H
#define TABIA_ENGINE_SEARCH_TIME_MANAGEMENT_H

#include "engine/search/search.h"

typedef struct TimeBudget {
    bool limited;    /* by any time limit */
    bool adjustable; /* soft_ms may change: a game clock, not `movetime` */
    int64_t soft_ms; /* start no iteration after this; 0: stop after the first one */
    int64_t hard_ms; /* stop inside an iteration after this */
} TimeBudget;

/* Time lost to a busy machine or between engine and clock, measured from move to move. All zero at
 * first. */
typedef struct TimeLag {
    int64_t us;                  /* the longest delay, with slow decay */
    int64_t expected_ms[COLORS]; /* on that side's clock at its next search; 0: unknown */
} TimeLag;

/* `overhead_ms` is lost on every move between engine and clock. A longer `lag_ms` (TimeLag)
 * enlarges the reserve that is not used. */
TimeBudget time_management_budget(const SearchLimits *limits, Color stm, int64_t overhead_ms,
                                  int64_t lag_ms);

/* Before a search: measures what the clock has lost since the previous search. */
void time_management_lag_before(TimeLag *lag, const SearchLimits *limits, Color stm);

/* After it: `used_ms` of our clock (-1: none, it was not our turn) and the longest gap between two
 * readings of the clock. */
void time_management_lag_after(TimeLag *lag, const SearchLimits *limits, Color stm, int64_t used_ms,
                               int64_t longest_gap_ms);

/* Resets the clocks, not the lag of the machine. */
void time_management_lag_new_game(TimeLag *lag);

/* The soft limit, ms, adjusted by `stable` (iterations with the same best move), `drop_cp` (by
 * which the score fell since the last iteration) and `best_share` (per mille of nodes spent on the
 * best move). */
int64_t time_management_soft_ms(const TimeBudget *budget, int stable, int drop_cp, int best_share);

#endif
