/* SPDX-License-Identifier: MIT
 * Running a side's chess clock. */
#include "engine/search/game_clock.h"

void game_clock_start(GameClock *clock, const SearchLimits *limits, Color c)
{
    *clock = (GameClock){.left_us = (limits->time_ms[c] + limits->increment_ms[c]) * 1000,
                         .increment_us = limits->increment_ms[c] * 1000,
                         .moves_to_go = limits->moves_to_go};
}

/* The period that follows that of the clock: the next one of the limits, or its own again. */
static ClockPeriod next_period(GameClock *clock, const SearchLimits *limits, Color c)
{
    const ClockPeriod first = {limits->moves_to_go, limits->time_ms[c], limits->increment_ms[c]};
    const int next = clock->later;

    if (next < CLOCK_PERIODS - 1 &&
        (limits->later[next].time_ms > 0 || limits->later[next].increment_ms > 0)) {
        clock->later++;
        return limits->later[next];
    }
    return next > 0 ? limits->later[next - 1] : first;
}

void game_clock_charge(GameClock *clock, const SearchLimits *limits, Color c, int64_t used_us)
{
    clock->left_us = clock->left_us > used_us ? clock->left_us - used_us : 0;
    if (clock->moves_to_go > 0 && --clock->moves_to_go == 0) {
        const ClockPeriod period = next_period(clock, limits, c);
        clock->left_us += period.time_ms * 1000;
        clock->increment_us = period.increment_ms * 1000;
        clock->moves_to_go = period.moves;
    }
    clock->left_us += clock->increment_us;
}
