/* SPDX-License-Identifier: MIT
 * The tables that a network is shown by: those of a network that was made from tables. */
#include <stdlib.h>

#include "engine/eval/evaluation_load.h"
#include "engine/eval/network_file.h"
#include "tests/support/support.h"
#include "tuner/report/network_tables.h"

enum { SQ_D4 = 27, SQ_E4 };

/* Clipped units count own pieces and those of the other side. A unit of input is 400 / 255 of a
 * centipawn, so values are within a centipawn of these. */
static const int unit_of[PIECE_TYPES] = {12, 30, 33, 45, 84, 0};
static const double centipawns_of_unit = 400.0 / 255;

static void set(Network *n, Color color, PieceType type, int sq, int value)
{
    int input = network_input(WHITE, color, type, sq);
    /* Both units of a side see the pieces of both: one what it has, the other what it lacks. */
    n->input[input * n->hidden] = (int16_t)(color == WHITE ? value : -value);
    n->input[input * n->hidden + 1] = (int16_t)(color == WHITE ? -value : value);
}

/* The difference of the two sides, as long as it is within 127 units. */
static Network *planted(void)
{
    Network *n = network_create(16, 1, false, 400, NULL);

    ck_assert_ptr_nonnull(n);
    for (int type = PAWN; type < PIECE_TYPES; type++)
        for (int sq = 0; sq < SQUARES; sq++) {
            int more = (PieceType)type == KNIGHT && sq == SQ_E4 ? 20 : 0;
            set(n, WHITE, (PieceType)type, sq, unit_of[type] + more);
            set(n, BLACK, (PieceType)type, sq ^ 56, unit_of[type] + more);
        }
    n->bias[0] = n->bias[1] = NETWORK_QA / 2;
    n->output[0] = NETWORK_QB / 2;
    n->output[1] = -NETWORK_QB / 2;
    return n;
}

START_TEST(tables_are_found_again)
{
    Network *network = planted();
    Evaluation e;
    EvalWeights tables;

    evaluation_set_network(&e, network);
    evaluation_tables(&e, &tables);
    for (int type = PAWN; type < KING; type++)
        for (int half = MG; half < PHASES; half++)
            ck_assert_int_le(abs(tables.term[EVAL_MATERIAL + type][half] -
                                 (int)(unit_of[type] * centipawns_of_unit)),
                             type == QUEEN ? 12 : 4);
    for (int half = MG; half < PHASES; half++) {
        ck_assert_int_le(abs(tables.term[EVAL_KNIGHT_PST + SQ_E4][half] - 31), 4);
        ck_assert_int_le(abs(tables.term[EVAL_KNIGHT_PST + SQ_D4][half]), 3);
        ck_assert_int_eq(tables.term[EVAL_PAWN_PST][half], 0);
    }
    network_destroy(network);
}
END_TEST

START_TEST(linear_weights_stay)
{
    Evaluation e;
    EvalWeights tables;

    ck_assert_int_eq(evaluation_load("builtin", &e, NULL, &(Error){0}), STATUS_OK);
    evaluation_tables(&e, &tables);
    ck_assert(weights_equal(&tables, &e.weights));
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, tables_are_found_again, linear_weights_stay);
    return support_run(c);
}
