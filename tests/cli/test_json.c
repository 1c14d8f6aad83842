/* SPDX-License-Identifier: MIT
 * JSON: structure, escapes and numbers on writing; reading back. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "cli/output/json.h"
#include "tests/support/support.h"

typedef void (*Scene)(JsonWriter *w);

/* What `scene` writes, byte for byte. */
static void check_written(Scene scene, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    JsonWriter w;
    FILE *out = open_memstream(&text, &size);

    ck_assert_ptr_nonnull(out);
    json_begin(&w, out);
    scene(&w);
    json_finish(&w);
    ck_assert_int_eq(w.depth, 0);
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
    check_written(nested,
                  "{\"a\": -1, \"list\": [], \"b\": [18446744073709551615, {\"yes\": true}, "
                  "false], \"o\": {}, \"s\": null}\n");
}
END_TEST

static void strings(JsonWriter *w)
{
    json_array(w, NULL);
    json_string(w, NULL, "quote \" slash / back \\ tab \t line \n bell \a");
    json_string(w, NULL, "\xc3\xa9 \xe2\x80\x93 \xf0\x9f\x98\x80"); /* well-formed UTF-8 stays */
    json_string(w, NULL, "\xff \xc0\x80 \xed\xa0\x80 \xc3");        /* what is not, does not */
    json_string(w, NULL, "");
    json_end_array(w);
}

START_TEST(escapes)
{
    check_written(strings, "[\"quote \\\" slash / back \\\\ tab \\t line \\n bell \\u0007\", "
                           "\"\xc3\xa9 \xe2\x80\x93 \xf0\x9f\x98\x80\", "
                           "\"\\ufffd \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd \\ufffd\", \"\"]\n");
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
    check_written(numbers, "[0.10000000000000001, 0.1, 0, 1e+300, null, null, null, "
                           "-9223372036854775808]\n");
}
END_TEST

START_TEST(reading_back)
{
    static const char object[] =
        "{\"nest\": {\"n\": 1, \"s\": \"}\\\"\"}, \"n\": -42, \"x\": 1.5e-3, \"list\": [1, 2, 3], "
        "\"text\": \"a \\\"b\\\" \\\\\", \"yes\": true, \"no\": false, \"none\": null}\n";
    int64_t n = 0, list[3] = {0};
    double x = 0;
    bool b = false;
    char text[16] = "", cut[4];

    ck_assert(json_get_int(object, "n", &n) && n == -42);
    ck_assert(json_get_double(object, "x", &x) && x == 1.5e-3);
    ck_assert(json_get_double(object, "n", &x) && x == -42);
    ck_assert(json_get_bool(object, "yes", &b) && b);
    ck_assert(json_get_bool(object, "no", &b) && !b);
    ck_assert(json_get_string(object, "text", text, sizeof text));
    ck_assert_str_eq(text, "a \"b\" \\");
    ck_assert(json_get_string(object, "text", cut, sizeof cut));
    ck_assert_str_eq(cut, "a \"");
    ck_assert(json_get_ints(object, "list", list, 3) && list[0] == 1 && list[2] == 3);

    ck_assert(!json_get_ints(object, "list", list, 2) && !json_get_ints(object, "n", list, 1));
    ck_assert(!json_get_int(object, "s", &n) && !json_get_int(object, "none", &n));
    ck_assert(!json_get_int(object, "x", &n) && !json_get_int(object, "absent", &n));
    ck_assert(!json_get_string(object, "n", text, sizeof text));
    ck_assert(!json_get_double("", "n", &x) && !json_get_double("{\"n\"", "n", &x));
    ck_assert(!json_get_double("{\"a\": \"b", "n", &x) && !json_get_double("{}", "n", &x));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("json");
    TCase *t = tcase_create("json");

    tcase_add_test(t, commas_and_nests);
    tcase_add_test(t, escapes);
    tcase_add_test(t, numbers_are_json_numbers);
    tcase_add_test(t, reading_back);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return support_run(suite());
}
