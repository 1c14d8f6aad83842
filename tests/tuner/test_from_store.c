/* SPDX-License-Identifier: MIT
 * Stored games become the positions of a data set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/store.h"
#include "db/tables/games.h"
#include "db/tables/players.h"
#include "db/tables/runs.h"
#include "engine/base/pcg.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/search/search.h"
#include "tests/support/support.h"
#include "tests/support/support_tuner.h"
#include "tuner/data/from_store.h"

static Error err;

/* Plies of a game from the start: "e2e4 c7c5 …", each with a score. */
static int make_plies(const char *moves, GamePly *plies)
{
    Position pos, next;
    int count = 0;

    position_set_start(&pos);
    for (const char *at = moves; *at; at += strspn(at, " ")) {
        Move move;
        ck_assert_msg(move_from_uci(&pos, at, &move, &err) == STATUS_OK, "%s", err.text);
        plies[count] = (GamePly){.move = move, .score = (int16_t)(10 * count)};
        count++;
        position_make(&next, &pos, move);
        pos = next;
        at += strcspn(at, " ");
    }
    return count;
}

static int64_t put_run(Store *store, int generation, uint64_t seed)
{
    RunRecord run = {.kind = RUN_SELFPLAY, .config = "{}", .seed = seed, .generation = generation};

    run_identify(&run);
    ck_assert_msg(store_open_run(store, &run, NULL, &err) == STATUS_OK, "%s", err.text);
    return run.run_id;
}

/* Three games; in each ply 2 is scored as a mate, ply 3 not at all. */
static void put_games(Store *store, int generation)
{
    static const char *const lines[] = {"e2e4 d7d5 e4d5 d8d5 b1c3 d5e5", "e2e4 e7e5 d1h5 e8e7 h5e5",
                                        "d2d4 d7d5 c2c4 d5c4 d1a4 b8c6"};
    static const GameResult results[] = {RESULT_WHITE_WINS, RESULT_WHITE_WINS, RESULT_DRAW};
    GamePly plies[16];

    ck_assert_int_eq(store_begin(store, &err), STATUS_OK);
    int64_t run_id = put_run(store, generation, 9);
    for (int i = 0; i < 3; i++) {
        GameRecord game = {.game_no = i,
                           .result = results[i],
                           .reason = REASON_MAX_PLIES,
                           .plies = plies,
                           .ply_count = make_plies(lines[i], plies)};
        strcpy(game.start_fen, START_FEN);
        plies[2].score = VALUE_MATE - 9;
        plies[3].score = SCORE_UNKNOWN;
        ck_assert_msg(store_put_game(store, run_id, &game, NULL, &err) == STATUS_OK, "%s",
                      err.text);
    }
    ck_assert_int_eq(store_commit(store, &err), STATUS_OK);
}

/* Games of generations 1 and 2. */
static Store *make_store(const char *file)
{
    Store *store = store_open(file, STORE_CREATE, &err);

    ck_assert_msg(store != NULL, "%s", err.text);
    put_games(store, 1);
    put_games(store, 2);
    return store;
}

static void expect_count(Store *store, int first, int last, DatasetFilter filter, int64_t positions,
                         int64_t games)
{
    Dataset *data;

    filter.generations.first = first;
    filter.generations.last = last;
    ck_assert_msg(dataset_from_store(store, &filter, 2, &data, &err) == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(data->positions, positions);
    ck_assert_int_eq(data->games, games);
    for (int reason = 0; reason < DROP_REASONS; reason++)
        positions += data->stats.dropped[reason];
    ck_assert_int_eq(data->stats.positions_read, positions);
    dataset_destroy(data);
}

START_TEST(stored_games_and_filters)
{
    Store *store = make_store(support_temp_path("games.db"));
    DatasetFilter all = {.positions.keep_checks = true,
                         .positions.keep_noisy = true,
                         .positions.keep_unscored = true,
                         .positions.max_phase = EVAL_PHASE_MAX};
    DatasetFilter f = all;

    expect_count(store, -1, -1, all, 2 * 14, 2 * 3); /* 17 plies a generation, 3 of them mates */
    expect_count(store, 2, 2, all, 14, 3);
    expect_count(store, 2, 9, all, 14, 3);
    f.positions.keep_unscored = false;
    expect_count(store, 1, 1, f, 11, 3);
    f = all;
    f.positions.max_score = 35; /* leaves plies 0 and 1, and 3 which has none */
    expect_count(store, 1, 1, f, 9, 3);
    f = all;
    f.positions.min_ply = 5; /* one game ends before and gives nothing */
    expect_count(store, 1, 1, f, 2, 2);
    f = all;
    f.positions.max_ply = 1;
    expect_count(store, 1, 1, f, 6, 3);
    f = all;
    f.positions.keep_noisy = false; /* Qxd5, Qxe5, dxc4 */
    expect_count(store, 1, 1, f, 11, 3);
    f = all;
    f.positions.keep_checks = false; /* after Qa4+ */
    expect_count(store, 1, 1, f, 13, 3);
    f = all;
    f.positions.drop_drawn = true;
    expect_count(store, 1, 1, f, 9, 2);
    f = all;
    f.positions.require_quiet = true;
    f.positions.min_ply = 4; /* Qxe5 wins a pawn; nothing else wins anything */
    expect_count(store, 1, 1, f, 4, 2);
    store_close(store);
}
END_TEST

/* By hand: ln(v / (1 - v)) / .004 with v = (σ(.004 score) + next v) / 2 of each ply. Ply 3 has no
 * score, and the mate of ply 2 is left out, but counts. */
START_TEST(scores_of_the_rest_of_the_game)
{
    static const int expected[] = {130,           281, SCORE_UNKNOWN, 163, 309,           130, 281,
                                   SCORE_UNKNOWN, 302, 130,           281, SCORE_UNKNOWN, 32,  25};
    Store *store = make_store(support_temp_path("td.db"));
    DatasetFilter filter;
    Dataset *data;

    dataset_filter_defaults(&filter);
    filter.generations = (NumberRange){1, 1};
    filter.positions = (PositionFilter){.keep_checks = true,
                                        .keep_noisy = true,
                                        .keep_unscored = true,
                                        .max_phase = EVAL_PHASE_MAX};
    filter.td = 0.5;
    filter.td_scale = 0.004;
    for (int threads = 1; threads <= 3; threads += 2) {
        ck_assert_int_eq(dataset_from_store(store, &filter, threads, &data, &err), STATUS_OK);
        ck_assert_int_eq(data->positions, 14);
        for (int i = 0; i < 14; i++)
            ck_assert_int_eq(data->score[i], expected[i]);
        dataset_destroy(data);
    }
    store_close(store);
}
END_TEST

START_TEST(stored_games_at_any_thread_count)
{
    Store *store = make_store(support_temp_path("games.db"));
    DatasetFilter filter;
    char digest[2][HASH_HEX_MAX];

    for (int generation = 3; generation < 40; generation++) /* several groups of games */
        put_games(store, generation);
    dataset_filter_defaults(&filter);
    filter.positions.min_ply = 0;
    for (int i = 0; i < 2; i++) {
        Dataset *data;
        ck_assert_int_eq(dataset_from_store(store, &filter, 1 + 3 * i, &data, &err), STATUS_OK);
        memcpy(digest[i], data->digest, sizeof data->digest);
        dataset_destroy(data);
    }
    ck_assert_str_eq(digest[0], digest[1]);
    store_close(store);
}
END_TEST

/* A run of tabia spsa has the number of its iteration as generation. */
START_TEST(late_generations)
{
    Store *store = make_store(support_temp_path("games.db"));
    DatasetFilter filter;
    Dataset *data;

    put_games(store, 100000);
    dataset_filter_defaults(&filter);
    filter.positions.min_ply = 0;
    ck_assert_int_eq(dataset_from_store(store, &filter, 1, &data, &err), STATUS_OK);
    ck_assert_int_eq(data->generation[0], 1);
    ck_assert_int_eq(data->generation[data->positions - 1], 100000);
    dataset_destroy(data);
    store_close(store);
}
END_TEST

START_TEST(store_without_positions)
{
    Store *store = make_store(support_temp_path("games.db"));
    DatasetFilter filter = {
        .positions.min_ply = 100, .positions.max_phase = EVAL_PHASE_MAX, .generations.last = -1};
    Dataset *data;

    ck_assert_int_eq(dataset_from_store(store, &filter, 1, &data, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(
        err.text, "no position passes the filters; left out: 34 outside the range of plies"));
    filter.generations.first = 7;
    filter.generations.last = 8;
    ck_assert_int_eq(dataset_from_store(store, &filter, 1, &data, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_null(data);
    store_close(store);
}
END_TEST

static void store_refused(Store *store, const DatasetFilter *filter, const char *says)
{
    Dataset *data;

    ck_assert_int_eq(dataset_from_store(store, filter, 1, &data, &err), STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, says), "%s", err.text);
}

/* A match is read where its run is named. For a file of matches alone, the error names its runs. */
START_TEST(matches_are_read_by_their_runs)
{
    Store *store = store_open(support_temp_path("match.db"), STORE_CREATE, &err);
    DatasetFilter filter = {.positions.keep_checks = true,
                            .positions.keep_noisy = true,
                            .positions.keep_unscored = true,
                            .positions.max_phase = EVAL_PHASE_MAX,
                            .generations.last = -1};
    GamePly plies[16];
    GameRecord game = {.result = RESULT_DRAW,
                       .reason = REASON_MAX_PLIES,
                       .plies = plies,
                       .ply_count = make_plies("e2e4 e7e5", plies)};

    strcpy(game.start_fen, START_FEN);
    store_refused(store, &filter, "match.db: no games");
    ck_assert_int_eq(store_begin(store, &err), STATUS_OK);
    for (int seed = 1; seed <= 2; seed++) {
        RunRecord run = {
            .kind = RUN_GAUNTLET, .config = "{}", .seed = (uint64_t)seed, .generation = -1};
        run_identify(&run);
        const PlayerRecord player = {.name = "x", .config = "{}"};
        ck_assert_int_eq(store_open_run(store, &run, NULL, &err), STATUS_OK);
        ck_assert_int_eq(store_put_player(store, run.run_id, &player, &err), STATUS_OK);
        ck_assert_int_eq(store_put_game(store, run.run_id, &game, NULL, &err), STATUS_OK);
    }
    ck_assert_int_eq(store_commit(store, &err), STATUS_OK);
    store_refused(store, &filter, "match.db: has only games of matches");
    ck_assert_ptr_nonnull(strstr(err.text, "--runs 1-2"));
    filter.runs.first = filter.runs.last = 3;
    store_refused(store, &filter, "no games of these generations or runs");
    filter.runs.first = filter.runs.last = 2;
    expect_count(store, -1, -1, filter, 2, 1);
    filter.runs.first = filter.runs.last = 0;
    ck_assert_int_eq(store_begin(store, &err), STATUS_OK);
    ck_assert_int_eq(store_put_game(store, put_run(store, -1, 3), &game, NULL, &err), STATUS_OK);
    ck_assert_int_eq(store_commit(store, &err), STATUS_OK);
    expect_count(store, -1, -1, filter, 2, 1); /* self-play alone */
    store_close(store);
}
END_TEST

START_TEST(illegal_stored_move)
{
    const char *file = support_temp_path("games.db");
    Store *store = make_store(file);
    DatasetFilter filter = {
        .positions.max_phase = EVAL_PHASE_MAX, .generations.first = 5, .generations.last = 5};
    Dataset *data;
    GamePly plies[2] = {{make_move(12, 36, MOVE_QUIET), 0}, {0, 0}};
    GameRecord game = {.game_no = 77,
                       .result = RESULT_DRAW,
                       .reason = REASON_MAX_PLIES,
                       .plies = plies,
                       .ply_count = 2};

    strcpy(game.start_fen, START_FEN);
    ck_assert_int_eq(store_begin(store, &err), STATUS_OK);
    ck_assert_int_eq(store_put_game(store, put_run(store, 5, 1), &game, NULL, &err), STATUS_OK);
    ck_assert_int_eq(store_commit(store, &err), STATUS_OK);
    ck_assert_int_eq(dataset_from_store(store, &filter, 2, &data, &err), STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "run 3: game 77") && strstr(err.text, "games.db") &&
                      strstr(err.text, "ply 0"),
                  "%s", err.text);
    store_close(store);
}
END_TEST

/* Shares of 100 games of 100 plies, all in one position; and what is against the result. */
static int count_drops(PositionFilter f, const char *fen, DropReason wanted)
{
    static GamePly plies[100];
    GameRecord game = {.result = RESULT_WHITE_WINS, .plies = plies, .ply_count = 100};
    Position pos;
    int count = 0;

    f.keep_checks = f.keep_noisy = true;
    f.max_phase = EVAL_PHASE_MAX;
    ck_assert_int_eq(position_from_fen(&pos, fen, &err), STATUS_OK);
    for (; game.game_no < 100; game.game_no++)
        for (int ply = 0; ply < 100; ply++) {
            plies[ply].score = (int16_t)(ply - 50);
            DropReason reason = position_filter_drops(&f, &game, ply, &pos);
            ck_assert(reason == wanted || reason == DROP_NONE);
            count += reason == wanted;
        }
    return count;
}

START_TEST(positions_left_out_by_chance)
{
    static const char kings[] = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    static const char pawns[] = "4k3/pppppppp/8/8/8/8/PPPPPPP1/4K3 w - - 0 1";
    ck_assert_int_eq(count_drops((PositionFilter){0}, kings, DROP_RANDOM), 0);
    ck_assert_int_le(abs(count_drops((PositionFilter){.skip = 0.3}, kings, DROP_RANDOM) - 3000),
                     184); /* four standard deviations */
    PositionFilter pieces = {.pieces_full = 1};
    pieces.left_out[32] = 1;
    pieces.left_out[17] = 0.5;
    ck_assert_int_eq(count_drops(pieces, START_FEN, DROP_PIECES), 10000);
    ck_assert_int_le(abs(count_drops(pieces, pawns, DROP_PIECES) - 5000), 200);
    ck_assert_int_eq(count_drops(pieces, kings, DROP_PIECES), 0);
    pieces.pieces_full = 0; /* no curve: the shares are not looked at */
    pieces.skip = 1e-9;
    ck_assert_int_eq(count_drops(pieces, START_FEN, DROP_PIECES), 0);
    ck_assert_int_le(abs(count_drops((PositionFilter){.soft_ply = 80}, kings, DROP_EARLY) - 4050),
                     160);
    ck_assert_int_eq(count_drops((PositionFilter){.one_in = 5}, kings, DROP_SPACED), 8000);
    ck_assert_int_eq(count_drops((PositionFilter){.one_in = 1}, kings, DROP_SPACED), 0);
    ck_assert_int_eq(count_drops((PositionFilter){.max_against = 10}, kings, DROP_AGAINST), 4000);
    Position pos;
    const PositionFilter against = {.max_phase = EVAL_PHASE_MAX, .max_against = 10};
    ck_assert_int_eq(position_from_fen(&pos, kings, &err), STATUS_OK);
    for (int score = -11; score <= 11; score += 11) {
        ck_assert_int_eq(position_filter_drops_alone(&against, RESULT_DRAW, score, &pos),
                         score == 0 ? DROP_NONE : DROP_AGAINST);
        ck_assert_int_eq(position_filter_drops_alone(&against, 0.8, score, &pos),
                         score > 0 ? DROP_AGAINST : DROP_NONE);
    }
}
END_TEST

/* ---- Shares by the number of pieces */

/* The share that is left out of those with `pieces`, where `bare` positions have 2 pieces, `three`
 * have 3, and 1000 each other number. */
static double left_out(PositionFilter f, int64_t bare, int64_t three, int pieces)
{
    int64_t present[PIECES_MAX + 1] = {0, 0, bare, three};

    for (int n = 4; n <= PIECES_MAX; n++)
        present[n] = 1000;
    position_filter_follow_curve(&f, present);
    return f.left_out[pieces];
}

START_TEST(shares_of_a_curve)
{
    const PositionFilter flat = {.pieces_full = 7, .pieces_half = 7, .pieces_bare = 7};
    const PositionFilter few = {.pieces_bare = 1e-6}; /* 14 / 15 of it at 3 pieces, 0 from 17 */

    ck_assert_double_le(left_out(flat, 1000, 1000, 9), 0);
    ck_assert_double_le(left_out(flat, 10, 1000, 9), 0); /* one of 31 numbers falls short */
    ck_assert_double_eq_tol(left_out(flat, 10, 10, 9), 0.99, 1e-12); /* two may not */
    ck_assert_double_eq_tol(left_out(flat, 10, 20, 9), 0.98, 1e-12);
    ck_assert_double_le(left_out(flat, 10, 20, 2), 0);
    ck_assert_double_le(left_out(flat, 10, 20, 3), 0);
    /* Without positions a number is no part of the curve. */
    ck_assert_double_eq_tol(left_out(few, 0, 1000, 16), 1 - 1. / 14, 1e-12);
    ck_assert_double_le(left_out(few, 0, 1000, 3), 0);
    ck_assert_double_ge(left_out(few, 0, 1000, 17), 1);
    ck_assert_double_ge(left_out(few, 0, 1000, 32), 1);
}
END_TEST

/* Games of random moves, in which pieces become few. */
static Store *random_games(const char *file, int games)
{
    Store *store = store_open(file, STORE_CREATE, &err);
    GamePly plies[150];
    Pcg rng;

    ck_assert_msg(store != NULL, "%s", err.text);
    pcg_seed(&rng, 5, 1);
    ck_assert_int_eq(store_begin(store, &err), STATUS_OK);
    int64_t run_id = put_run(store, 1, 9);
    for (int i = 0; i < games; i++) {
        GameRecord game = {.game_no = i, .result = RESULT_WHITE_WINS, .plies = plies};
        Position pos, next;
        MoveList list;
        game.reason = REASON_MAX_PLIES;
        strcpy(game.start_fen, START_FEN);
        position_set_start(&pos);
        for (movegen_all(&pos, &list); game.ply_count < 150 && list.count > 0;) {
            Move move = list.moves[pcg_below(&rng, (uint32_t)list.count)];
            plies[game.ply_count++] = (GamePly){.move = move};
            position_make(&next, &pos, move);
            pos = next;
            movegen_all(&pos, &list);
        }
        ck_assert_int_eq(store_put_game(store, run_id, &game, NULL, &err), STATUS_OK);
    }
    ck_assert_int_eq(store_commit(store, &err), STATUS_OK);
    return store;
}

/* The positions of the set by their number of pieces; the last occurrence says that Black moves. */
static void count_pieces(const Dataset *data, int64_t count[PIECES_MAX + 1])
{
    memset(count, 0, (PIECES_MAX + 1) * sizeof *count);
    for (int64_t i = 0, at = 0; i < data->positions; at += data->count[i++])
        count[data->count[i] - (data->occurrence[at + data->count[i] - 1] == NETWORK_INPUTS)]++;
}

/* wanted(n), by its definition. */
static double wanted_at(const PositionFilter *f, int n)
{
    return n > 17 ? f->pieces_half + (f->pieces_full - f->pieces_half) * (n - 17) / 15
                  : f->pieces_bare + (f->pieces_half - f->pieces_bare) * (n - 2) / 15;
}

/* Numbers of which some positions are left out follow the curve: chi-square. The others fall short,
 * but for the one that sets the scale. */
static void expect_curve(const PositionFilter *f, const int64_t present[PIECES_MAX + 1],
                         const int64_t kept[PIECES_MAX + 1])
{
    double all = 0, complete = 0, wanted_sum = 0, kept_sum = 0, chi2 = 0;
    int followers = 0;

    for (int n = 2; n <= PIECES_MAX; n++) {
        double wanted = present[n] > 0 ? wanted_at(f, n) : 0;
        all += wanted;
        *(kept[n] == present[n] ? &complete : &wanted_sum) += wanted;
        if (kept[n] < present[n]) kept_sum += (double)kept[n];
    }
    for (int n = 2; n <= PIECES_MAX; n++) {
        double expected = kept_sum / wanted_sum * wanted_at(f, n),
               more = (double)kept[n] - expected;
        if (kept[n] == present[n]) {
            ck_assert_double_le(more, 0.1 * expected);
        } else if (wanted_at(f, n) <= 0) {
            ck_assert_int_eq(kept[n], 0);
        } else {
            followers++;
            chi2 += more * more / expected;
        }
    }
    ck_assert_int_ge(followers, 20);
    ck_assert_double_lt(chi2, 2 * followers); /* p is below 1 in 100 */
    ck_assert_double_gt(complete, 0);
    ck_assert_double_le(complete, all * (0.05 + 1. / 15)); /* 1 / 15: the one that sets the scale */
}

START_TEST(kept_positions_follow_the_curve)
{
    static const struct {
        double full, half, bare;
    } curves[] = {{1, 1, 1}, {0.5, 2, 0.5}, {1, 4, 0}, {8, 32, 0}};
    Store *store = random_games(support_temp_path("random.db"), 400);
    int64_t present[PIECES_MAX + 1], kept[PIECES_MAX + 1];
    DatasetFilter filter;
    Dataset *data;
    char digest[HASH_HEX_MAX] = "";

    dataset_filter_defaults(&filter);
    filter.pieces = true;
    filter.positions.skip = 0.1;
    filter.positions.soft_ply = 20;
    ck_assert_int_eq(dataset_from_store(store, &filter, 2, &data, &err), STATUS_OK);
    DatasetStats plain = data->stats;
    int64_t positions = data->positions;
    count_pieces(data, present);
    dataset_destroy(data);
    for (int i = 0; i < 8; i++) { /* each at 1 and 3 threads; the last two curves are equal */
        filter.positions.pieces_full = curves[i / 2].full;
        filter.positions.pieces_half = curves[i / 2].half;
        filter.positions.pieces_bare = curves[i / 2].bare;
        ck_assert_int_eq(dataset_from_store(store, &filter, 1 + i % 2 * 2, &data, &err), STATUS_OK);
        if (i % 2 || i > 4) ck_assert_str_eq(digest, data->digest);
        memcpy(digest, data->digest, sizeof digest);
        count_pieces(data, kept);
        expect_curve(&filter.positions, present, kept);
        /* All other reasons are those without a curve. */
        ck_assert_int_eq(data->stats.positions_read, plain.positions_read);
        ck_assert_int_eq(data->positions + data->stats.dropped[DROP_PIECES], positions);
        data->stats.dropped[DROP_PIECES] = 0;
        ck_assert_mem_eq(data->stats.dropped, plain.dropped, sizeof plain.dropped);
        dataset_destroy(data);
    }
    store_close(store);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, stored_games_and_filters, scores_of_the_rest_of_the_game,
              stored_games_at_any_thread_count, late_generations, store_without_positions,
              matches_are_read_by_their_runs, illegal_stored_move, positions_left_out_by_chance,
              shares_of_a_curve, kept_positions_follow_the_curve);
    return support_run(c);
}
