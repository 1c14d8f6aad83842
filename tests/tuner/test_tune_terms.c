/* SPDX-License-Identifier: MIT
 * Fitting families of terms: splits, and terms that are not fitted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/pcg.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"
#include "tests/support/support_tuner.h"
#include "tuner/data/columns.h"
#include "tuner/data/fingerprint.h"
#include "tuner/data/split.h"
#include "tuner/job/tune.h"

static Error err;

/* ---- Sets of the same games with different terms */

typedef struct Builder {
    Dataset *data;
    const EvalWeights *truth;
    Pcg rng;
    int32_t game;
    int last_ply;
} Builder;

/* An outcome drawn from what the weights predict, each position a game of its own. */
static void add_drawn(const Position *pos, const MoveList *list, void *context)
{
    Builder *b = context;

    (void)list;
    double p = 1 / (1 + exp(-eval_white(pos, b->truth) / 200.0));
    GameResult result = pcg_unit(&b->rng) < p ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
    ck_assert_int_eq(dataset_add(b->data, pos, result, SCORE_UNKNOWN, b->game++, &err), STATUS_OK);
}

static Dataset *drawn_data(EvalFamilies terms, const EvalWeights *truth, int games)
{
    Builder b = {.truth = truth};

    ck_assert_int_eq(dataset_create(COLUMNS, &b.data, &err), STATUS_OK);
    b.data->terms = terms;
    pcg_seed(&b.rng, 9, 9);
    board_walk(10, games, 60, NULL, add_drawn, &b);
    ck_assert_int_eq(dataset_finish(b.data, 1, &err), STATUS_OK);
    return b.data;
}

/* So that the losses of different sets of terms can be compared. */
START_TEST(hold_out_does_not_depend_on_terms)
{
    EvalWeights truth;
    weights_material(&truth);
    Dataset *squares = drawn_data(EVAL_MATERIAL_PST, &truth, 1);
    Dataset *all = drawn_data(EVAL_CLASSICAL_FAMILIES, &truth, 1);
    int64_t games = all->games, copies;
    uint8_t *take[2] = {calloc((size_t)games, 1), calloc((size_t)games, 1)};

    ck_assert_int_eq(squares->games, games);
    ck_assert_int_gt(all->occurrences, squares->occurrences);
    ck_assert_int_eq(split_hold_out(squares, 0.3, 5, take[0], &copies, &err), STATUS_OK);
    ck_assert_int_eq(split_hold_out(all, 0.3, 5, take[1], &copies, &err), STATUS_OK);
    ck_assert_mem_eq(take[0], take[1], (size_t)games);
    free(take[0]);
    free(take[1]);
    dataset_destroy(squares);
    dataset_destroy(all);
}
END_TEST

/* ---- Fits */

static TuneResult fit(const Dataset *data, const EvalWeights *start, EvalFamilies terms)
{
    TuneSettings settings;

    tune_defaults(&settings);
    settings.terms = terms;
    settings.fit.validation = 0;
    settings.start_material = 0;
    settings.fit.k = 2;
    settings.fit.prior = 1;
    return tuner_fit(data, start, &settings);
}

static int differing_terms(const EvalWeights *a, const EvalWeights *b, EvalFamilies families)
{
    int count = 0;

    for (const EvalTermInfo *t = eval_term_info; t->name; t++)
        if (families & eval_family(t->family))
            count += memcmp(a->term[t->first], b->term[t->first],
                            (size_t)t->count * sizeof a->term[0]) != 0;
    return count;
}

START_TEST(only_the_chosen_families_move)
{
    const EvalFamilies tempo = eval_family(EVAL_FAMILY_TEMPO),
                       threats = eval_family(EVAL_FAMILY_THREATS);
    EvalWeights truth, start;

    weights_material(&truth);
    start = truth;
    truth.term[EVAL_TEMPO][MG] = truth.term[EVAL_TEMPO][EG] = 60;
    for (int man = PAWN; man <= QUEEN; man++)
        for (int half = MG; half <= EG; half++)
            truth.term[EVAL_HANGING + man][half] = start.term[EVAL_HANGING + man][half] = 50;
    Dataset *data = drawn_data(EVAL_CLASSICAL_FAMILIES, &truth, 12);

    TuneResult result = fit(data, &start, tempo);
    ck_assert_int_eq(differing_terms(&result.weights, &start, EVAL_CLASSICAL_FAMILIES & ~tempo), 0);
    for (int half = MG; half <= EG; half++)
        ck_assert_int_lt(abs(result.weights.term[EVAL_TEMPO][half] - 60), 25);

    result = fit(data, &start, EVAL_MATERIAL_PST | tempo);
    ck_assert_int_eq(differing_terms(&result.weights, &start, threats), 0);
    ck_assert_int_gt(differing_terms(&result.weights, &start, EVAL_MATERIAL_PST), 0);
    dataset_destroy(data);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, hold_out_does_not_depend_on_terms, only_the_chosen_families_move);
    return support_run(c);
}
