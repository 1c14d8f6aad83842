/* SPDX-License-Identifier: MIT
 * Matches: equal weights measure nothing, better ones measure something, and neither depends on
 * threads, interruptions or where the sequential test stops. */
#include <math.h>
#include <string.h>

#include "selfplay/gauntlet.h"
#include "selfplay/replay.h"
#include "tests/support.h"

typedef struct Match {
    EvalWeights weights[2];
    GauntletPlayer players[2];
    GauntletSettings settings;
    GauntletProgress result;
} Match;

static void match_init(Match *m, const char *a, const char *b, int64_t games, int threads)
{
    const char *names[2] = {a, b};

    gauntlet_defaults(&m->settings);
    m->settings.games = games;
    m->settings.threads = threads;
    m->settings.opening.verify_nodes = 100;
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(weights_load(names[i], &m->weights[i], NULL, NULL), STATUS_OK);
        m->players[i] = (GauntletPlayer){.name = names[i],
                                         .weights = &m->weights[i],
                                         .limits = {.nodes_soft = 100},
                                         .hash_bytes = 1 << 16};
    }
}

static void match_play(Match *m, Store *store)
{
    Error err = {0};
    Status status =
        gauntlet_run(store, m->players, &m->settings, NULL, NULL, NULL, NULL, &m->result, &err);
    ck_assert_msg(status == STATUS_OK, "%s", err.text);
}

static Store *create_store(const char *dir, const char *name)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s.db", dir, name);
    Store *store = store_open(path, STORE_CREATE, NULL);
    ck_assert_ptr_nonnull(store);
    return store;
}

START_TEST(test_equal_weights_measure_zero)
{
    Match m;

    match_init(&m, "material", "material", 24, 2);
    match_play(&m, NULL);
    const MatchStats *s = &m.result.stats;
    ck_assert_int_eq(m.result.score.ptnml[2], 12); /* every pair shared */
    ck_assert_int_eq(s->games, 24);
    ck_assert_int_eq(m.result.score.wins, m.result.score.losses);
    ck_assert(s->elo == 0 && s->elo95 == 0 && isnan(s->los) && s->score == 0.5);
}
END_TEST

START_TEST(test_knowledge_beats_none)
{
    Match m;

    match_init(&m, "material", "zero", 24, 2);
    match_play(&m, NULL);
    ck_assert(m.result.stats.score > 0.8);
    ck_assert(m.result.stats.los > 0.99);
    ck_assert_int_eq(m.result.score.wins + m.result.score.draws + m.result.score.losses, 24);
    int64_t pairs = 0;
    for (int i = 0; i < 5; i++)
        pairs += m.result.score.ptnml[i];
    ck_assert_int_eq(pairs, 12);
}
END_TEST

static Status check_stored_game(const GameRecord *game, Error *err)
{
    ck_assert_int_eq(game->white, (int)(game->game_no % 2));
    ck_assert_int_eq(game->black, 1 - game->white);
    ck_assert_int_eq(game->opening_no, game->game_no / 2);
    return replay_check(game, err);
}

/* The pairs' openings are equal, colours reversed, and every game is legal to its end. */
START_TEST(test_pairs_in_the_store)
{
    Match m;
    Error err = {0};
    const GameRecord *game;
    int64_t game_id, run_id, games = 0;
    char opening[FEN_TEXT_MAX] = "";
    Store *store = create_store(support_temp_dir(), "pairs");

    match_init(&m, "material", "zero", 20, 2);
    match_play(&m, store);
    GameCursor *cursor = store_read_games(store, NULL, 0, RUN_GAUNTLET, &err);
    ck_assert_ptr_nonnull(cursor);
    while (game_cursor_next(cursor, &game, &game_id, &run_id, &err) == STATUS_OK && game) {
        ck_assert_int_eq(game->game_no, games++);
        ck_assert_msg(check_stored_game(game, &err) == STATUS_OK, "%s", err.text);
        if (game->game_no % 2 == 1) ck_assert_str_eq(game->start_fen, opening);
        strcpy(opening, game->start_fen);
    }
    game_cursor_close(cursor);
    ck_assert_int_eq(games, 20);
    store_close(store);
}
END_TEST

static void same_match(const Match *a, const Match *b)
{
    ck_assert_int_eq(memcmp(&a->result.score, &b->result.score, sizeof a->result.score), 0);
    ck_assert(a->result.stats.llr == b->result.stats.llr);
}

/* The sequential test stops at the same pair, and the same games are kept, at 1 and 8 threads. */
START_TEST(test_sprt_stops_alike)
{
    const char *dir = support_temp_dir();
    char digest[2][HASH_HEX_MAX];
    Match m[2];

    for (int i = 0; i < 2; i++) {
        Store *store = create_store(dir, i ? "eight" : "one");
        match_init(&m[i], "material", "zero", 400, i ? 8 : 1);
        m[i].settings.sprt.enabled = true;
        m[i].settings.sprt.elo1 = 50;
        match_play(&m[i], store);
        ck_assert_int_eq(m[i].result.stats.decision, SPRT_ACCEPT_H1);
        ck_assert_int_lt(m[i].result.stats.games, 400);
        ck_assert_int_eq(store_digest(store, 0, digest[i], NULL), STATUS_OK);
        store_close(store);
    }
    same_match(&m[0], &m[1]);
    ck_assert_str_eq(digest[0], digest[1]);
}
END_TEST

/* A match goes on where it was left, and a decided one is not played on. */
START_TEST(test_prolonged)
{
    const char *dir = support_temp_dir();
    Match whole, parts;
    Store *store = create_store(dir, "whole");

    match_init(&whole, "material", "zero", 20, 2);
    match_play(&whole, store);
    store_close(store);
    store = create_store(dir, "parts");
    match_init(&parts, "material", "zero", 6, 2);
    match_play(&parts, store);
    parts.settings.games = 20;
    match_play(&parts, store);
    ck_assert_int_eq(parts.result.resumed, 6);
    ck_assert_int_eq(parts.result.done, 20);
    same_match(&whole, &parts);
    match_play(&parts, store);
    ck_assert_int_eq(parts.result.resumed, 20);
    same_match(&whole, &parts);
    store_close(store);
}
END_TEST

/* A test over games that are there already decides where it would have decided while they were
 * played. */
START_TEST(test_sprt_afterwards)
{
    Match whole, tested;
    Store *store = create_store(support_temp_dir(), "afterwards");

    match_init(&whole, "material", "zero", 100, 2);
    match_play(&whole, store);
    match_init(&tested, "material", "zero", 100, 2);
    tested.settings.sprt.enabled = true;
    tested.settings.sprt.elo1 = 50;
    match_play(&tested, NULL);
    ck_assert_int_lt(tested.result.stats.games, 100);
    whole.settings.sprt = tested.settings.sprt;
    match_play(&whole, store);
    ck_assert_int_eq(whole.result.resumed, 100);
    same_match(&whole, &tested);
    store_close(store);
}
END_TEST

START_TEST(test_interrupted)
{
    const atomic_int interrupted = 1;
    Match m;
    Error err = {0};
    Store *store = create_store(support_temp_dir(), "interrupted");

    match_init(&m, "material", "zero", 20, 2);
    ck_assert_int_eq(gauntlet_run(store, m.players, &m.settings, &interrupted, NULL, NULL, NULL,
                                  &m.result, &err),
                     STATUS_INTERRUPTED);
    ck_assert_int_eq(m.result.stats.games, 0);
    match_play(&m, store);
    ck_assert_int_eq(m.result.stats.games, 20);
    store_close(store);
}
END_TEST

START_TEST(test_book)
{
    char fens[2][FEN_MAX] = {START_FEN,
                             "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"};
    OpeningBook book = {2, fens, 2};
    Error err = {0};
    const GameRecord *game;
    int64_t game_id, run_id;
    Match m;
    Store *store = create_store(support_temp_dir(), "book");

    match_init(&m, "material", "zero", 8, 2);
    m.settings.book = &book;
    m.settings.book_start = 1;
    match_play(&m, store);
    GameCursor *cursor = store_read_games(store, NULL, 0, 0, &err);
    while (game_cursor_next(cursor, &game, &game_id, &run_id, &err) == STATUS_OK && game)
        ck_assert_str_eq(game->start_fen, fens[(game->game_no / 2 + 1) % 2]);
    game_cursor_close(cursor);
    store_close(store);
}
END_TEST

START_TEST(test_bad_settings)
{
    Match m;
    Error err = {0};

    match_init(&m, "material", "zero", 7, 1);
    ck_assert_int_eq(
        gauntlet_run(NULL, m.players, &m.settings, NULL, NULL, NULL, NULL, &m.result, &err),
        STATUS_USAGE);
    match_init(&m, "material", "zero", 8, 1);
    m.players[1].limits = (SearchLimits){0};
    ck_assert_int_eq(
        gauntlet_run(NULL, m.players, &m.settings, NULL, NULL, NULL, NULL, &m.result, &err),
        STATUS_USAGE);
    ck_assert_msg(strstr(err.text, "zero") != NULL, "%s", err.text);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("gauntlet");
    TCase *c = tcase_create("gauntlet");

    tcase_set_timeout(c, 60);
    tcase_add_test(c, test_equal_weights_measure_zero);
    tcase_add_test(c, test_knowledge_beats_none);
    tcase_add_test(c, test_pairs_in_the_store);
    tcase_add_test(c, test_sprt_stops_alike);
    tcase_add_test(c, test_prolonged);
    tcase_add_test(c, test_sprt_afterwards);
    tcase_add_test(c, test_interrupted);
    tcase_add_test(c, test_book);
    tcase_add_test(c, test_bad_settings);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return support_run(suite());
}
