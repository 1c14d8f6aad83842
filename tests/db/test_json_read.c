/* SPDX-License-Identifier: MIT
 * Reading JSON: types, escapes, damaged texts; the difference of two configurations. */
#include <math.h>
#include <string.h>

#include "db/store/json_read.h"
#include "selfplay/run/run_config.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"

static Error err;

static Status read_one(Store *store, const char *object, const char *path, FieldKind kind,
                       void *out, size_t size)
{
    const Field fields[] = {{path, kind, .size = size}, {0}};
    return json_read(store, object, fields, out, false, &err);
}

START_TEST(fields_of_every_type)
{
    static const char object[] =
        "{\"nest\": {\"n\": 1, \"s\": \"}\\\"\"}, \"n\": -42, \"x\": 0.10123456789012345, "
        "\"big\": 9223372036854775807, \"list\": [1, 2, 3], \"text\": \"a \\\"b\\\" \\\\\\n\", "
        "\"yes\": true, \"no\": false, \"none\": null}\n";
    Store *store = support_open("any.db", STORE_CREATE);
    int64_t n = 0;
    double x = 0;
    bool b = false;
    char text[16] = "", cut[4];

    MUST(read_one(store, object, "n", FIELD_INT64, &n, 0));
    ck_assert_int_eq(n, -42);
    MUST(read_one(store, object, "big", FIELD_INT64, &n, 0));
    ck_assert_int_eq(n, INT64_MAX);
    MUST(read_one(store, object, "list[2]", FIELD_INT64, &n, 0));
    ck_assert_int_eq(n, 3);
    MUST(read_one(store, object, "x", FIELD_DOUBLE, &x, 0));
    ck_assert(x == 0.10123456789012345); /* to the last bit */
    MUST(read_one(store, object, "n", FIELD_DOUBLE, &x, 0));
    ck_assert(x == -42);
    MUST(read_one(store, object, "none", FIELD_DOUBLE, &x, 0));
    ck_assert(isnan(x));
    MUST(read_one(store, object, "yes", FIELD_BOOL, &b, 0));
    ck_assert(b);
    MUST(read_one(store, object, "no", FIELD_BOOL, &b, 0));
    ck_assert(!b);
    MUST(read_one(store, object, "text", FIELD_ARRAY, text, sizeof text));
    ck_assert_str_eq(text, "a \"b\" \\\n");
    MUST(read_one(store, object, "text", FIELD_ARRAY, cut, sizeof cut));
    ck_assert_str_eq(cut, "a \"");

    static const struct {
        const char *path;
        FieldKind kind;
    } others[] = {{"s", FIELD_INT64},      {"none", FIELD_INT64}, {"x", FIELD_INT64},
                  {"absent", FIELD_INT64}, {"list", FIELD_INT64}, {"list[3]", FIELD_INT64},
                  {"n", FIELD_ARRAY},      {"none", FIELD_ARRAY}, {"nest", FIELD_ARRAY},
                  {"text", FIELD_DOUBLE},  {"yes", FIELD_DOUBLE}, {"n", FIELD_BOOL}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(read_one(store, object, others[i].path, others[i].kind, text, sizeof text) ==
                          STATUS_BAD_INPUT,
                      "%s", others[i].path);
    ck_assert_str_eq(err.text, "field n is missing or of another type");
    const Field optional[] = {{"none", FIELD_INT64}, {0}};
    MUST(json_read(store, object, optional, &n, true, &err));
    ck_assert_int_eq(n, 3); /* unchanged */
    store_close(store);
}
END_TEST

static const char *const damaged[] = {"",        "{",          "{\"n\"", "{\"a\": \"b",
                                      "x",       "{\"n\": 1,", "null",   "[{\"n\": 1}]",
                                      "\"x:y\"", "{\"n\": 1}}"};

START_TEST(damaged_objects_are_errors)
{
    Store *store = support_open("any.db", STORE_CREATE);
    SearchLimits limits;
    char text[64];
    int64_t n;

    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        ck_assert_msg(read_one(store, damaged[i], "n", FIELD_INT64, &n, 0) == STATUS_BAD_INPUT,
                      "%s", damaged[i]);
        ck_assert_ptr_nonnull(strstr(err.text, "not a JSON object"));
        ck_assert_int_eq(json_difference(store, damaged[i], "{}", text, sizeof text, &err),
                         STATUS_BAD_INPUT);
        ck_assert_int_eq(json_difference(store, "{}", damaged[i], text, sizeof text, &err),
                         STATUS_BAD_INPUT);
        ck_assert_int_eq(run_config_read_limits(store, damaged[i], &limits, &err),
                         STATUS_BAD_INPUT);
        ck_assert(!game_is_limited(&limits));
    }
    store_close(store);
}
END_TEST

START_TEST(differences_are_named_in_order)
{
    static const struct {
        const char *then, *now, *text;
    } cases[] = {
        {"{}", "{}", ""},
        {"{\"a\":1,\"b\":[1,2]}", "{\"b\":[1,2],\"a\":1}", ""},
        {"{\"a\":1,\"b\":2,\"c\":3}", "{\"a\":1,\"b\":20,\"c\":30}", "b 20 instead of 2"},
        {"{\"a\":1}", "{\"z\":\"x, y}\",\"a\":2}", "z \"x, y}\" instead of none"},
        {"{\"a\":1,\"b\":1e-05}", "{\"a\":1}", "b none instead of 1e-05"},
        {"{\"l\":[1,{\"x\":2}]}", "{\"l\":[1,{\"x\":3}]}",
         "l [1,{\"x\":3}] instead of [1,{\"x\":2}]"},
        {"{\"a\":null}", "{}", "a none instead of null"},
    };
    Store *store = support_open("any.db", STORE_CREATE);
    char text[64];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MUST(json_difference(store, cases[i].then, cases[i].now, text, sizeof text, &err));
        ck_assert_str_eq(text, cases[i].text);
    }
    store_close(store);
}
END_TEST

START_TEST(limits_of_a_configuration)
{
    Store *store = support_open("any.db", STORE_CREATE);
    SearchLimits limits;

    MUST(run_config_read_limits(
        store, "{\"weights\":\"depth\",\"depth\":7,\"time_ms\":2000,\"session_moves\":40}", &limits,
        &err));
    ck_assert(limits.has_clock);
    ck_assert_int_eq(limits.depth, 7);
    ck_assert_int_eq(limits.time_ms[BLACK], 2000);
    ck_assert_int_eq(limits.moves_to_go, 40);
    MUST(run_config_read_limits(store, "{}", &limits, &err));
    ck_assert(!game_is_limited(&limits));
    static const char *const wrong[] = {"{\"time_ms\":9223372036854775807}",
                                        "{\"time_ms\":1000,\"increment_ms\":1000000000001}",
                                        "{\"movetime_ms\":-1}",
                                        "{\"depth\":4294967297}",
                                        "{\"time_ms\":1000,\"session_moves\":2147483648}",
                                        "{\"nodes_soft\":-5}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_msg(run_config_read_limits(store, wrong[i], &limits, &err) == STATUS_BAD_INPUT,
                      "%s", wrong[i]);
        ck_assert(!game_is_limited(&limits));
    }
    store_close(store);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, support_store_setup, NULL);
    ADD_TESTS(c, fields_of_every_type, damaged_objects_are_errors, differences_are_named_in_order,
              limits_of_a_configuration);
    return support_run(c);
}
