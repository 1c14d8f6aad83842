/* SPDX-License-Identifier: MIT
 * The schedule: every pairing plays equally often with both colours; games follow from their
 * numbers. */
#include <stdlib.h>

#include "selfplay/match/schedule.h"
#include "tests/support/support.h"

/* Counts games over some rounds: each scheduled pairing, and no other, plays each opening twice
 * with colours reversed, or two openings once each. */
static void check_rounds(Schedule schedule, int64_t rounds)
{
    int n = schedule.players;
    int64_t games = schedule_games(&schedule, rounds);
    int *white = calloc((size_t)(n * n), sizeof *white);

    ck_assert_ptr_nonnull(white);
    for (int64_t i = 0; i < games; i++) {
        ScheduledGame game = schedule_game(&schedule, i);
        ck_assert_int_lt(game.players[0], game.players[1]);
        ck_assert_int_eq(game.round, i / (games / rounds)); /* rounds are consecutive */
        int64_t opening = schedule.shared_openings ? game.round : i / 2;
        if (schedule.single_openings) opening = 2 * opening + game.white;
        ck_assert_int_eq(game.opening, opening);
        ck_assert_int_lt(opening, schedule_openings(&schedule, rounds));
        if (i % 2) {
            ScheduledGame first = schedule_game(&schedule, i - 1);
            ck_assert_int_eq(first.pairing, game.pairing);
            ck_assert_int_eq(first.white, 1 - game.white);
        }
        white[game.players[game.white] * n + game.players[1 - game.white]]++;
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            bool due = a != b && (a < schedule.seeds || b < schedule.seeds);
            ck_assert_int_eq(white[a * n + b], due ? (int)rounds : 0);
        }
    free(white);
}

START_TEST(test_all_meet_alike)
{
    for (int n = 2; n <= 7; n++)
        for (int seeds = 1; seeds < n; seeds++)
            for (int kind = 0; kind < 4; kind++)
                check_rounds((Schedule){n, seeds, kind & 1, kind & 2}, 3);
    check_rounds((Schedule){PLAYERS_MAX, PLAYERS_MAX - 1, false, false}, 1);
}
END_TEST

/* Two players: the meaning of game number i must never change. */
START_TEST(test_two_players)
{
    const Schedule two = {2, 1, false};

    ck_assert_int_eq(schedule_pairings(&two), 1);
    ck_assert_int_eq(schedule_games(&two, 50), 100);
    for (int64_t i = 0; i < 100; i++) {
        ScheduledGame game = schedule_game(&two, i);
        ck_assert_int_eq(game.round, i / 2);
        ck_assert_int_eq(game.opening, i / 2);
        ck_assert_int_eq(game.players[game.white], i % 2);
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_all_meet_alike, test_two_players);
    return support_run(c);
}
