/* SPDX-License-Identifier: MIT
 * Weights headers: round trips, refusals, saving. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/pcg.h"
#include "engine/eval/evaluation_load.h"
#include "engine/eval/evaluation_write.h"
#include "tests/support/support.h"

static char *print_to_string(const Evaluation *w, const char *comment)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(f);
    evaluation_print(f, w, comment);
    ck_assert_int_eq(fclose(f), 0);
    return text;
}

static void random_weights(Evaluation *w, uint64_t seed)
{
    Pcg rng;
    pcg_seed(&rng, seed, 1);
    evaluation_zero(w);
    for (int i = 0; i < EVAL_TERMS; i++)
        for (int p = MG; p < PHASES; p++)
            w->weights.term[i][p] = (int16_t)((int)pcg_below(&rng, 20001) - 10000);
}

START_TEST(round_trip_is_identical)
{
    static const char *const comments[] = {NULL, "one line", "two\nlines",
                                           "a gap\n\nbelow, a star\n* and an end */ inside"};
    for (size_t c = 0; c < sizeof comments / sizeof comments[0]; c++) {
        Evaluation w, back;
        WeightsInfo info;
        Error err = {0};
        random_weights(&w, c);
        char *text = print_to_string(&w, comments[c]);
        ck_assert_msg(evaluation_parse(text, strlen(text), "dir/x.h", &back, &info, &err) ==
                          STATUS_OK,
                      "%s", err.text);
        ck_assert(evaluation_equal(&w, &back));
        ck_assert_str_eq(info.label, "x.h");
        char *again = print_to_string(&back, info.comment);
        ck_assert(strcmp(text, again) == 0);
        free(text);
        free(again);
    }
}
END_TEST

/* The compiler and the loader read the same file. */
START_TEST(builtin_equals_its_header)
{
    const char *root = getenv("TABIA_SOURCE");
    if (!root) return;
    char path[1024];
    Evaluation compiled, loaded;
    WeightsInfo info;
    Error err = {0};
    (void)snprintf(path, sizeof path, "%s/engine/eval_weights.h", root);
    ck_assert_int_eq(evaluation_builtin(&compiled, &err), STATUS_OK);
    ck_assert_msg(evaluation_load(path, &loaded, &info, &err) == STATUS_OK, "%s", err.text);
    ck_assert(evaluation_equal(&compiled, &loaded));
    ck_assert_ptr_nonnull(strstr(info.comment, "--from zero"));
}
END_TEST

START_TEST(any_order_and_absent_terms)
{
    static const char text[] =
        "// free text\nEVAL_TERM(KING_PST, 64)\n"
        "S(1,2)S(-1,-2)" /* 2 and 62 more */
        "S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)"
        "S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)"
        "S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)"
        "S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)S(0,0)"
        "S(0,0)S(7,8)\n/* inside */EVAL_TERM ( MATERIAL , 5 ) S ( 9 , 8 )S(0,0)S(0,0)S(0,0)S(0,0)";
    Evaluation w;
    Error err = {0};
    ck_assert_msg(evaluation_parse(text, strlen(text), "t", &w, NULL, &err) == STATUS_OK, "%s",
                  err.text);
    ck_assert_int_eq(w.weights.term[EVAL_KING_PST][MG], 1);
    ck_assert_int_eq(w.weights.term[EVAL_KING_PST + 1][EG], -2);
    ck_assert_int_eq(w.weights.term[EVAL_KING_PST + 63][EG], 8);
    ck_assert_int_eq(w.weights.term[EVAL_MATERIAL][MG], 9);
    ck_assert_int_eq(w.weights.term[EVAL_PAWN_PST + 20][MG], 0);
}
END_TEST

START_TEST(malformed_headers_are_refused)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", "bad.h:1: no EVAL_TERM"},
        {"/* only a comment */\n", "bad.h:2: no EVAL_TERM"},
        {"\n/* never\nends", "bad.h:3: the comment does not end"},
        {"EVAL_TERM(WIZARD, 5)", "bad.h:1: unknown term 'WIZARD'"},
        {"EVAL_TERM(MATERIAL, 6)", "bad.h:1: term MATERIAL has 5 values, not 6"},
        {"EVAL_TERM(MATERIAL, 5)\nS(1,1) S(1,1)\n", "bad.h:3: term MATERIAL has 2 of its 5 values"},
        {"EVAL_TERM(MATERIAL, 5) S(1,1)\n\nEVAL_TERM(KING_PST, 64)",
         "bad.h:3: term MATERIAL has 1"},
        {"EVAL_TERM(MATERIAL, 5) S(1,1)S(1,1)S(1,1)S(1,1)S(1,1)S(1,1)", "more than its 5 values"},
        {"EVAL_TERM(MATERIAL, 5) S(1,1)S(1,1)S(1,1)S(1,1)S(1,1)\nEVAL_TERM(MATERIAL, 5)",
         "bad.h:2: term MATERIAL is given twice"},
        {"S(1, 1)", "bad.h:1: values before the first EVAL_TERM"},
        {"EVAL_TERM(MATERIAL, 5)\nS(x, 1)", "bad.h:2: expected a number"},
        {"EVAL_TERM(MATERIAL, 5)\nS(010, 1)", "bad.h:2: expected a decimal number"},
        {"EVAL_TERM(MATERIAL, 5)\nS(0x1, 1)", "bad.h:2: expected a decimal number"},
        {"EVAL_TERM(MATERIAL, 5)\nS(1.5, 1)", "bad.h:2: expected ',', found '.'"},
        {"EVAL_TERM(MATERIAL, 5)\nS(10001, 1)", "bad.h:2: value outside -10000 to 10000"},
        {"EVAL_TERM(MATERIAL, 5)\nS(99999999999999999999, 1)", "bad.h:2: value outside"},
        {"EVAL_TERM(MATERIAL, 5)\nS(1 1)", "bad.h:2: expected ',', found '1'"},
        {"EVAL_TERM(MATERIAL, 5)\nS(1,", "bad.h:2: expected a number"},
        {"EVAL_TERM(MATERIAL, 5)\nS(1,1", "expected ')', found the end of the file"},
        {"EVAL_TERM[MATERIAL]", "bad.h:1: expected '(', found '['"},
        {"#define X 1\n", "bad.h:1: expected EVAL_TERM or S, found '#'"},
        {"int x;", "bad.h:1: expected EVAL_TERM or S, found 'int'"},
        {"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", "bad.h:1: a name is too long"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Evaluation w, before;
        Error err = {0};
        random_weights(&w, i);
        before = w;
        ck_assert_int_eq(
            evaluation_parse(cases[i].text, strlen(cases[i].text), "bad.h", &w, NULL, &err),
            STATUS_BAD_INPUT);
        ck_assert_int_eq(err.status, STATUS_BAD_INPUT);
        ck_assert_msg(strstr(err.text, cases[i].expected) != NULL, "case %zu: '%s'", i, err.text);
        ck_assert(evaluation_equal(&w, &before));
    }
}
END_TEST

START_TEST(named_sets)
{
    Evaluation w, zero;
    WeightsInfo info;
    evaluation_zero(&zero);
    ck_assert_int_eq(evaluation_load("zero", &w, &info, &(Error){0}), STATUS_OK);
    ck_assert(evaluation_equal(&w, &zero));
    ck_assert_str_eq(info.label, "zero");
    ck_assert_int_eq(evaluation_load("material", &w, NULL, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(w.weights.term[EVAL_MATERIAL + QUEEN][EG], 900);
    ck_assert_int_eq(w.weights.term[EVAL_KING_PST][MG], 0);
    ck_assert_int_eq(evaluation_load("builtin", &w, NULL, &(Error){0}), STATUS_OK);
    Error err = {0};
    ck_assert_int_eq(evaluation_load("/no/such/file.h", &w, NULL, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "/no/such/file.h"));
    ck_assert_int_eq(evaluation_load("/", &w, NULL, &err), STATUS_BAD_INPUT);
}
END_TEST

START_TEST(saving_is_atomic)
{
    char path[1024];
    Evaluation w, back;
    Error err = {0};
    const char *dir = support_temp_dir();
    (void)snprintf(path, sizeof path, "%s/w.h", dir);
    random_weights(&w, 7);
    ck_assert_int_eq(evaluation_save(path, &w, "first", &err), STATUS_OK);
    ck_assert_int_eq(evaluation_load(path, &back, NULL, &err), STATUS_OK);
    ck_assert(evaluation_equal(&w, &back));

    /* Saving to a place that cannot be written is an error, and leaves no file. */
    char blocked[1100];
    (void)snprintf(blocked, sizeof blocked, "%s/none/w.h", dir);
    ck_assert_int_eq(evaluation_save(blocked, &w, "x", &err), STATUS_FAILED);
    ck_assert_ptr_nonnull(strstr(err.text, blocked));
    /* A directory in the way: rename fails, the temporary file goes. */
    (void)snprintf(blocked, sizeof blocked, "%s/d", dir);
    ck_assert_int_eq(mkdir(blocked, 0700), 0);
    ck_assert_int_eq(evaluation_save(blocked, &w, "x", &err), STATUS_FAILED);
    ck_assert_int_eq(rmdir(blocked), 0);
    char command[1200];
    (void)snprintf(command, sizeof command, "test \"$(ls %s)\" = w.h", dir);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* A device is written to directly and not replaced. */
START_TEST(a_pipe_is_written_to_not_replaced)
{
    char path[1024], text[64] = "";
    struct stat info;
    Evaluation w;
    Error err = {0};

    (void)snprintf(path, sizeof path, "%s/pipe", support_temp_dir());
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDWR | O_NONBLOCK);
    ck_assert_int_ge(reader, 0);
    evaluation_zero(&w);
    ck_assert_int_eq(evaluation_save(path, &w, "through a pipe", &err), STATUS_OK);
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert(S_ISFIFO(info.st_mode));
    ck_assert_int_gt(read(reader, text, sizeof text - 1), 0);
    ck_assert_ptr_nonnull(strstr(text, "through a pipe"));
    ck_assert_int_eq(close(reader), 0);
}
END_TEST

START_TEST(canonical_text_identifies)
{
    Evaluation a, b;
    evaluation_material(&a);
    b = a;
    char *ta = evaluation_text(&a, NULL), *tb = evaluation_text(&b, NULL);
    ck_assert(strcmp(ta, tb) == 0);
    free(tb);
    b.weights.term[EVAL_QUEEN_PST + 63][EG]++;
    tb = evaluation_text(&b, NULL);
    ck_assert(strcmp(ta, tb) != 0);
    free(ta);
    free(tb);
}
END_TEST

START_TEST(term_list_is_contiguous)
{
    int next = 0;
    for (const EvalTermInfo *t = eval_term_info; t->name; t++) {
        ck_assert_int_eq(t->first, next);
        next += t->count;
    }
    ck_assert_int_eq(next, EVAL_TERMS);
}
END_TEST

/* A header of before the classical terms, or without them, loads; and what has none is printed, and
 * therefore hashed, as it always was. */
START_TEST(classical_terms_come_and_go)
{
    static const char old[] = "EVAL_TERM(MATERIAL, 5)\nS(1,2)S(1,2)S(1,2)S(1,2)S(1,2)\n";
    Evaluation w;
    Error err = {0};

    ck_assert_int_eq(evaluation_parse(old, strlen(old), "old.h", &w, NULL, &err), STATUS_OK);
    ck_assert_uint_eq(weights_families(&w.weights), EVAL_MATERIAL_PST);
    char *text = print_to_string(&w, NULL);
    ck_assert_ptr_nonnull(strstr(text, "EVAL_TERM(KING_PST, 64)"));
    ck_assert_ptr_null(strstr(text, "MOBILITY"));
    free(text);

    w.weights.term[EVAL_BISHOP_MOBILITY + 3][EG] = 7;
    ck_assert_uint_eq(weights_families(&w.weights),
                      EVAL_MATERIAL_PST | eval_family(EVAL_FAMILY_MOBILITY));
    text = print_to_string(&w, NULL);
    ck_assert_ptr_nonnull(strstr(text, "EVAL_TERM(KNIGHT_MOBILITY, 9)"));
    ck_assert_ptr_null(strstr(text, "TEMPO"));
    free(text);
}
END_TEST

/* The weights of configs/weights/classical.h have every family. */
START_TEST(classical_reference_loads)
{
    const char *root = getenv("TABIA_SOURCE");
    if (!root) return;
    char path[1024];
    Evaluation w;
    Error err = {0};
    (void)snprintf(path, sizeof path, "%s/configs/weights/classical.h", root);
    ck_assert_msg(evaluation_load(path, &w, NULL, &err) == STATUS_OK, "%s", err.text);
    ck_assert_uint_eq(weights_families(&w.weights), EVAL_CLASSICAL_FAMILIES);
}
END_TEST

START_TEST(families_by_name)
{
    static const char *const sets[] = {
        "material-pst", "classical",     "material-pst,passed",   "material-pst,mobility,tempo",
        "squares",      "squares,tempo", "classical,king-squares"};
    EvalFamilies families;
    char text[EVAL_FAMILIES_TEXT_MAX];
    Error err = {0};

    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        ck_assert_int_eq(eval_families_parse(sets[i], &families, &err), STATUS_OK);
        eval_families_text(families, text);
        ck_assert_str_eq(text, sets[i]);
    }
    ck_assert_int_eq(eval_families_parse("tempo,mobility", &families, &err), STATUS_OK);
    eval_families_text(families, text);
    ck_assert_str_eq(text, "material-pst,mobility,tempo");
    for (EvalFamilies f = 0; f <= EVAL_ALL_FAMILIES; f++) {
        eval_families_text(f | EVAL_MATERIAL_PST, text);
        ck_assert_int_lt((int)strlen(text), EVAL_FAMILIES_TEXT_MAX - 1);
        ck_assert_int_eq(eval_families_parse(text, &families, &err), STATUS_OK);
        ck_assert_uint_eq(families, f | EVAL_MATERIAL_PST);
    }
    ck_assert_int_eq(eval_families_parse("pawns,wizard", &families, &err), STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "'wizard'"));
    ck_assert_ptr_nonnull(strstr(err.text, "shelter"));
    ck_assert_int_eq(eval_families_parse("", &families, &err), STATUS_USAGE);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, round_trip_is_identical, builtin_equals_its_header, any_order_and_absent_terms,
              malformed_headers_are_refused, named_sets, saving_is_atomic,
              a_pipe_is_written_to_not_replaced, canonical_text_identifies, term_list_is_contiguous,
              classical_terms_come_and_go, families_by_name, classical_reference_loads);
    return support_run(c);
}
