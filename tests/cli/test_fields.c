/* SPDX-License-Identifier: MIT
 * Tables of fields: one description of each figure gives JSON, sentences, lists and tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/output/fields.h"
#include "tests/support/support.h"

typedef struct Figures {
    int threads;
    int64_t games;
    uint64_t seed;
    double share, missing;
    bool equal;
    char name[16];
    const char *note;
} Figures;

static const Field fields[] = {
    {"name", FIELD(Figures, name), .label = "name", .width = -6},
    {"threads", FIELD(Figures, threads)},
    {"games", FIELD(Figures, games), .label = "games", .width = 8},
    {"seed", FIELD(Figures, seed)},
    {"share", FIELD(Figures, share), .digits = 3, .label = "% won", .decimals = 1, .scale = 100,
     .width = 7},
    {"missing", FIELD(Figures, missing), .label = "missing", .width = 8},
    {"equal", FIELD(Figures, equal), .label = "equal", .width = 6},
    {"note", FIELD(Figures, note), .zero = ZERO_LEFT_OUT},
    {0},
};

static const Figures figures = {.threads = 2,
                                .games = 1234567890123,
                                .seed = UINT64_MAX,
                                .share = 2.0 / 3,
                                .missing = NAN,
                                .equal = true,
                                .name = "–longer"};

/* What a function prints; static storage. */
static const char *printed(void (*print)(FILE *, const Field *, const void *), const void *object)
{
    static char text[512];
    FILE *out = fmemopen(text, sizeof text, "w");

    ck_assert_ptr_nonnull(out);
    print(out, fields, object);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

START_TEST(as_json)
{
    Figures f = figures;

    ck_assert_str_eq(printed(fields_json_line, &f),
                     "{\"name\": \"–longer\", \"threads\": 2, \"games\": 1234567890123, "
                     "\"seed\": 18446744073709551615, \"share\": 0.667, \"missing\": null, "
                     "\"equal\": true}\n");
    f.note = "here";
    ck_assert_ptr_nonnull(strstr(printed(fields_json_line, &f), "true, \"note\": \"here\"}"));
}
END_TEST

START_TEST(as_text)
{
    ck_assert_str_eq(printed(fields_sentence, &figures),
                     "–longer name, 1234567890123 games, 66.7 % won, – missing, yes equal");
    ck_assert_str_eq(printed(fields_list, &figures), "name          –longer\n"
                                                     "games   1234567890123\n"
                                                     "% won            66.7\n"
                                                     "missing             –\n"
                                                     "equal             yes\n");
    ck_assert_str_eq(printed(fields_row, &figures), "  –longe1234567890123   66.7       –   yes\n");
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, as_json, as_text);
    return support_run(c);
}
