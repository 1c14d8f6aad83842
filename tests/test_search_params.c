/* SPDX-License-Identifier: MIT
 * The search's tunable constants: by name, within bounds, and felt by the search. */
#include <check.h>

#include "engine/search.h"
#include "tests/support.h"

START_TEST(test_defaults_lie_in_their_bounds)
{
    SearchParams params;

    search_params_defaults(&params);
    for (const SearchParamInfo *info = search_param_info; info->name; info++) {
        ck_assert_int_ge(info->value, info->least);
        ck_assert_int_le(info->value, info->most);
        ck_assert_int_eq(search_params_get(&params, info), info->value);
    }
}
END_TEST

START_TEST(test_set_by_name)
{
    SearchParams params, before;
    Error err = {0};

    search_params_defaults(&params);
    ck_assert_int_eq(search_params_set(&params, "rfp_margin", "80", &err), STATUS_OK);
    ck_assert_int_eq(params.rfp_margin, 80);
    before = params;
    ck_assert_int_eq(search_params_set(&params, "rfp_margin", "80x", &err), STATUS_USAGE);
    ck_assert_int_eq(search_params_set(&params, "rfp_margin", "100000", &err), STATUS_USAGE);
    ck_assert_int_eq(search_params_set(&params, "no_such", "1", &err), STATUS_USAGE);
    ck_assert_mem_eq(&params, &before, sizeof params);
    ck_assert(search_params_known("lmr_base") && !search_params_known("lmr"));
}
END_TEST

/* An instance's constants are its own: changed, the search differs; set back, it is as before. */
START_TEST(test_instances_have_their_own)
{
    EvalWeights weights;
    SearchParams params;
    SearchLimits limits = {.depth = 9};
    SearchResult first, changed, again;
    Position pos;

    weights_builtin(&weights);
    position_set_start(&pos);
    Search *search = search_create(&weights, 1 << 20, NULL), *other;
    other = search_create(&weights, 1 << 20, NULL);
    ck_assert(search && other);
    search_run(search, &pos, NULL, &limits, &first);
    search_params_defaults(&params);
    params.lmr_base += 700;
    search_set_params(search, &params);
    search_run(search, &pos, NULL, &limits, &changed);
    search_run(other, &pos, NULL, &limits, &again);
    ck_assert_uint_ne(changed.nodes, first.nodes);
    ck_assert_uint_eq(again.nodes, first.nodes);
    search_destroy(search);
    search_destroy(other);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("search_params");
    TCase *tc = tcase_create("search_params");

    tcase_add_test(tc, test_defaults_lie_in_their_bounds);
    tcase_add_test(tc, test_set_by_name);
    tcase_add_test(tc, test_instances_have_their_own);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return support_run(suite());
}
