/* SPDX-License-Identifier: MIT
 * The progress line: its text, when it is drawn, and nothing with --quiet. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/progress.h"
#include "tests/support/support.h"

START_TEST(durations)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0, "0.0s"},        {12.34, "12.3s"},  {59.96, "1m00s"},
                 {185, "3m05s"},     {3599.6, "1h00m"}, {3720, "1h02m"},
                 {3e8, "83333h20m"}, {INFINITY, "?"},   {NAN, "?"}};
    char text[16];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        progress_duration(cases[i].seconds, text);
        ck_assert_str_eq(text, cases[i].text);
    }
}
END_TEST

/* The output of one drawn line and the end of progress on standard error. */
static char *drawn(int64_t total, bool quiet, bool terminal)
{
    static char path[128];
    Progress p;

    (void)snprintf(path, sizeof path, "%s/stderr", support_temp_dir());
    ck_assert_ptr_nonnull(freopen(path, "w+", stderr));
    progress_start(&p, total, 100000, quiet);
    p.terminal = terminal;
    p.started -= 10000; /* long ago: what this test waits for the processor does not show */
    progress_draw(&p, 300000, "games", "W %d", 7);
    progress_end(&p);
    ck_assert_int_eq(fflush(stderr), 0);
    return support_read_file(path);
}

START_TEST(log_line)
{
    char *text = drawn(400000, false, false);
    ck_assert_str_eq(
        text, "300000/400000  20.0 games/s  ETA 1h23m  W 7\n"); /* 200000 of them in this process */
    free(text);
    text = drawn(0, false, false); /* the total is unknown */
    ck_assert_str_eq(text, "300000  20.0 games/s  W 7\n");
    free(text);
}
END_TEST

START_TEST(terminal_line_is_cleared)
{
    char *text = drawn(400000, false, true);
    ck_assert_str_eq(text, "\r300000/400000  20.0 games/s  ETA 1h23m  W 7\033[K\r\033[K");
    free(text);
}
END_TEST

START_TEST(eta_ends_with_the_time)
{
    Progress p;
    static char path[128];

    (void)snprintf(path, sizeof path, "%s/stderr", support_temp_dir());
    ck_assert_ptr_nonnull(freopen(path, "w+", stderr));
    progress_start(&p, 4000000, 0, false);
    p.terminal = false;
    p.started -= 10000;
    (void)snprintf(p.head, sizeof p.head, "gen 1 · play");
    p.end = p.started + 20020; /* ten thousand seconds from now, and some for this test */
    progress_draw(&p, 100000, "games", "W");
    ck_assert_int_eq(fflush(stderr), 0);
    char *text = support_read_file(path);
    ck_assert_str_eq(text, "gen 1 · play  100000/4000000  10.0 games/s  ETA 2h47m  W\n");
    free(text);
}
END_TEST

START_TEST(quiet_is_silent)
{
    char *text = drawn(400000, true, true);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

START_TEST(due_by_interval)
{
    Progress p;

    progress_start(&p, 10, 0, false);
    p.terminal = false;
    ck_assert(!progress_due(&p));
    p.last -= 11;
    ck_assert(progress_due(&p));
    p.enabled = false;
    ck_assert(!progress_due(&p));
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, durations, log_line, terminal_line_is_cleared, eta_ends_with_the_time,
              quiet_is_silent, due_by_interval);
    return support_run(c);
}
