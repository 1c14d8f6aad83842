/* SPDX-License-Identifier: MIT
 * For people: nodes by rating, chances by score. */
#include "engine/notation/fen.h"
#include "engine/uci/strength.h"
#include "engine/uci/wdl.h"
#include "tests/support/support.h"

/* More nodes for a higher rating, the measured ones at the rungs. */
START_TEST(test_nodes_by_rating)
{
    ck_assert_uint_eq(strength_nodes(1215), 40);
    ck_assert_uint_eq(strength_nodes(1390), 320);
    ck_assert_uint_eq(strength_nodes(1500), 640);
    ck_assert_uint_eq(strength_nodes(2050), 20480);
    for (int elo = STRENGTH_ELO_MIN; elo < STRENGTH_ELO_MAX; elo++)
        ck_assert_uint_le(strength_nodes(elo), strength_nodes(elo + 1));
}
END_TEST

/* They sum up to 1000, grow with the score, and are symmetric; a mate is certain. */
START_TEST(test_chances_by_score)
{
    static const char *const fens[] = {START_FEN, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"};
    Position pos;

    for (int f = 0; f < 2; f++) {
        ck_assert_int_eq(position_from_fen(&pos, fens[f], &(Error){0}), STATUS_OK);
        int win = 0;
        for (int score = -3000; score <= 3000; score += 10) {
            Wdl here = wdl_of_score(score, &pos), there = wdl_of_score(-score, &pos);
            ck_assert_int_eq(here.win + here.draw + here.loss, 1000);
            ck_assert(here.win >= win && here.draw >= 0 && here.loss >= 0);
            ck_assert(here.win == there.loss && here.draw == there.draw);
            win = here.win;
        }
        ck_assert_int_gt(win, 990);
        ck_assert_int_eq(wdl_of_score(VALUE_MATE - 5, &pos).win, 1000);
        ck_assert_int_eq(wdl_of_score(5 - VALUE_MATE, &pos).loss, 1000);
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_nodes_by_rating, test_chances_by_score);
    return support_run(c);
}
