/* SPDX-License-Identifier: MIT
 * Time management: properties that hold for every clock. */
#include <stdint.h>

#include "engine/search/time_management.h"
#include "tests/support/support.h"

enum { OVERHEAD = 10 };

static TimeBudget budget(int64_t left, int64_t increment, int moves_to_go, int64_t lag)
{
    SearchLimits limits = {.has_clock = true,
                           .time_ms = {left, -1},
                           .increment_ms = {increment, -1},
                           .moves_to_go = moves_to_go};
    return time_management_budget(&limits, WHITE, OVERHEAD, lag);
}

START_TEST(a_budget_lies_within_the_clock)
{
    for (int64_t left = OVERHEAD + 1; left < 1000000; left = left * 3 / 2 + 1)
        for (int64_t increment = 0; increment < 20000; increment = increment * 3 + 10)
            for (int togo = 0; togo < 60; togo = togo * 2 + 1)
                for (int64_t lag = 0; lag < 500; lag = lag * 3 + 5) {
                    TimeBudget b = budget(left, increment, togo, lag);
                    ck_assert(b.limited && b.adjustable);
                    ck_assert(0 <= b.soft_ms && b.soft_ms <= b.hard_ms && b.hard_ms >= 1);
                    ck_assert_int_le(b.hard_ms, left - OVERHEAD);
                    /* Time remains on the clock, except before a new time control. */
                    if (togo != 1 && left > 2 * OVERHEAD)
                        ck_assert_int_le(b.hard_ms, (left - OVERHEAD) * 6 / 10 + 1);
                    int64_t soft =
                        time_management_soft_ms(&b, togo % 12, (int)lag, (int)(left % 1000));
                    ck_assert(0 <= soft && soft <= b.hard_ms);
                }
}
END_TEST

START_TEST(more_time_is_never_used_less)
{
    TimeBudget before = budget(1, 100, 0, 20);

    for (int64_t left = 2; left < 20000; left++) {
        TimeBudget b = budget(left, 100, 0, 20);
        ck_assert_int_ge(b.soft_ms, before.soft_ms);
        ck_assert_int_ge(b.hard_ms, before.hard_ms);
        before = b;
    }
    /* Nor a larger increment, nor fewer moves to the next time control. */
    ck_assert_int_gt(budget(60000, 1000, 0, 0).soft_ms, budget(60000, 0, 0, 0).soft_ms);
    for (int togo = 1; togo < 50; togo++)
        ck_assert_int_ge(budget(60000, 0, togo, 0).soft_ms, budget(60000, 0, togo + 1, 0).soft_ms);
}
END_TEST

START_TEST(no_time_means_at_once)
{
    for (int64_t left = INT32_MIN; left <= OVERHEAD; left = left < -1000 ? left / 2 : left + 1) {
        TimeBudget b = budget(left, 60000, left % 3 == 0 ? 1 : 0, 5);
        ck_assert(b.limited);
        ck_assert_int_eq(b.soft_ms, 0);
        ck_assert_int_eq(b.hard_ms, 1);
        ck_assert_int_eq(time_management_soft_ms(&b, 0, 100, 0), 0);
    }
}
END_TEST

START_TEST(nothing_overflows)
{
    const int64_t day = 86400000;

    for (int i = 0; i < 2; i++) {
        TimeBudget b = budget(i ? INT64_MAX : 1000 * day, i ? INT64_MAX : 1000 * day, i, INT32_MAX);
        ck_assert(0 < b.soft_ms && b.soft_ms <= b.hard_ms);
        ck_assert_int_gt(time_management_soft_ms(&b, 0, INT32_MAX, 0), 0);
    }
    TimeBudget b = budget(INT64_MIN, INT64_MIN, 1000000, 0);
    ck_assert_int_eq(b.hard_ms, 1);
}
END_TEST

/* With lag the budget shrinks, and a low clock uses less than its increment, so that it grows. */
START_TEST(a_busy_machine_keeps_a_reserve)
{
    for (int64_t lag = 0; lag <= 100; lag += 20) {
        TimeBudget b = budget(20 + lag, 10, 0, lag);
        ck_assert_int_lt(time_management_soft_ms(&b, 0, 100, 0), 10);
        ck_assert_int_le(budget(1000, 10, 0, lag + 20).soft_ms, budget(1000, 10, 0, lag).soft_ms);
    }
    /* A lag that makes no difference on a long clock. */
    ck_assert_int_ge(budget(300000, 3000, 0, 100).soft_ms * 100,
                     budget(300000, 3000, 0, 0).soft_ms * 99);
}
END_TEST

START_TEST(lag_is_a_slowly_forgotten_maximum)
{
    const SearchLimits clock = {.has_clock = true, .time_ms = {1000, 1000}};
    TimeLag lag = {0};

    time_management_lag_after(&lag, &clock, WHITE, 10, 64);
    ck_assert_int_eq(lag.us, 64000);
    time_management_lag_before(&lag, &clock, BLACK);
    ck_assert(60000 < lag.us && lag.us < 64000);
    time_management_lag_after(&lag, &clock, BLACK, 10, 1);
    ck_assert(60000 < lag.us && lag.us < 64000);
    time_management_lag_after(&lag, &clock, BLACK, 10, 80);
    ck_assert_int_eq(lag.us, 80000);
    for (int move = 0; move < 1000; move++)
        time_management_lag_before(&lag, &(SearchLimits){.movetime_ms = 5}, WHITE);
    ck_assert_int_lt(lag.us, 1000);
    time_management_lag_after(&lag, &clock, WHITE, 3600000, 3600000); /* suspended for an hour */
    ck_assert_int_le(lag.us, 1000000);
    /* A game with less time, begun without ucinewgame, is no delay. */
    lag = (TimeLag){0};
    time_management_lag_after(&lag, &(SearchLimits){.has_clock = true, .time_ms = {60000, 60000}},
                              WHITE, 10, 0);
    time_management_lag_before(&lag, &clock, WHITE);
    ck_assert_int_eq(lag.us, 0);
}
END_TEST

/* The lag measured when the clock was at `before`, `used` passed, and it then shows `now`. */
static int64_t lost(int64_t before, int64_t used, int64_t now, bool new_game)
{
    SearchLimits clock = {.has_clock = true, .time_ms = {1, before}, .increment_ms = {0, 100}};
    TimeLag lag = {0};

    time_management_lag_after(&lag, &clock, BLACK, used, 0);
    if (new_game) time_management_lag_new_game(&lag);
    clock.time_ms[BLACK] = now;
    time_management_lag_before(&lag, &clock, BLACK);
    return lag.us / 1000;
}

START_TEST(lag_is_read_off_the_clock)
{
    ck_assert_int_eq(lost(5000, 200, 4870, false), 30);
    ck_assert_int_eq(lost(5000, 200, 4900, false), 0);
    ck_assert_int_eq(lost(5000, 200, 9000, false), 0); /* a new session */
    ck_assert_int_eq(lost(5000, 200, 4870, true), 0);
    ck_assert_int_eq(lost(5000, -1, 4870, false), 0);           /* pondered without a ponderhit */
    ck_assert_int_eq(lost(5000, 200, INT64_MAX / 4, false), 0); /* `go` takes no more */
}
END_TEST

START_TEST(lag_is_not_read_over_a_search_without_a_clock)
{
    const SearchLimits before = {.has_clock = true, .time_ms = {5000, 1}};
    const SearchLimits after = {.has_clock = true, .time_ms = {2000, 1}};
    TimeLag lag = {0};

    time_management_lag_after(&lag, &before, WHITE, 100, 0);
    time_management_lag_before(&lag, &(SearchLimits){.depth = 5}, WHITE);
    time_management_lag_before(&lag, &after, WHITE);
    ck_assert_int_eq(lag.us, 0);
}
END_TEST

START_TEST(time_a_move)
{
    for (int64_t ms = 1; ms < 100; ms++) {
        SearchLimits limits = {.movetime_ms = ms, .has_clock = true, .time_ms = {5000, 5000}};
        TimeBudget b = time_management_budget(&limits, BLACK, OVERHEAD, 50);
        int64_t whole = ms > OVERHEAD ? ms - OVERHEAD : 1;
        ck_assert(b.limited && !b.adjustable);
        ck_assert_int_eq(b.hard_ms, whole);
        ck_assert_int_eq(time_management_soft_ms(&b, 8, 0, 1000), whole);
    }
    SearchLimits none = {.depth = 3};
    ck_assert(!time_management_budget(&none, WHITE, OVERHEAD, 50).limited);
}
END_TEST

START_TEST(infinite_knows_no_clock)
{
    SearchLimits limits = {
        .infinite = true, .movetime_ms = 5, .has_clock = true, .time_ms = {5000, 5000}};
    ck_assert(!time_management_budget(&limits, WHITE, OVERHEAD, 50).limited);
    limits.movetime_ms = 0;
    ck_assert(!time_management_budget(&limits, BLACK, OVERHEAD, 50).limited);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, a_budget_lies_within_the_clock, more_time_is_never_used_less,
              no_time_means_at_once, nothing_overflows, a_busy_machine_keeps_a_reserve,
              lag_is_a_slowly_forgotten_maximum, lag_is_read_off_the_clock,
              lag_is_not_read_over_a_search_without_a_clock, time_a_move, infinite_knows_no_clock);
    return support_run(c);
}
