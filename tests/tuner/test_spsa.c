/* SPDX-License-Identifier: MIT
 * SPSA: the list of tunables, their values in a player, and that the steps lead to an optimum. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/pcg.h"
#include "engine/eval/evaluation_load.h"
#include "tests/support/support.h"
#include "tuner/spsa/spsa.h"

static Error err;

/* Writes the text into a file. */
static const char *write_list(const char *text)
{
    static char path[512];

    (void)snprintf(path, sizeof path, "%s/values.txt", support_temp_dir());
    support_write_file(path, text);
    err = (Error){0};
    return path;
}

static Status load(const char *text, Tunables *list)
{
    return tunables_load(write_list(text), false, list, &err);
}

static Status load_options(const char *text, Tunables *list)
{
    return tunables_load(write_list(text), true, list, &err);
}

START_TEST(lists_are_read)
{
    Tunables list;

    ck_assert_int_eq(load("# constants\n\nrfp_margin, int, 130, 20, 200, 9.00, 0.002\n"
                          "KING_PST.mg,int,1000,0,3000,100,0.002\r\n"
                          " MATERIAL[1].eg, int, 900, 0, 3000, 100, 0.002\n"
                          "PAWN_PST[8-15].eg, int, 1000, 0, 3000, 100, 0.002",
                          &list),
                     STATUS_OK);
    ck_assert_int_eq(list.count, 4);
    ck_assert_str_eq(list.items[0].constant->name, "rfp_margin");
    ck_assert(list.items[0].value == 130 && list.items[0].least == 20 &&
              list.items[0].most == 200 && list.items[0].width == 9);
    ck_assert_ptr_null(list.items[1].constant);
    ck_assert(list.items[1].first == EVAL_KING_PST && list.items[1].count == 64 &&
              list.items[1].phase == MG);
    ck_assert(list.items[2].first == EVAL_MATERIAL + 1 && list.items[2].count == 1 &&
              list.items[2].phase == EG);
    ck_assert(list.items[3].first == EVAL_PAWN_PST + 8 && list.items[3].count == 8);
    ck_assert(tunables_have_weights(&list));
    tunables_free(&list);
}
END_TEST

START_TEST(names_of_options_have_blanks)
{
    char text[TUNABLE_OPTION_MAX];
    Tunables list;

    ck_assert_int_eq(load_options(" Move Overhead\t, int , 10, 0, 5000, 100, 0.002 \n", &list),
                     STATUS_OK);
    tunables_option(&list.items[0], 11.7, text);
    ck_assert_str_eq(text, "Move Overhead=12");
    tunables_free(&list);
}
END_TEST

START_TEST(bad_lists_are_refused)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "nothing to tune"},
        {"# no\n", "nothing to tune"},
        {"\nrfp_margin, int, 130\n", ":2: expected"},
        {"rfp_margin, int, 130, 20, 200, 9, 0.002, 1\n", ":1: expected"},
        {"no_such, int, 1, 0, 2, 1, 0.002\n", "\"no_such\" is neither"},
        {"KING_PST, int, 1000, 0, 2000, 100, 0.002\n", "is neither"},
        {"KING_PST[64].mg, int, 1000, 0, 2000, 100, 0.002\n", "is neither"},
        {"KING_PST[9-8].mg, int, 1000, 0, 2000, 100, 0.002\n", "is neither"},
        {"KING_PST[1.mg, int, 1000, 0, 2000, 100, 0.002\n", "is neither"},
        {"KING_PST[].mg, int, 1000, 0, 2000, 100, 0.002\n", "is neither"},
        {"KING_PST[1-].mg, int, 1000, 0, 2000, 100, 0.002\n", "is neither"},
        {"KING_PST[0001].mg, int, 1000, 0, 2000, 100, 0.002\n", "is neither"},
        {"KING_PST[1].mgx, int, 1000, 0, 2000, 100, 0.002\n", "is neither"},
        {"rfp_margin, float, 130, 20, 200, 9, 0.002\n", "must be int"},
        {"rfp_margin, int, 1x0, 20, 200, 9, 0.002\n", "\"1x0\" is not a number"},
        {"rfp_margin, int x, 130, 20, 200, 9, 0.002\n", "must be int, not \"int x\""},
        {"rfp_margin, int, 130 9, 20, 200, 9, 0.002\n", "\"130 9\" is not a number"},
        {"rfp_margin x, int, 130, 20, 200, 9, 0.002\n", "\"rfp_margin x\" is neither"},
        {"rfp_margin, int, 10, 20, 200, 9, 0.002\n", "10 is not between 20 and 200"},
        {"rfp_margin, int, 130, 20, 2000, 9, 0.002\n", "rfp_margin goes from 20 to 200"},
        {"KING_PST.mg, int, 1, 0.5, 2, 1, 1\n", "must be whole numbers"},
        {"KING_PST.mg, int, 1, 0, 2147483648, 1, 1\n", "must be whole numbers"},
        {"KING_PST.mg, int, 1, -2147483649, 2, 1, 1\n", "must be whole numbers"},
        {"rfp_margin, int, 130, 20, 200, 0.4, 0.002\n", "c_end must be"},
        {"rfp_margin, int, 130, 20, 200, 9, 0\n", "r_end more than 0"},
        {"rfp_margin, int, 130, 20, 200, 9, 1\nrfp_margin, int, 130, 20, 200, 9, 1\n",
         ":2: rfp_margin is tuned twice"},
        {"KING_PST.mg, int, 1, 0, 2, 1, 1\nKING_PST[5].mg, int, 1, 0, 2, 1, 1\n",
         ":2: KING_PST[5].mg is tuned twice: see KING_PST.mg"},
    };
    Tunables list;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(load(cases[i].text, &list), STATUS_BAD_INPUT);
        ck_assert_msg(strstr(err.text, cases[i].part) != NULL, "%s: %s", cases[i].part, err.text);
        tunables_free(&list);
    }
}
END_TEST

START_TEST(values_reach_the_player)
{
    Tunables list;
    EvalWeights start, weights;
    SearchParams params;
    const double values[] = {99.6, 1500, 250};

    ck_assert_int_eq(load("rfp_margin, int, 130, 20, 200, 9, 0.002\n"
                          "MATERIAL[0-1].mg, int, 1000, 0, 3000, 100, 0.002\n"
                          "KING_PST.eg, int, 1000, 0, 3000, 100, 0.002\n",
                          &list),
                     STATUS_OK);
    ck_assert_int_eq(weights_load("builtin", &start, NULL, &(Error){0}), STATUS_OK);
    weights = start;
    search_params_defaults(&params);
    tunables_apply(&list, values, &params, &weights);
    ck_assert_int_eq(params.rfp_margin, 100);
    for (int i = 0; i < EVAL_TERMS; i++) {
        double mg = start.term[i][MG], eg = start.term[i][EG];
        if (i < EVAL_MATERIAL + 2) mg *= 1.5;
        if (i >= EVAL_KING_PST && i <= EVAL_KING_PST_LAST) eg *= 0.25;
        ck_assert_int_eq(weights.term[i][MG], (int)lrint(mg));
        ck_assert_int_eq(weights.term[i][EG], (int)lrint(eg));
    }
    tunables_free(&list);
}
END_TEST

/* Material by piece, other terms as a whole, both phases; in the form that the reader takes. */
/* Both sides of a step of half a unit differ from each other, whatever the value. */
START_TEST(half_a_unit_is_a_step)
{
    Tunables list;
    SearchParams params;
    EvalWeights weights;
    int made[3];

    ck_assert_int_eq(load("rfp_margin, int, 130, 20, 200, 9, 0.002\n", &list), STATUS_OK);
    ck_assert_int_eq(weights_load("builtin", &weights, NULL, &(Error){0}), STATUS_OK);
    search_params_defaults(&params);
    for (int i = 0; i < 3; i++) {
        tunables_apply(&list, &(double){99.5 + i}, &params, &weights);
        made[i] = params.rfp_margin;
    }
    ck_assert_int_eq(made[1], made[0] + 1);
    ck_assert_int_eq(made[2], made[1] + 1);
    tunables_free(&list);
}
END_TEST

START_TEST(scales_of_weights)
{
    Tunables scales, back;
    EvalWeights weights;
    char path[512];

    ck_assert_int_eq(weights_load("builtin", &weights, NULL, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(tunables_scales(&weights, &scales, &err), STATUS_OK);
    /* The values of pieces, six tables, and eleven by the kings' squares. */
    ck_assert_int_eq(scales.count, 2 * (EVAL_MATERIAL_COUNT + 6 + 11));
    (void)snprintf(path, sizeof path, "%s/scales.txt", support_temp_dir());
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    tunables_print(out, &scales);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_int_eq(tunables_load(path, false, &back, &err), STATUS_OK);
    ck_assert_int_eq(back.count, scales.count);
    for (int i = 0; i < back.count; i++) {
        const Tunable *a = &scales.items[i], *b = &back.items[i];
        ck_assert_str_eq(a->name, b->name);
        ck_assert(a->first == b->first && a->count == b->count && a->phase == b->phase);
        ck_assert(a->phase == i % 2 && a->value == b->value && a->rate == b->rate);
    }
    tunables_free(&scales);
    tunables_free(&back);
    weights.term[EVAL_TEMPO][MG] = 1;
    ck_assert_int_eq(tunables_scales(&weights, &scales, &err), STATUS_OK);
    ck_assert_int_eq(scales.count, 2 * (EVAL_MATERIAL_COUNT + 6 + 11) + 1);
    tunables_free(&scales);
    weights_material(&weights);
    ck_assert_int_eq(tunables_scales(&weights, &scales, &err), STATUS_OK);
    ck_assert_int_eq(scales.count, 2 * EVAL_MATERIAL_COUNT);
    tunables_free(&scales);
    weights_zero(&weights);
    ck_assert_int_eq(tunables_scales(&weights, &scales, &err), STATUS_BAD_INPUT);
    tunables_free(&scales);
}
END_TEST

START_TEST(long_numbers_are_printed_whole)
{
    Tunables list, back;

    ck_assert_int_eq(load_options("A, int, 33554430, 1, 33554431, 1234567, 0.1234567\n"
                                  "B, int, 2147483647, -2147483648, 2147483647, 1, 1\n",
                                  &list),
                     STATUS_OK);
    const char *path = write_list("");
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    tunables_print(out, &list);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_int_eq(tunables_load(path, true, &back, &err), STATUS_OK);
    for (int i = 0; i < 2; i++) {
        const Tunable *a = &list.items[i], *b = &back.items[i];
        ck_assert(a->value == b->value && a->least == b->least && a->most == b->most);
        ck_assert(a->width == b->width && a->rate == b->rate);
    }
    tunables_free(&list);
    tunables_free(&back);
}
END_TEST

/* Games won less games lost by the first of two players, each as far from the optimum as its sum of
 * squares says; 100 games of which the noise of a real match is drawn. */
static int64_t play(const double *plus, const double *minus, const double *best, int count,
                    Pcg *rng)
{
    double loss = 0;
    int64_t result = 0;

    for (int i = 0; i < count; i++)
        loss += (pow(minus[i] - best[i], 2) - pow(plus[i] - best[i], 2)) / 1e6;
    double score = 1 / (1 + exp(-loss));
    for (int i = 0; i < 100; i++)
        result += pcg_unit(rng) < score ? 1 : -1;
    return result;
}

START_TEST(steps_lead_to_the_optimum)
{
    static const double best[] = {800, 1300, 1000, 1200};
    enum { COUNT = sizeof best / sizeof *best };
    SpsaSettings settings = {.seed = 1};
    Tunables list;
    double plus[COUNT], minus[COUNT];
    Pcg rng;

    ck_assert_int_eq(load("MATERIAL.mg, int, 1000, 0, 3000, 100, 0.01\n"
                          "MATERIAL.eg, int, 1000, 0, 3000, 100, 0.01\n"
                          "PAWN_PST.mg, int, 1000, 0, 3000, 100, 0.01\n"
                          "PAWN_PST.eg, int, 1000, 900, 1100, 100, 0.01\n",
                          &list),
                     STATUS_OK);
    pcg_seed(&rng, 5, 5);
    settings_default(spsa_settings, &settings);
    settings.iterations = 500;
    for (int k = 1; k <= settings.iterations; k++) {
        spsa_probe(&settings, &list, k, plus, minus);
        for (int i = 0; i < COUNT; i++) {
            const Tunable *t = &list.items[i];
            double c = 100 * pow(500.0 / k, 0.101);
            ck_assert(fmin(plus[i], minus[i]) >= t->least && fmax(plus[i], minus[i]) <= t->most);
            if (i < 3) ck_assert_double_eq_tol(fabs(plus[i] - minus[i]), 2 * c, 1e-9);
        }
        spsa_step(&settings, &list, k, play(plus, minus, best, COUNT, &rng));
    }
    for (int i = 0; i < 3; i++) /* its standard deviation there is about 30 */
        ck_assert_double_eq_tol(list.items[i].value, best[i], 120);
    ck_assert_double_eq_tol(list.items[3].value, 1100, 60); /* the limit */
    tunables_free(&list);
}
END_TEST

/* The gains at the end are those of the line: c_end, and r_end c_end a won game. */
START_TEST(the_last_step_is_that_of_the_line)
{
    SpsaSettings settings = {.seed = 1};
    Tunables list;
    double plus, minus;

    ck_assert_int_eq(load("rfp_margin, int, 130, 20, 200, 8, 0.5\n", &list), STATUS_OK);
    settings_default(spsa_settings, &settings);
    spsa_probe(&settings, &list, settings.iterations, &plus, &minus);
    ck_assert_double_eq_tol(fabs(plus - 130), 8, 1e-9);
    spsa_step(&settings, &list, settings.iterations, 3);
    ck_assert_double_eq_tol(list.items[0].value - 130, 3 * 0.5 * (plus - 130), 1e-9);
    tunables_free(&list);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, lists_are_read, names_of_options_have_blanks, bad_lists_are_refused,
              values_reach_the_player, half_a_unit_is_a_step, scales_of_weights,
              long_numbers_are_printed_whole, steps_lead_to_the_optimum,
              the_last_step_is_that_of_the_line);
    return support_run(c);
}
