/* SPDX-License-Identifier: MIT
 * The hold-out: whole games, equal games on one side, nothing leaks over the split. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/eval/eval.h"
#include "engine/notation/fen.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"
#include "tests/support/support_tuner.h"
#include "tuner/data/fingerprint.h"
#include "tuner/data/split.h"
#include "tuner/job/tune.h"

static Error err;

START_TEST(hold_out_is_by_game)
{
    Dataset *data = tuner_random_data(3, 40);
    uint8_t *take = malloc((size_t)data->games), *side = calloc((size_t)data->games, 1);
    Batch *batch[2];
    int64_t taken = 0, positions = 0, copies;

    ck_assert(take && side);
    ck_assert_int_eq(split_hold_out(data, 0.25, 5, take, &copies, &err), STATUS_OK);
    for (int which = 0; which < 2; which++) {
        BatchOptions options = tuner_plain_batch;
        options.take = take;
        options.which = (uint8_t)which;
        ck_assert_int_eq(batch_create(data, &options, &batch[which], &err), STATUS_OK);
        for (int64_t i = 0; i < batch[which]->positions; i++)
            side[data->game[batch[which]->index[i]]] |= (uint8_t)(1 << which);
        positions += batch[which]->positions;
    }
    for (int64_t g = 0; g < data->games; g++) {
        ck_assert_int_ne(side[g], 3);
        taken += take[g];
    }
    ck_assert_int_eq(positions, data->positions);
    ck_assert_int_eq(taken, (int64_t)(0.25 * data->games + 0.5));
    ck_assert_int_eq(batch[1]->games, taken);
    for (int which = 0; which < 2; which++)
        batch_destroy(batch[which]);
    free(take);
    free(side);
    dataset_destroy(data);
}
END_TEST

/* A game is on the same side in every set, except for games at the edge. */
START_TEST(hold_out_follows_the_game)
{
    enum { GAMES = 1000 };
    Dataset *a = tuner_random_data(3, 40), *b = tuner_random_data(4, 2);
    uint8_t alone[GAMES], again[GAMES], joined[GAMES + 50];
    int64_t offset = b->games, moved = 0, copies;

    ck_assert_int_le(a->games, GAMES);
    ck_assert_int_le(b->games, 50);
    ck_assert_int_eq(split_hold_out(a, 0.1, 1, alone, &copies, &err), STATUS_OK);
    ck_assert_int_eq(split_hold_out(a, 0.1, 2, again, &copies, &err), STATUS_OK);
    ck_assert_mem_ne(alone, again, (size_t)a->games); /* but the seed matters */
    ck_assert_int_eq(dataset_append(b, a, (int32_t)offset, &err), STATUS_OK);
    ck_assert_int_eq(split_hold_out(b, 0.1, 1, joined, &copies, &err), STATUS_OK);
    for (int64_t g = 0; g < a->games; g++)
        moved += alone[g] != joined[offset + g];
    ck_assert_int_le(moved, a->games / 100);
    ck_assert_int_eq(split_hold_out(a, 0, 1, alone, &copies, &err), STATUS_OK);
    ck_assert_ptr_null(memchr(alone, 1, (size_t)a->games));
    dataset_destroy(a);
    dataset_destroy(b);
}
END_TEST

/* A fit that held games out once holds the same ones out with every later version. */
START_TEST(hold_out_is_frozen)
{
    Dataset *data = tuner_random_data(3, 40);
    uint8_t *take = malloc((size_t)data->games);
    uint64_t hash = 0;
    int64_t copies;

    ck_assert_ptr_nonnull(take);
    ck_assert_int_eq(split_hold_out(data, 0.25, 1, take, &copies, &err), STATUS_OK);
    for (int64_t g = 0; g < data->games; g++)
        hash = mix64(hash + take[g] + 1);
    ck_assert_int_eq(copies, 1);
    ck_assert_msg(hash == 0xbebebd383a7cd7f2, "the hold-out is %#llx", (unsigned long long)hash);
    free(take);
    dataset_destroy(data);
}
END_TEST

/* `games` games of the set and then copies of them, with equal identities if wanted. */
static Dataset *doubled(bool identified, int64_t *games)
{
    Dataset *data = tuner_random_data(3, 40), *copy = tuner_random_data(3, 40);

    *games = data->games;
    ck_assert_int_eq(dataset_append(data, copy, data->games, &err), STATUS_OK);
    for (int32_t g = 0; identified && g < data->games; g++)
        ck_assert_int_eq(dataset_identify_game(data, g, (uint64_t)(g % *games) + 1, &err),
                         STATUS_OK);
    dataset_destroy(copy);
    return data;
}

/* Copies of games change neither the side of a game nor, in number, the sides. */
START_TEST(copies_are_on_the_side_of_the_first)
{
    int64_t games, own, copies;
    Dataset *data = doubled(_i, &games), *once = tuner_random_data(3, 40);
    uint8_t *side = malloc((size_t)data->games), *alone = malloc((size_t)games);

    ck_assert(side && alone);
    ck_assert_int_eq(split_hold_out(once, 0.25, 5, alone, &own, &err), STATUS_OK);
    ck_assert_int_eq(split_hold_out(data, 0.25, 5, side, &copies, &err), STATUS_OK);
    ck_assert_int_eq(copies, games + own);
    ck_assert_mem_eq(side, alone, (size_t)games);
    ck_assert_mem_eq(side + games, alone, (size_t)games);
    ck_assert_int_eq(split_folds(once, 7, 5, alone, &copies, &err), STATUS_OK);
    ck_assert_int_eq(split_folds(data, 7, 5, side, &copies, &err), STATUS_OK);
    ck_assert_int_eq(copies, games + own);
    ck_assert_mem_eq(side, alone, (size_t)games);
    ck_assert_mem_eq(side + games, alone, (size_t)games);
    free(side);
    free(alone);
    dataset_destroy(once);
    dataset_destroy(data);
}
END_TEST

static void add_fen(Dataset *data, const char *fen, int32_t game)
{
    Position pos;

    pos = board_from_fen(fen);
    ck_assert_int_eq(dataset_add(data, &pos, RESULT_DRAW, 0, game, &err), STATUS_OK);
}

enum { RELATED = 7 };

/* Where a game of related() stands in the set of this order. */
static int32_t at(int32_t game, int32_t order)
{
    return (game + order) % RELATED;
}

/* Games 0 and 1 have the same moves, 1 and 2 the same positions; 3 and 4 share one position; 5 and
 * 6 are the same line without a name. */
static Dataset *related(int32_t order)
{
    static const char *const fens[] = {
        "4k3/8/8/8/4R3/8/8/4K3 b - - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
        "4k3/8/8/8/4N3/8/8/4K3 b - - 0 1", "4k3/8/8/8/8/8/8/4K1B1 w - - 0 1",
        "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1"};
    Dataset *data;

    ck_assert_int_eq(dataset_create(COLUMNS, &data, &err), STATUS_OK);
    add_fen(data, fens[0], at(0, order));
    for (int32_t g = 1; g < 3; g++) {
        add_fen(data, fens[0], at(g, order));
        add_fen(data, fens[1], at(g, order));
    }
    for (int32_t g = 3; g < 5; g++)
        add_fen(data, fens[2], at(g, order));
    add_fen(data, fens[3], at(4, order));
    for (int32_t g = 5; g < RELATED; g++) {
        add_fen(data, fens[4], at(g, order));
        ck_assert_int_eq(dataset_identify_game(data, at(g, order), 77, &err), STATUS_OK);
    }
    ck_assert_int_eq(dataset_identify_game(data, at(0, order), 5, &err), STATUS_OK);
    ck_assert_int_eq(dataset_identify_game(data, at(1, order), 5, &err), STATUS_OK);
    ck_assert_int_eq(dataset_finish(data, 1, &err), STATUS_OK);
    return data;
}

START_TEST(equal_games)
{
    Dataset *data = related(0);
    SplitCounts counts;
    uint8_t side[RELATED];
    int parted = 0, uneven = 0;

    ck_assert_int_eq(data->stats.duplicates, 5);
    ck_assert_int_eq(data->stats.shared, 5);
    for (uint64_t seed = 1; seed <= 50; seed++) {
        ck_assert_int_eq(split_hold_out(data, 0.45, seed, side, &counts.copies, &err), STATUS_OK);
        ck_assert_int_eq(counts.copies, 3);
        ck_assert(side[0] == side[1] && side[1] == side[2] && side[5] == side[6]);
        ck_assert_int_eq(split_measure(data, side, false, 1, &counts, &err), STATUS_OK);
        ck_assert_int_eq(counts.shared, side[3] != side[4]);
        parted += side[3] != side[4];
        int taken = 0;
        for (int g = 0; g < RELATED; g++)
            taken += side[g];
        uneven += taken != 3;

        ck_assert_int_eq(split_folds(data, 4, seed, side, &counts.copies, &err), STATUS_OK);
        ck_assert(side[0] == side[1] && side[1] == side[2] && side[5] == side[6]);
        ck_assert(side[0] != side[3] && side[0] != side[4] && side[0] != side[5]);
        ck_assert(side[3] != side[4] && side[3] != side[5] && side[4] != side[5]);
        ck_assert_int_eq(split_measure(data, side, true, 1, &counts, &err), STATUS_OK);
        ck_assert(counts.held_out == data->positions && counts.shared == 2);
    }
    ck_assert_int_gt(parted, 5);
    ck_assert_int_lt(uneven, 45);
    ck_assert_int_eq(split_folds(data, 5, 1, side, &counts.copies, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "4 games are too few for 5 folds"));
    dataset_destroy(data);
}
END_TEST

/* Which of the equal games is read first decides nothing. */
START_TEST(equal_games_in_any_order)
{
    Dataset *data = related(0), *turned = related(_i);
    uint8_t side[RELATED], again[RELATED];
    int64_t copies;

    for (uint64_t seed = 1; seed <= 50; seed++)
        for (int folds = 0; folds < 2; folds++) {
            for (int which = 0; which < 2; which++) {
                Dataset *set = which ? turned : data;
                uint8_t *out = which ? again : side;
                ck_assert_int_eq(folds ? split_folds(set, 4, seed, out, &copies, &err)
                                       : split_hold_out(set, 0.45, seed, out, &copies, &err),
                                 STATUS_OK);
            }
            for (int32_t g = 0; g < RELATED; g++)
                ck_assert_int_eq(again[at(g, _i)], side[g]);
        }
    dataset_destroy(data);
    dataset_destroy(turned);
}
END_TEST

/* A position in common does not make games equal. */
START_TEST(one_position_is_not_a_game)
{
    Dataset *data;
    uint8_t take[20];
    int64_t copies;

    ck_assert_int_eq(dataset_create(COLUMNS, &data, &err), STATUS_OK);
    for (int32_t g = 0; g < 20; g++)
        add_fen(data, "4k3/8/8/8/4R3/8/8/4K3 b - - 0 1", g);
    ck_assert_int_eq(split_hold_out(data, 0.5, 1, take, &copies, &err), STATUS_OK);
    ck_assert_int_eq(copies, 0);
    ck_assert(memchr(take, 0, sizeof take) && memchr(take, 1, sizeof take));
    dataset_destroy(data);
}
END_TEST

/* Equal features make equal games, but not those of another evaluation, which may have few. */
START_TEST(foreign_games_are_no_copies)
{
    Dataset *data;
    uint8_t take[2];
    int64_t copies;

    ck_assert_int_eq(dataset_create(COLUMNS, &data, &err), STATUS_OK);
    for (int i = 0; i < 4; i++) {
        Occurrence at[] = {occurrence_make(9, 1, COLUMNS),
                           occurrence_make(COLUMNS - 2, 1, COLUMNS)};
        ck_assert_int_eq(
            dataset_add_features(data, at, 2, 24, RESULT_DRAW, SCORE_UNKNOWN, i % 2, &err),
            STATUS_OK);
    }
    for (int i = 0; i < 2; i++) {
        data->foreign = i == 1;
        ck_assert_int_eq(split_hold_out(data, 0.5, 1, take, &copies, &err), STATUS_OK);
        ck_assert_int_eq(copies, i == 1 ? 0 : 1);
    }
    dataset_destroy(data);
}
END_TEST

START_TEST(impossible_splits)
{
    Dataset *data;
    EvalWeights w;
    TuneSettings settings = tuner_plain_settings();
    TuneResult result;
    FitScore score;
    double k;
    bool fitted;
    Position pos;

    weights_zero(&w);
    position_set_start(&pos);
    ck_assert_int_eq(dataset_create(COLUMNS, &data, &err), STATUS_OK);
    ck_assert_int_eq(tune_fit(data, &w, &settings, NULL, &result, &err), STATUS_BAD_INPUT);
    ck_assert_int_eq(tune_score(data, &w, &settings, &k, &fitted, &score, &err), STATUS_BAD_INPUT);
    ck_assert_int_eq(dataset_add(data, &pos, RESULT_DRAW, 0, 0, &err), STATUS_OK);
    ck_assert_int_eq(tune_fit(data, &w, &settings, NULL, &result, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "too few"));
    settings.fit.validation = 0;
    ck_assert_int_eq(tune_fit(data, &w, &settings, NULL, &result, &err), STATUS_OK);
    ck_assert(isnan(result.validation.after.mse) && result.validation.after.n == 0);
    dataset_destroy(data);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, hold_out_is_by_game, hold_out_follows_the_game, hold_out_is_frozen, equal_games,
              one_position_is_not_a_game, foreign_games_are_no_copies, impossible_splits);
    tcase_add_loop_test(c, copies_are_on_the_side_of_the_first, 0, 2);
    tcase_add_loop_test(c, equal_games_in_any_order, 1, RELATED);
    return support_run(c);
}
