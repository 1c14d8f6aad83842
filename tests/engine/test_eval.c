/* SPDX-License-Identifier: MIT
 * Evaluation, features and incremental sums are one and the same function. */
#include "engine/base/pcg.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/eval/eval.h"
#include "engine/notation/fen.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"

enum { GAMES = 60, PLIES = 120 };

/* Weights of a random set of families. */
static void random_weights(EvalWeights *w, Pcg *rng, int limit)
{
    EvalFamilies families = EVAL_MATERIAL_PST | pcg_below(rng, EVAL_ALL_FAMILIES + 1);

    weights_zero(w);
    for (const EvalTermInfo *term = eval_term_info; term->name; term++)
        for (int i = 0; families & eval_family(term->family) && i < term->count; i++)
            for (int p = MG; p < PHASES; p++)
                w->term[term->first + i][p] =
                    (int16_t)((int)pcg_below(rng, (uint32_t)(2 * limit + 1)) - limit);
}

static int eval_by_features(const Position *pos, const EvalWeights *w)
{
    EvalFeature f[EVAL_FEATURES_MAX];
    int n = eval_features(pos, EVAL_ALL_FAMILIES, f), sum[PHASES] = {0, 0};

    ck_assert_int_le(n, EVAL_FEATURES_MAX);
    for (int i = 0; i < n; i++) {
        ck_assert_int_ne(f[i].count, 0);
        if (i > 0) ck_assert_int_lt(f[i - 1].term, f[i].term);
        for (int p = MG; p < PHASES; p++)
            sum[p] += f[i].count * w->term[f[i].term][p];
    }
    return eval_taper(sum[MG], sum[EG], pos->phase);
}

/* Calls `check` on every position of random games. */
static void walk(uint64_t seed, int limit,
                 void (*check)(const Position *, const EvalWeights *, Classical *))
{
    Pcg rng;
    EvalWeights w;
    PsqTable table;
    Classical classical;
    KingSquares kings;

    pcg_seed(&rng, seed, 0);
    for (int game = 0; game < GAMES; game++) {
        Position pos, next;
        MoveList list;
        random_weights(&w, &rng, limit);
        eval_psq_table(&w, &table);
        classical_set_weights(&classical, &w);
        king_squares_set_weights(&kings, &w);
        position_set_start(&pos);
        position_refresh_psq(&pos, &table);
        if (kings.used) pos.psq += king_squares_sum(&kings, &pos);
        for (int ply = 0; ply < PLIES; ply++) {
            check(&pos, &w, &classical);
            movegen_all(&pos, &list);
            if (list.count == 0) break;
            Move m = list.moves[pcg_below(&rng, (uint32_t)list.count)];
            position_make_eval(&next, &pos, m, &table);
            if (kings.used) next.psq += king_squares_change(&kings, &pos, m, &next);
            pos = next;
        }
    }
}

static void check_features(const Position *pos, const EvalWeights *w, Classical *classical)
{
    (void)classical;
    ck_assert_int_eq(eval_white(pos, w), eval_by_features(pos, w));
}

START_TEST(eval_is_linear_in_its_features)
{
    walk(1, 200, check_features);
    walk(2, 10000, check_features);
}
END_TEST

static void check_incremental(const Position *pos, const EvalWeights *w, Classical *classical)
{
    int white = eval_white(pos, w);
    ck_assert_int_eq(eval_position(pos, classical), pos->stm == WHITE ? white : -white);
}

START_TEST(incremental_equals_scratch)
{
    walk(3, 500, check_incremental);
}
END_TEST

static void check_mirror(const Position *pos, const EvalWeights *w, Classical *classical)
{
    (void)classical;
    Position other;

    board_mirror(&other, pos);
    ck_assert_int_eq(eval_white(pos, w), -eval_white(&other, w));
}

START_TEST(colours_are_symmetric)
{
    walk(4, 1000, check_mirror);
}
END_TEST

START_TEST(zero_weights_see_nothing)
{
    EvalWeights zero;
    PsqTable table;
    Position pos;
    Classical classical = {0};
    Error err = {0};
    weights_zero(&zero);
    classical_set_weights(&classical, &zero);
    eval_psq_table(&zero, &table);
    ck_assert_int_eq(position_from_fen(&pos, "8/8/8/3NNN2/8/8/k7/7K w - - 0 1", &err), STATUS_OK);
    position_refresh_psq(&pos, &table);
    ck_assert_int_eq(eval_position(&pos, &classical), 0);
    ck_assert_int_eq(eval_white(&pos, &zero), 0);
}
END_TEST

START_TEST(known_values)
{
    EvalWeights w;
    Position pos;
    Error err = {0};
    weights_zero(&w);
    w.term[EVAL_MATERIAL + ROOK][MG] = 240;
    w.term[EVAL_MATERIAL + ROOK][EG] = 480;
    w.term[EVAL_ROOK_PST + 8 * RANK_7 + FILE_A][EG] = 48;
    /* Black's rook on a2 stands on its own seventh rank; phase 2 of 24. */
    ck_assert_int_eq(position_from_fen(&pos, "4k3/8/8/8/8/8/r7/4K3 w - - 0 1", &err), STATUS_OK);
    ck_assert_int_eq(eval_white(&pos, &w), -(240 * 2 + 528 * 22) / 24);
    /* Two queens too many do not take the phase past 24. */
    ck_assert_int_eq(eval_taper(100, 0, 32), 100);
    ck_assert_int_eq(eval_taper(-7, 0, 12), -3);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, eval_is_linear_in_its_features, incremental_equals_scratch, colours_are_symmetric,
              zero_weights_see_nothing, known_values);
    return support_run(c);
}
