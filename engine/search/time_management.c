/* SPDX-License-Identifier: MIT
 * Dividing the clock among moves. */
#include "engine/search/time_management.h"

enum {
    MOVES_PLANNED = 25, /* moves that the time left must last for, without moves to go */
    MOVES_MAX = 40,
    HARD_PER_CENT = 740,      /* of a move's share: the most that an unfinished iteration gets */
    LAG_FACTOR = 10,          /* lags kept in reserve, since delays have a long tail */
    LAG_MAX_MS = 250,         /* longer delays are process suspension and count as this */
    OTHER_CLOCK_MS = 2000,    /* a clock that fell by more between moves is another game's */
    LAG_MEMORY = 128,         /* moves after which 63 % of a lag has decayed */
    CLOCK_MAX_MS = 1000000000 /* keeps squares within 64 bits */
};

static int64_t at_least(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t within(int64_t a, int64_t least, int64_t most)
{
    return at_least(at_most(a, most), least);
}

/* ---- The budget */

static TimeBudget clock_budget(int64_t left, int64_t increment, int moves_to_go, int64_t reserve)
{
    TimeBudget budget = {true, true, 0, 1};
    int64_t moves = moves_to_go > 0 ? at_most(moves_to_go, MOVES_MAX) : MOVES_PLANNED;

    if (left <= 0) return budget;
    /* A clock far above the reserve is used nearly whole, one at the reserve by half, one below it
     * very little. A low clock thus grows by its increments and survives the next long delay. */
    int64_t kept = 1000 * reserve * reserve / (left * left + reserve * reserve);
    int64_t usable = left * (1000 - kept) / 1000;
    increment = increment * (1000 - kept) / 1000;
    /* At most 60 % (90 %) of what is left: the increment comes after the move. */
    int64_t ceiling = usable * (moves_to_go == 1 ? 9 : 6) / 10;
    budget.hard_ms =
        within(usable / moves * HARD_PER_CENT / 100 + increment, 1, at_least(ceiling, 1));
    budget.soft_ms = at_most(usable / moves + increment * 3 / 4, budget.hard_ms);
    return budget;
}

TimeBudget time_management_budget(const SearchLimits *limits, Color stm, int64_t overhead_ms,
                                  int64_t lag_ms)
{
    const TimeBudget none = {false, false, 0, 0};

    if (limits->infinite) return none;
    if (limits->movetime_ms > 0) {
        int64_t ms = at_least(limits->movetime_ms - overhead_ms, 1);
        return (TimeBudget){true, false, ms, ms};
    }
    if (!limits->has_clock) return none;
    int64_t left = within(limits->time_ms[stm], 0, CLOCK_MAX_MS) - overhead_ms;
    int64_t increment = within(limits->increment_ms[stm], 0, CLOCK_MAX_MS);
    return clock_budget(left, increment, limits->moves_to_go,
                        overhead_ms + LAG_FACTOR * at_most(lag_ms, LAG_MAX_MS));
}

int64_t time_management_soft_ms(const TimeBudget *budget, int stable, int drop_cp, int best_share)
{
    if (!budget->adjustable) return budget->soft_ms;
    /* Factors in per cent: less time for a stable best move, more for a falling score. */
    int64_t stability = 130 - 8 * at_most(stable, 8);
    int64_t falling = 100 + within(drop_cp, 0, 60);
    int64_t share = 150 - best_share / 12;
    int64_t soft = budget->soft_ms * stability / 100 * falling / 100 * share / 100;
    return at_most(soft, budget->hard_ms);
}

/* ---- Lag */

static void note_wait(TimeLag *lag, int64_t ms)
{
    lag->us = at_least(lag->us, within(ms, 0, LAG_MAX_MS) * 1000);
}

void time_management_lag_before(TimeLag *lag, const SearchLimits *limits, Color stm)
{
    lag->us -= lag->us / LAG_MEMORY;
    int64_t lost = lag->expected_ms[stm] - limits->time_ms[stm];
    if (limits->has_clock && lag->expected_ms[stm] > 0 && lost < OTHER_CLOCK_MS)
        note_wait(lag, lost);
    lag->expected_ms[stm] = 0; /* unknown after a search without a clock */
}

void time_management_lag_after(TimeLag *lag, const SearchLimits *limits, Color stm, int64_t used_ms,
                               int64_t longest_gap_ms)
{
    note_wait(lag, longest_gap_ms);
    lag->expected_ms[stm] = limits->has_clock && used_ms >= 0
                                ? limits->time_ms[stm] + limits->increment_ms[stm] - used_ms
                                : 0;
}

void time_management_lag_new_game(TimeLag *lag)
{
    lag->expected_ms[WHITE] = lag->expected_ms[BLACK] = 0;
}
