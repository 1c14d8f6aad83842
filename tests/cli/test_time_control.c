/* SPDX-License-Identifier: MIT
 * Clocks as text. */
#include "cli/play/time_control.h"
#include "selfplay/formats/pgn_write.h"
#include "tests/support/support.h"

typedef struct Written {
    const char *text;
    int64_t time_ms, increment_ms;
    int moves;
    ClockPeriod later[CLOCK_PERIODS - 1];
} Written;

static const Written clocks[] = {
    {"2+0.02", 2000, 20, 0},
    {"8", 8000, 0, 0},
    {"0.1+0.001", 100, 1, 0},
    {"40/60", 60000, 0, 40},
    {"40/1+0.5", 1000, 500, 40},
    {"1:30+1", 90000, 1000, 0},
    {"40/1:00+0.6", 60000, 600, 40},
    {"2:0", 120000, 0, 0},
    {"0:0.5", 500, 0, 0},
    {"0+0.1", 0, 100, 0},
    {"40/10+0.1:20+0.2", 10000, 100, 40, {{0, 20000, 200}}},
    {"40/7200:20/3600:900+30", 7200000, 0, 40, {{20, 3600000, 0}, {0, 900000, 30000}}},
    {"40/1:30+1:20/0:30:15", 90000, 1000, 40, {{20, 30000, 0}, {0, 15000, 0}}},
};

START_TEST(clocks_are_read)
{
    const Written *w = &clocks[_i];
    SearchLimits limits = {.nodes_soft = 5};
    Error err = {0};

    ck_assert_msg(time_control_set(&limits, w->text, &err) == STATUS_OK, "%s", err.text);
    ck_assert(limits.has_clock && limits.nodes_soft == 0);
    for (int c = WHITE; c < COLORS; c++) {
        ck_assert_int_eq(limits.time_ms[c], w->time_ms);
        ck_assert_int_eq(limits.increment_ms[c], w->increment_ms);
    }
    ck_assert_int_eq(limits.moves_to_go, w->moves);
    for (int i = 0; i < CLOCK_PERIODS - 1; i++) {
        ck_assert_int_eq(limits.later[i].moves, w->later[i].moves);
        ck_assert_int_eq(limits.later[i].time_ms, w->later[i].time_ms);
        ck_assert_int_eq(limits.later[i].increment_ms, w->later[i].increment_ms);
    }
}
END_TEST

static const char *const nonsense[] = {
    "",    "soon",  "0",      "-1",     "1+",    "1+-1", "+1",    "/1",
    "0/1", "-4/1",  "x/1",    "40/",    "1:",    ":30",  "1:-1",  "nan",
    "1e9", "1+1+1", "40/1/1", "2000/1", "1:2:3", "0+0",  "1+1:1", "4/1+1:4/1+1:4/1+1:4/1+1"};

START_TEST(nonsense_is_refused)
{
    SearchLimits limits = {.nodes_soft = 5};
    Error err = {0};

    ck_assert_msg(time_control_set(&limits, nonsense[_i], &err) == STATUS_USAGE, "\"%s\"",
                  nonsense[_i]);
    ck_assert(limits.nodes_soft == 5 && !limits.has_clock);
}
END_TEST

START_TEST(no_clock)
{
    SearchLimits limits = {.nodes_soft = 5};
    Error err = {0};

    ck_assert_int_eq(time_control_set(&limits, "inf", &err), STATUS_OK);
    ck_assert(limits.nodes_soft == 5 && !limits.has_clock);
    ck_assert_int_eq(time_control_set(&limits, "40/2+1", &err), STATUS_OK);
    ck_assert_int_eq(time_control_set(&limits, "inf", &err), STATUS_OK);
    ck_assert(!limits.has_clock && limits.time_ms[WHITE] == 0 && limits.moves_to_go == 0);
}
END_TEST

START_TEST(time_a_move)
{
    SearchLimits limits = {.has_clock = true};
    Error err = {0};

    ck_assert_int_eq(time_control_set_move(&limits, "0.02", &err), STATUS_OK);
    ck_assert_int_eq(limits.movetime_ms, 20);
    ck_assert(!limits.has_clock);
    ck_assert_int_eq(time_control_set_move(&limits, "0", &err), STATUS_USAGE);
    ck_assert_int_eq(time_control_set_move(&limits, "1+1", &err), STATUS_USAGE);
    ck_assert_int_eq(limits.movetime_ms, 20);
}
END_TEST

START_TEST(written_again)
{
    static const char *const texts[] = {"2+0.02",      "8",
                                        "40/60",       "40/1+0.5",
                                        "0.1+0.001",   "40/10+0.1:20+0.2",
                                        "40/13+0:0.5", "40/7200:20/3600:900+30"};
    char text[PGN_TIME_CONTROL_MAX];
    SearchLimits limits;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_int_eq(time_control_set(&limits, texts[i], &(Error){0}), STATUS_OK);
        pgn_time_control(&limits, text);
        ck_assert_str_eq(text, texts[i]);
    }
    ck_assert_int_eq(time_control_set_move(&limits, "0.02", &(Error){0}), STATUS_OK);
    pgn_time_control(&limits, text);
    ck_assert_str_eq(text, "0.02/move");
    pgn_time_control(&(SearchLimits){.nodes_soft = 5}, text);
    ck_assert_str_eq(text, "-");
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, time_a_move, no_clock, written_again);
    tcase_add_loop_test(c, clocks_are_read, 0, sizeof clocks / sizeof *clocks);
    tcase_add_loop_test(c, nonsense_is_refused, 0, sizeof nonsense / sizeof *nonsense);
    return support_run(c);
}
