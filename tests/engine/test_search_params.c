/* SPDX-License-Identifier: MIT
 * The search's tunable constants: names, bounds, and their effect on the search. */
#include <check.h>
#include <stdio.h>

#include "engine/eval/evaluation_load.h"
#include "engine/notation/fen.h"
#include "engine/search/search.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"

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
    ck_assert(search_param_find("lmr_base") && !search_param_find("lmr"));
}
END_TEST

/* Constants belong to an instance: changing them changes the search, restoring them restores it. */
START_TEST(test_instances_have_their_own)
{
    Evaluation weights;
    SearchParams params;
    SearchLimits limits = {.depth = 9};
    SearchResult first, changed, again;
    Position pos;

    ck_assert_int_eq(evaluation_builtin(&weights, &(Error){0}), STATUS_OK);
    position_set_start(&pos);
    Search *search = search_create(&weights, 1 << 20, &(Error){0}), *other;
    other = search_create(&weights, 1 << 20, &(Error){0});
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

/* Complex positions, tried in turn. */
static const char *const lively[] = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2ppbp/2np1np1/8/2BNP3/2N1BP2/PPPQ2PP/R3K2R b KQ - 3 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
};
enum { LIVELY = sizeof lively / sizeof lively[0] };

static uint64_t nodes_of(Search *search, const SearchParams *params, const char *fen)
{
    SearchLimits limits = {.depth = SANITIZED ? 6 : 11};
    SearchResult result;
    Position pos;

    pos = board_from_fen(fen);
    search_new_game(search);
    search_set_params(search, params);
    search_run(search, &pos, NULL, &limits, &result);
    return result.nodes;
}

/* At one of its bounds every constant changes the tree. */
START_TEST(test_every_constant_is_felt)
{
    const SearchParamInfo *info = &search_param_info[_i];
    const int bounds[] = {info->least, info->most};
    Evaluation weights;
    SearchParams usual;
    bool felt = false;

    ck_assert_int_eq(evaluation_builtin(&weights, &(Error){0}), STATUS_OK);
    search_params_defaults(&usual);
    Search *search = search_create(&weights, 1 << 20, &(Error){0});
    ck_assert(search);
    for (int i = 0; i < 2 * LIVELY && !felt; i++) {
        SearchParams params = usual;
        char value[16];
        Error err = {0};
        (void)snprintf(value, sizeof value, "%d", bounds[i % 2]);
        ck_assert_int_eq(search_params_set(&params, info->name, value, &err), STATUS_OK);
        const char *fen = lively[i / 2];
        felt = nodes_of(search, &params, fen) != nodes_of(search, &usual, fen);
    }
    ck_assert_msg(SANITIZED || felt, "%s", info->name);
    search_destroy(search);
}
END_TEST

static int constants(void)
{
    int count = 0;

    while (search_param_info[count].name)
        count++;
    return count;
}

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_defaults_lie_in_their_bounds, test_set_by_name,
              test_instances_have_their_own);
    tcase_add_loop_test(c, test_every_constant_is_felt, 0, constants());
    return support_run(c);
}
