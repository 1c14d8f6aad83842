/* SPDX-License-Identifier: MIT
 * Dividing the clock among moves. */
#include "engine/timeman.h"

#include "engine/clock.h"

static int64_t at_least(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

TimeBudget timeman_budget(const SearchLimits *limits, Color stm, int64_t overhead_ms)
{
    TimeBudget budget = {false, false, 0, 0};

    if (limits->movetime_ms > 0) {
        budget.limited = true;
        budget.soft_ms = budget.hard_ms = at_least(limits->movetime_ms - overhead_ms, 1);
    } else if (limits->has_clock) {
        int64_t increment = at_least(limits->increment_ms[stm], 0);
        int64_t left = at_least(limits->time_ms[stm] - overhead_ms, 1);
        int64_t moves = limits->moves_to_go > 0 ? at_most(limits->moves_to_go, 40) : 25;

        budget.limited = budget.adjustable = true;
        /* Never more than the larger part of what is left: the increment comes after the move. */
        int64_t ceiling = limits->moves_to_go == 1 ? left * 9 / 10 : left * 6 / 10;
        budget.hard_ms = at_least(at_most(left / moves * 4 + increment, ceiling), 1);
        budget.soft_ms = at_least(at_most(left / moves + increment * 3 / 4, budget.hard_ms), 1);
    }
    return budget;
}

int64_t timeman_soft_ms(const TimeBudget *budget, int stable, int drop_cp, int best_share)
{
    if (!budget->adjustable) return budget->soft_ms;
    /* Factors in per cent: an uncontested move is played sooner, a falling score thought over. */
    int64_t stability = 130 - 8 * at_most(stable, 8);
    int64_t falling = 100 + at_most(at_least(drop_cp, 0), 60);
    int64_t share = 150 - best_share / 12;
    int64_t soft = budget->soft_ms * stability / 100 * falling / 100 * share / 100;
    return at_most(at_least(soft, 1), budget->hard_ms);
}
