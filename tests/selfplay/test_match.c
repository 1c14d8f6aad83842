/* SPDX-License-Identifier: MIT
 * Match outcomes as text and JSON; the --sprt option. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/match/statistics_text.h"
#include "selfplay/match/stats.h"
#include "tests/support/support.h"

static const char *elo_text(int64_t wins, int64_t draws, int64_t losses)
{
    static char text[ELO_TEXT_MAX];
    MatchScore score = {.wins = wins, .draws = draws, .losses = losses};
    MatchStats stats;

    match_stats(&score, NULL, &stats);
    match_elo_text(&stats, text);
    return text;
}

START_TEST(elo_is_never_nan)
{
    ck_assert_str_eq(elo_text(0, 0, 0), "–");
    ck_assert_str_eq(elo_text(100, 0, 0), "won all; above +570"); /* a share of 0.025^(1/100) */
    ck_assert_str_eq(elo_text(0, 0, 100), "lost all; below -570");
    ck_assert_str_eq(elo_text(2, 0, 0), "won all; above -291"); /* too few games for a decision */
    ck_assert_str_eq(elo_text(0, 0, 2), "lost all; below +291");
    ck_assert_str_eq(elo_text(0, 10, 0), "+0.0 [-111, +111]");
    ck_assert_str_eq(elo_text(4, 5, 1), "+107.5 [-114, +353]");
    ck_assert_ptr_null(strstr(elo_text(1, 0, 0), "nan"));
    ck_assert_str_eq(elo_text(50, 100, 50), "+0.0 ± 34.2");
}
END_TEST

START_TEST(json_has_bounds_for_what_is_unbounded)
{
    char *text = NULL;
    size_t size;
    MatchScore score = {.wins = 4, .ptnml = {0, 0, 0, 0, 2}};
    MatchStats stats;
    JsonWriter w;
    FILE *out = open_memstream(&text, &size);

    ck_assert_ptr_nonnull(out);
    match_stats(&score, NULL, &stats);
    json_begin(&w, out);
    json_object(&w, NULL);
    match_json(&w, &score, &stats);
    json_end_object(&w);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_ptr_nonnull(strstr(
        text, "\"wins\": 4, \"draws\": 0, \"losses\": 0, "
              "\"ptnml\": [0, 0, 0, 0, 2], \"score\": 1, \"draw_ratio\": 0, \"pair_ratio\": null, "
              "\"elo\": null, \"elo95\": null, \"elo_low\": -290.5"));
    ck_assert_ptr_null(strstr(text, "nan"));
    free(text);
}
END_TEST

static void check_refused(const char *text, const char *part)
{
    SprtSettings sprt = {.elo0 = 7};
    Error err = {0};

    ck_assert_int_eq(sprt_parse(&sprt, text, &err), STATUS_USAGE);
    ck_assert_msg(strstr(err.text, part), "%s", err.text);
    ck_assert(!sprt.enabled && sprt.elo0 == 7);
}

START_TEST(sprt_option)
{
    SprtSettings sprt = {0};
    Error err = {0};

    ck_assert_int_eq(sprt_parse(&sprt, "elo0=-1.5,elo1=2", &err), STATUS_OK);
    ck_assert(sprt.enabled && sprt.model == SPRT_NORMALIZED);
    ck_assert_double_eq(sprt.elo0, -1.5);
    ck_assert_double_eq(sprt.elo1, 2);
    ck_assert_double_eq(sprt.alpha, 0.05);
    ck_assert_double_eq(sprt.beta, 0.05);
    ck_assert_int_eq(sprt_parse(&sprt, "model=logistic,elo1=5,elo0=0,alpha=.1,beta=.01", &err),
                     STATUS_OK);
    ck_assert(sprt.model == SPRT_LOGISTIC && sprt.alpha == .1 && sprt.beta == .01);

    check_refused("elo0=0", "are needed");
    check_refused("elo0=5,elo1=5", "elo0 must be below elo1");
    check_refused("elo0=0,elo1=x", "elo1 needs a number, not \"x\"");
    check_refused("elo0=0,elo1=5,model=bayes", "model must be logistic or normalized");
    check_refused("elo0=0,elo1=5,alpha=0", "between 0 and 0.5");
    check_refused("elo0=0,elo2=5", "unknown key \"elo2\"");
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, elo_is_never_nan, json_has_bounds_for_what_is_unbounded, sprt_option);
    return support_run(c);
}
