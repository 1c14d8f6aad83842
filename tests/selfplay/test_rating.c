/* SPDX-License-Identifier: MIT
 * Ratings: known strengths are recovered from simulated games within the stated errors, and equal
 * the result of another algorithm. */
#include <math.h>
#include <string.h>

#include "engine/base/pcg.h"
#include "selfplay/match/played.h"
#include "selfplay/match/rating.h"
#include "tests/support/support.h"

enum { PLAYERS = 5 };

static const double strengths[PLAYERS] = {0, 40, -60, 150, -120};

/* Half points of the side whose expected score is s, a third of the games around equality drawn. */
static int play(Pcg *rng, double s)
{
    double draws = 4 * s * (1 - s) / 3, u = pcg_unit(rng);
    return u < s - draws / 2 ? 2 : u < s + draws / 2 ? 1 : 0;
}

/* One pair; the opening adds the same to White's expected score in both games. */
static void play_pair(Scoreboard *board, int64_t game_no, const double *elo, double white,
                      double opening, Pcg *rng)
{
    ScheduledGame game = schedule_game(&board->schedule, game_no);
    double difference = elo[game.players[0]] - elo[game.players[1]];
    double bias = white + (2 * pcg_unit(rng) - 1) * opening;
    GameOutcome outcomes[2];

    for (int i = 0; i < 2; i++) {
        double s = score_of_elo(difference + (i == 0 ? bias : -bias));
        outcomes[i] = (GameOutcome){.known = 1, .points = (uint8_t)play(rng, s)};
    }
    scoreboard_add_pair(board, game_no, outcomes);
}

static void simulate(Scoreboard *board, Schedule schedule, int64_t rounds, double white,
                     double opening, uint64_t seed)
{
    Pcg rng;

    pcg_seed(&rng, seed, 0);
    ck_assert_int_eq(scoreboard_init(board, &schedule, &(Error){0}), STATUS_OK);
    for (int64_t i = 0; i < schedule_games(&schedule, rounds); i += 2)
        play_pair(board, i, strengths, white, opening, &rng);
}

static RatingTable fit(const Scoreboard *board, RatingSettings settings)
{
    RatingTable table;
    Error err = {0};

    Status status = rating_fit(board, &settings, &table, &err);
    ck_assert_msg(status == STATUS_OK, "%s", err.text);
    return table;
}

/* The same maximum by the iteration of D. R. Hunter, "MM algorithms for generalized Bradley-Terry
 * models", 2004: γ_i = points_i / Σ games_ij / (γ_i + γ_j). Mean 0. */
static void fit_by_mm(const Scoreboard *board, double elo[PLAYERS])
{
    double gamma[PLAYERS], mean = 0;

    for (int i = 0; i < PLAYERS; i++)
        gamma[i] = 1;
    for (int step = 0; step < 20000; step++)
        for (int i = 0; i < PLAYERS; i++) {
            MatchScore all = scoreboard_player(board, i);
            double sum = 0;
            for (int k = 0; k < board->pairing_count; k++) {
                const PairingScore *p = &board->pairings[k];
                if (p->players[0] != i && p->players[1] != i) continue;
                int other = p->players[0] == i ? p->players[1] : p->players[0];
                sum += (double)(p->white_games[0] + p->white_games[1]) / (gamma[i] + gamma[other]);
            }
            gamma[i] = ((double)all.wins + (double)all.draws / 2) / sum;
        }
    for (int i = 0; i < PLAYERS; i++) {
        elo[i] = 400 * log10(gamma[i]);
        mean += elo[i] / PLAYERS;
    }
    for (int i = 0; i < PLAYERS; i++)
        elo[i] -= mean;
}

START_TEST(test_another_algorithm_agrees)
{
    for (int seeds = 1; seeds < PLAYERS; seeds++) {
        Scoreboard board;
        double elo[PLAYERS];
        simulate(&board, (Schedule){PLAYERS, seeds, false}, 50, 0, 0, (uint64_t)seeds);
        RatingTable table = fit(&board, (RatingSettings){.anchor = -1});
        ck_assert(!table.bounded);
        fit_by_mm(&board, elo);
        for (int i = 0; i < PLAYERS; i++)
            ck_assert_double_eq_tol(table.elo[i], elo[i], 1e-6);
        rating_free(&table);
        scoreboard_free(&board);
    }
}
END_TEST

/* In about 95 % of many tournaments a player's interval contains the mean estimate (which
 * unbalanced openings shrink), also when the two games of a pair are negatively correlated, as
 * here. */
START_TEST(test_errors_are_honest)
{
    enum { TRIALS = 400 };
    static double elo[TRIALS][PLAYERS], elo95[TRIALS][PLAYERS];
    double mean[PLAYERS] = {0}, square = 0, error = 0;
    int inside = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        Scoreboard board;
        simulate(&board, (Schedule){PLAYERS, PLAYERS - 1, false}, 100, 0, 400,
                 1000 + (uint64_t)trial);
        RatingTable table = fit(&board, (RatingSettings){.anchor = -1, .elo = 1000});
        for (int i = 0; i < PLAYERS; i++) {
            elo[trial][i] = table.elo[i];
            elo95[trial][i] = table.elo95[i];
            mean[i] += table.elo[i] / TRIALS;
        }
        rating_free(&table);
        scoreboard_free(&board);
    }
    for (int trial = 0; trial < TRIALS; trial++)
        for (int i = 0; i < PLAYERS; i++) {
            double off = elo[trial][i] - mean[i];
            inside += fabs(off) <= elo95[trial][i];
            square += off * off / (TRIALS * PLAYERS);
            error += elo95[trial][i] / (TRIALS * PLAYERS);
        }
    double share = (double)inside / (TRIALS * PLAYERS);
    ck_assert_msg(share > 0.93 && share < 0.97, "%.3f of the ratings are inside", share);
    ck_assert_double_eq_tol(error / (1.96 * sqrt(square)), 1, 0.05);
}
END_TEST

/* Known strengths are recovered. */
START_TEST(test_strengths_are_recovered)
{
    Scoreboard board;
    int inside = 0;

    for (uint64_t seed = 0; seed < 40; seed++) {
        simulate(&board, (Schedule){PLAYERS, PLAYERS - 1, false}, 200, 0, 0, seed);
        RatingTable table = fit(&board, (RatingSettings){.anchor = 0, .elo = strengths[0]});
        for (int i = 1; i < PLAYERS; i++)
            inside += fabs(table.elo[i] - strengths[i]) <= table.elo95[i];
        rating_free(&table);
        scoreboard_free(&board);
    }
    ck_assert_msg(inside > 0.89 * 160, "%d of 160 strengths are inside", inside);
}
END_TEST

START_TEST(test_white_advantage)
{
    Scoreboard board;

    simulate(&board, (Schedule){PLAYERS, PLAYERS - 1, false}, 1000, 60, 0, 77);
    RatingTable table = fit(&board, (RatingSettings){.anchor = 3, .elo = 150, .fit_white = true});
    ck_assert_double_eq_tol(table.white, 60, 1.3 * table.white95);
    ck_assert(table.white95 > 1 && table.white95 < 10);
    for (int i = 0; i < PLAYERS; i++)
        ck_assert_double_eq_tol(table.elo[i], strengths[i], 1.3 * table.elo95[i] + 1e-9);
    ck_assert(table.elo[3] == 150 && table.elo95[3] == 0); /* the anchor */
    rating_free(&table);
    table = fit(&board, (RatingSettings){.anchor = -1, .given = strengths, .fit_white = true});
    ck_assert_double_eq_tol(table.white, 60, 1.3 * table.white95);
    rating_free(&table);
    scoreboard_free(&board);
}
END_TEST

/* Adds games of one result to those played, each from an opening of its own. */
static void put(PlayedGames *played, const char *white, const char *black, GameResult result,
                int count)
{
    for (int i = 0; i < count; i++)
        ck_assert_int_eq(
            played_add(played, white, black, result, (uint64_t)played->count + 1, &(Error){0}),
            STATUS_OK);
}

/* Fits White's advantage too. */
static RatingTable fit_played(PlayedGames *played)
{
    Scoreboard board;

    ck_assert_int_eq(played_board(played, &board, &(Error){0}), STATUS_OK);
    RatingTable table = fit(&board, (RatingSettings){.anchor = 1, .fit_white = true});
    scoreboard_free(&board);
    played_free(played);
    return table;
}

/* Draws with one colour and losses with the other: White's advantage has no finite maximum,
 * whatever rounding makes of the slope. */
START_TEST(test_white_without_maximum)
{
    PlayedGames played = {0};

    put(&played, "a", "b", RESULT_DRAW, _i);
    put(&played, "b", "a", RESULT_BLACK_WINS, 1);
    RatingTable table = fit_played(&played);
    ck_assert(table.bounded && table.white < 0 && table.white > -1000);
    rating_free(&table);
    put(&played, "a", "b", RESULT_DRAW, _i);
    put(&played, "b", "a", RESULT_BLACK_WINS, 1);
    put(&played, "c", "a", RESULT_BLACK_WINS, 3);
    put(&played, "b", "c", RESULT_BLACK_WINS, 1);
    put(&played, "b", "c", RESULT_DRAW, 1);
    table = fit_played(&played);
    ck_assert(table.bounded && table.white < 0 && table.white > -1000);
    rating_free(&table);
    put(&played, "a", "b", RESULT_DRAW, _i); /* one game of the other colour bounds it */
    put(&played, "b", "a", RESULT_BLACK_WINS, 1);
    put(&played, "b", "a", RESULT_WHITE_WINS, 1);
    table = fit_played(&played);
    ck_assert(!table.bounded && fabs(table.white) < 1e-6);
    rating_free(&table);
}
END_TEST

/* Games of players that are not rated say nothing of White's advantage. */
START_TEST(test_white_advantage_of_separate_players)
{
    PlayedGames played = {0};

    put(&played, "a", "b", RESULT_WHITE_WINS, 20);
    put(&played, "b", "a", RESULT_WHITE_WINS, 20);
    put(&played, "a", "b", RESULT_BLACK_WINS, 20);
    put(&played, "b", "a", RESULT_BLACK_WINS, 20);
    put(&played, "c", "d", RESULT_WHITE_WINS, 29);
    put(&played, "c", "d", RESULT_BLACK_WINS, 1);
    RatingTable table = fit_played(&played);
    ck_assert_int_eq(table.state[2], RATING_SEPARATE);
    ck_assert(!table.bounded);
    ck_assert_double_eq_tol(table.white, 0, 1e-9);
    ck_assert_double_eq_tol(table.white95, 1.96 * 347.4 / sqrt(80), 0.1);
    rating_free(&table);
}
END_TEST

/* A player that mostly had White, at even scores: the covariance is the inverse of the games'
 * information, (ln 10 / 400)² / 4 · [200 100; 100 200]. */
START_TEST(test_error_of_unequal_colours)
{
    PlayedGames played = {0};

    put(&played, "a", "b", RESULT_WHITE_WINS, 75);
    put(&played, "a", "b", RESULT_BLACK_WINS, 75);
    put(&played, "b", "a", RESULT_WHITE_WINS, 25);
    put(&played, "b", "a", RESULT_BLACK_WINS, 25);
    RatingTable table = fit_played(&played);
    ck_assert_double_eq_tol(table.elo95[0], 55.6, 0.1);
    ck_assert_double_eq_tol(table.white95, 55.6, 0.1);
    rating_free(&table);
}
END_TEST

/* Two players: the same figures as match_stats(). */
START_TEST(test_two_players)
{
    Scoreboard board;
    MatchStats stats;

    simulate(&board, (Schedule){2, 1, false}, 500, 0, 200, 5);
    RatingTable table = fit(&board, (RatingSettings){.anchor = 1});
    match_stats(&board.pairings[0].score, NULL, &stats);
    ck_assert_double_eq_tol(table.elo[0], stats.elo, 1e-6);
    ck_assert_double_eq_tol(table.elo95[0], stats.elo95, 0.05);
    ck_assert_double_eq_tol(rating_los(&table, 0, 1), stats.los, 1e-3);
    ck_assert_double_eq_tol(rating_los(&table, 1, 0), 1 - stats.los, 1e-3);
    rating_free(&table);
    scoreboard_free(&board);
}
END_TEST

static void add(Scoreboard *board, int64_t pair, int first, int second)
{
    const GameOutcome outcomes[2] = {{1, (uint8_t)first, 0}, {1, (uint8_t)second, 0}};
    scoreboard_add_pair(board, 2 * pair, outcomes);
}

/* Convergence at the limit of doubles. */
START_TEST(test_rounding)
{
    const Schedule two = {2, 1, false};
    Scoreboard board;

    ck_assert_int_eq(scoreboard_init(&board, &two, &(Error){0}), STATUS_OK);
    add(&board, 0, 1, 2); /* a million games, all but one won */
    for (int i = 1; i < 500000; i++)
        add(&board, i, 2, 2);
    RatingTable table = fit(&board, (RatingSettings){.anchor = 0});
    ck_assert_double_eq_tol(table.elo[1], -2520.4, 0.1);
    rating_free(&table);
    scoreboard_free(&board);
}
END_TEST

/* Every figure is a number or a documented NAN, for any scores. */
START_TEST(test_degenerate)
{
    const Schedule all = {3, 2, false}; /* pairs 0: 0-1, 1: 0-2, 2: 1-2 */
    Scoreboard board;
    MatchScore score;

    ck_assert_int_eq(scoreboard_init(&board, &all, &(Error){0}), STATUS_OK);
    RatingTable table = fit(&board, (RatingSettings){.anchor = -1}); /* no games */
    for (int i = 0; i < 3; i++)
        ck_assert(isnan(table.elo[i]) && isnan(table.elo95[i]) && isnan(rating_los(&table, 0, i)));
    rating_free(&table);

    add(&board, 0, 1, 1); /* all draws; player 2 has no games */
    table = fit(&board, (RatingSettings){.anchor = 1, .elo = 2000, .fit_white = true});
    ck_assert(table.elo[0] == 2000 && isnan(table.elo95[0]) && isnan(table.elo[2]));
    ck_assert(isnan(rating_los(&table, 0, 1)) && table.white == 0);
    ck_assert(isnan(table.white95));
    rating_free(&table);

    add(&board, 1, 2, 2); /* 0 won every game against 2 */
    table = fit(&board, (RatingSettings){.anchor = 1, .elo = 0});
    ck_assert(table.bounded);
    ck_assert(table.elo[2] < -100 && table.elo[2] > -1000 && isnan(table.elo95[2]));
    ck_assert(scoreboard_meeting(&board, 2, 0, &score) && score.losses == 2 && score.ptnml[0] == 1);
    ck_assert(scoreboard_meeting(&board, 0, 2, &score) && score.wins == 2 && score.ptnml[4] == 1);
    ck_assert(fabs(table.elo[0]) < 200 && isnan(rating_los(&table, 0, 2))); /* too few pairs */
    rating_free(&table);

    add(&board, 2, 0, 2); /* 2 scored against 1: now all have scored against all */
    table = fit(&board, (RatingSettings){.anchor = 1, .elo = 0});
    ck_assert(!table.bounded || table.elo[2] > -1000);
    rating_free(&table);
    scoreboard_free(&board);

    const Schedule two = {2, 1, false};
    ck_assert_int_eq(scoreboard_init(&board, &two, &(Error){0}), STATUS_OK);
    add(&board, 0, 2, 1); /* one pair does not measure an error */
    table = fit(&board, (RatingSettings){.anchor = 1});
    ck_assert(table.elo[0] > 100 && isnan(table.elo95[0]) && table.elo95[1] == 0);
    ck_assert(isnan(rating_los(&table, 0, 1)));
    rating_free(&table);
    scoreboard_free(&board);

    ck_assert_int_eq(scoreboard_init(&board, &two, &(Error){0}), STATUS_OK);
    add(&board, 0, 2, 0); /* White won every game */
    table = fit(&board, (RatingSettings){.anchor = -1, .fit_white = true});
    ck_assert(table.bounded);
    ck_assert_double_eq_tol(table.white, 279.6, 0.1); /* 1.25 of 1.5 games */
    ck_assert_double_eq_tol(table.elo[0], 0, 1e-6);
    rating_free(&table);
    scoreboard_free(&board);
}
END_TEST

START_TEST(test_order)
{
    /* Equal but for rounding: in order of number. */
    RatingTable table = {
        .players = 6, .elo = (double[]){5, NAN, 7, 5 + 1e-12, NAN, -3}, .order = (int[6]){0}};
    const int expected[] = {2, 0, 3, 5, 1, 4};

    rating_order(&table);
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(table.order[i], expected[i]);
}
END_TEST

/* Given ratings of two players: the third is where its expected points equal its points. */
START_TEST(test_given_ratings)
{
    const double given[3] = {100, NAN, -300};
    Scoreboard board;

    simulate(&board, (Schedule){3, 2, false}, 100, 0, 0, 9);
    RatingTable table = fit(&board, (RatingSettings){.anchor = 0, .elo = 100, .given = given});
    MatchScore all = scoreboard_player(&board, 1);
    double expected = 200 * (score_of_elo(table.elo[1] - 100) + score_of_elo(table.elo[1] + 300));
    ck_assert(table.elo[0] == 100 && table.elo[2] == -300 && table.elo95[2] == 0);
    ck_assert_double_eq_tol(expected, (double)all.wins + (double)all.draws / 2, 1e-6);
    ck_assert(table.elo95[1] > 10 && table.elo95[1] < 60);
    rating_free(&table);
    scoreboard_free(&board);
}
END_TEST

/* Single games have the error of independent games; players that won or lost everything are left
 * out, one after the other, and those without games against the others, too. */
START_TEST(test_played_games)
{
    PlayedGames played = {0};
    Scoreboard board;
    MatchStats stats;
    const char *names[6];

    for (int i = 0; i < 300; i++) {
        GameResult result = (GameResult)(i % 3);
        ck_assert_int_eq(played_add(&played, "a", "b", result, (uint64_t)i + 1, &(Error){0}),
                         STATUS_OK);
    }
    for (int i = 0; i < 20; i++) {
        ck_assert_int_eq(played_add(&played, "a", "weak", RESULT_WHITE_WINS, 0, &(Error){0}),
                         STATUS_OK);
        ck_assert_int_eq(played_add(&played, "weak", "none", RESULT_WHITE_WINS, 0, &(Error){0}),
                         STATUS_OK);
        ck_assert_int_eq(played_add(&played, "x", "y", (GameResult)(2 * (i % 2)), 0, &(Error){0}),
                         STATUS_OK);
    }
    ck_assert_int_eq(played_board(&played, &board, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(board.schedule.players, 6);
    played_names(&played, names);
    ck_assert_str_eq(names[3], "none");
    RatingTable table = fit(&board, (RatingSettings){.anchor = 1, .skip_perfect = true});
    match_stats(&(MatchScore){.wins = 100, .draws = 100, .losses = 100}, NULL, &stats);
    ck_assert_double_eq_tol(table.elo[0], 0, 1e-6);
    ck_assert_double_eq_tol(table.elo95[0], stats.elo95, 0.1);
    const RatingState states[6] = {RATING_FOUND,    RATING_FOUND,    RATING_LOST_ALL,
                                   RATING_LOST_ALL, RATING_SEPARATE, RATING_SEPARATE};
    for (int i = 0; i < 6; i++) {
        ck_assert_int_eq(table.state[i], states[i]);
        ck_assert(isnan(table.elo[i]) == (states[i] != RATING_FOUND));
    }
    rating_free(&table);
    scoreboard_free(&board);
    played_free(&played);
}
END_TEST

/* Pairs: the same opening, colours reversed; the n-th of one colour with the n-th of the other. */
START_TEST(test_pairs_of_played_games)
{
    PlayedGames played = {0};
    Scoreboard board;
    uint64_t fen = played_opening("8/8", "1"), first = played_opening("", "1.1");

    ck_assert(fen != 0 && first != 0 && fen != first);
    ck_assert_uint_eq(first, played_opening("", "1.2"));
    ck_assert_uint_eq(fen, played_opening("8/8", "2"));
    ck_assert_uint_eq(played_opening("", "?"), 0);
    ck_assert_int_eq(played_add(&played, "a", "b", RESULT_WHITE_WINS, fen, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(played_add(&played, "a", "b", RESULT_DRAW, fen, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(played_add(&played, "b", "a", RESULT_BLACK_WINS, fen, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(played_add(&played, "b", "a", RESULT_WHITE_WINS, first, &(Error){0}),
                     STATUS_OK);
    ck_assert_int_eq(played_add(&played, "a", "b", RESULT_DRAW, first, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(played_board(&played, &board, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(board.pairing_count, 1);
    const PairingScore *p = &board.pairings[0];
    ck_assert(p->score.ptnml[4] == 1 && p->score.ptnml[1] == 1 && p->score.ptnml[2] == 0);
    ck_assert(p->white_games[0] == 3 && p->white_games[1] == 2);
    ck_assert(p->white_points2[0] == 4 && p->white_points2[1] == 2);
    ck_assert(p->score.wins == 2 && p->score.draws == 2 && p->score.losses == 1);
    scoreboard_free(&board);
    played_free(&played);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_another_algorithm_agrees, test_errors_are_honest,
              test_strengths_are_recovered, test_white_advantage,
              test_white_advantage_of_separate_players, test_error_of_unequal_colours,
              test_two_players, test_rounding, test_degenerate, test_order, test_given_ratings,
              test_played_games, test_pairs_of_played_games);
    tcase_add_loop_test(c, test_white_without_maximum, 1, 12);
    return support_run(c);
}
