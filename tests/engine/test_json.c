/* SPDX-License-Identifier: MIT
 * Writing JSON: structure, escapes, numbers, both styles. */
#include <math.h>
#include <stdlib.h>

#include "engine/base/json.h"
#include "tests/support/support.h"

typedef void (*Scene)(JsonWriter *w);

/* Compares the output of `scene` byte for byte. */
static void check_written(Scene scene, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    JsonWriter w;
    FILE *out = open_memstream(&text, &size);

    ck_assert_ptr_nonnull(out);
    json_begin(&w, out);
    json_array(&w, "scene");
    scene(&w);
    json_end_array(&w);
    json_finish(&w);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(text, expected);
    free(text);
}

static void nested(JsonWriter *w)
{
    json_object(w, NULL);
    json_int(w, "a", -1);
    json_array(w, "list");
    json_end_array(w);
    json_array(w, "b");
    json_uint(w, NULL, UINT64_MAX);
    json_object(w, NULL);
    json_bool(w, "yes", true);
    json_end_object(w);
    json_bool(w, NULL, false);
    json_end_array(w);
    json_object(w, "o");
    json_end_object(w);
    json_string(w, "s", NULL);
    json_end_object(w);
}

START_TEST(commas_and_nests)
{
    check_written(
        nested,
        "{\"scene\": [{\"a\": -1, \"list\": [], \"b\": [18446744073709551615, {\"yes\": true}, "
        "false], \"o\": {}, \"s\": null}]}\n");
}
END_TEST

static void strings(JsonWriter *w)
{
    json_array(w, NULL);
    json_string(w, NULL, "quote \" slash / back \\ tab \t line \n bell \a");
    json_string(w, NULL, "\xc3\xa9 \xe2\x80\x93 \xf0\x9f\x98\x80"); /* well-formed UTF-8 stays */
    json_string(w, NULL, "\xff \xc0\x80 \xed\xa0\x80 \xc3");        /* other bytes do not */
    json_string(w, NULL, "\xc2\x9b \xc2\xa0");                      /* C1 controls a terminal */
    json_string(w, NULL, "");
    json_end_array(w);
}

START_TEST(escapes)
{
    check_written(
        strings,
        "{\"scene\": [[\"quote \\\" slash / back \\\\ tab \\t line \\n bell \\u0007\", "
        "\"\xc3\xa9 \xe2\x80\x93 \xf0\x9f\x98\x80\", "
        "\"\\ufffd \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd \\ufffd\", \"\\u009b \xc2\xa0\", \"\"]]}\n");
}
END_TEST

static void numbers(JsonWriter *w)
{
    json_array(w, NULL);
    json_double(w, NULL, 0.1, 17);
    json_double(w, NULL, 0.1, 4);
    json_double(w, NULL, -0.0, 4);
    json_double(w, NULL, 1e300, 4);
    json_double(w, NULL, NAN, 4);
    json_double(w, NULL, INFINITY, 4);
    json_double(w, NULL, -INFINITY, 4);
    json_int(w, NULL, INT64_MIN);
    json_end_array(w);
}

START_TEST(numbers_are_json_numbers)
{
    check_written(numbers, "{\"scene\": [[0.10000000000000001, 0.1, 0, 1e+300, null, null, null, "
                           "-9223372036854775808]]}\n");
}
END_TEST

START_TEST(compact_texts_have_the_bytes_that_runs_are_identified_by)
{
    static const int64_t pairs[] = {1, 0, 3};
    JsonWriter w;
    Error err = {0};
    char *text = NULL;

    json_begin_text(&w, true);
    json_array(&w, "players");
    json_object(&w, NULL);
    json_int(&w, "a", 1);
    json_end_object(&w);
    json_end_array(&w);
    json_ints(&w, "ptnml", pairs, 3);
    json_string(&w, "s", "\"\\ \n \t \x7f \xff \xc3\xa9");
    json_double(&w, "x", 0.1, 10);
    json_double(&w, "negative", -0.0, 10);
    json_double(&w, "nan", NAN, 10);
    ck_assert_int_eq(json_finish_text(&w, &text, &err), STATUS_OK);
    ck_assert_str_eq(text, "{\"players\":[{\"a\":1}],\"ptnml\":[1,0,3],"
                           "\"s\":\"\\\"\\\\ \\u000a \\u0009 \x7f \xff \xc3\xa9\","
                           "\"x\":0.1,\"negative\":-0,\"nan\":null}");
    free(text);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, commas_and_nests, escapes, numbers_are_json_numbers,
              compact_texts_have_the_bytes_that_runs_are_identified_by);
    return support_run(c);
}
