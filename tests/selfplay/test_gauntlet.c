/* SPDX-License-Identifier: MIT
 * Matches: equal weights score 0 Elo, better ones more. Results do not depend on threads,
 * interruptions or where the sequential test stops. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "db/chess/replay.h"
#include "db/store/stmt.h"
#include "db/store/store.h"
#include "db/tables/check.h"
#include "db/tables/cursor.h"
#include "db/tables/digest.h"
#include "db/tables/players.h"
#include "db/tables/runs.h"
#include "engine/eval/evaluation_load.h"
#include "engine/notation/fen.h"
#include "selfplay/match/gauntlet.h"
#include "selfplay/players/child_guard.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"

typedef struct Match {
    Evaluation weights[2];
    GauntletPlayer players[2];
    GauntletSettings settings;
    GauntletProgress result;
} Match;

static void match_init(Match *m, const char *a, const char *b, int64_t games, int threads)
{
    const char *names[2] = {a, b};

    gauntlet_defaults(&m->settings);
    m->settings.players = m->players;
    m->settings.games = games;
    m->settings.threads = threads;
    m->settings.opening.verify_nodes = 100;
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(evaluation_load(names[i], &m->weights[i], NULL, &(Error){0}), STATUS_OK);
        m->players[i] =
            (GauntletPlayer){.name = names[i],
                             .engine = {.weights = &m->weights[i], .hash_bytes = 1 << 16},
                             .limits = {.nodes_soft = 200}};
    }
}

static void match_play(Match *m, Store *store)
{
    Error err = {0};
    Status status = gauntlet_run(store, &m->settings, NULL, NULL, &m->result, &err);
    ck_assert_msg(status == STATUS_OK, "%s", err.text);
    scoreboard_free(&m->result.board); /* the score stays */
}

static Store *create_store(const char *dir, const char *name)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s.db", dir, name);
    Store *store = store_open(path, STORE_CREATE, &(Error){0});
    ck_assert_ptr_nonnull(store);
    return store;
}

START_TEST(test_equal_weights_measure_zero)
{
    Match m;

    match_init(&m, "material", "material", 24, 2);
    match_play(&m, NULL);
    const MatchStats *s = &m.result.stats;
    ck_assert_int_eq(m.result.score.ptnml[2], 12); /* every pair is drawn */
    ck_assert_int_eq(s->games, 24);
    ck_assert_int_eq(m.result.score.wins, m.result.score.losses);
    ck_assert(s->elo == 0 && s->elo95 > 0 && isnan(s->los) && s->score == 0.5);
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
        ck_assert_int_eq(store_digest(store, digest[i], &(Error){0}), STATUS_OK);
        store_close(store);
    }
    same_match(&m[0], &m[1]);
    ck_assert_str_eq(digest[0], digest[1]);
}
END_TEST

/* A match is resumed where it stopped; a decided one is not continued. */
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
    parts.settings.games = 6; /* fewer than are stored */
    match_play(&parts, store);
    ck_assert_int_eq(parts.result.done, 6);
    ck_assert_int_eq(parts.result.stats.games, 6);
    store_close(store);
}
END_TEST

/* A build with another search does not resume the run. */
START_TEST(test_another_search_is_another_match)
{
    Store *store = create_store(support_temp_dir(), "searches");
    Match m;

    match_init(&m, "zero", "zero", 2, 1);
    m.settings.opening.random_plies = 0; /* no verification: only the players matter */
    for (int build = 0; build < 2; build++) {
        m.settings.search += build;
        match_play(&m, store);
        ck_assert_int_eq(m.result.resumed, 0);
    }
    match_play(&m, store);
    ck_assert_int_eq(m.result.resumed, 2);
    store_close(store);
}
END_TEST

/* SPRT over stored games decides at the same pair as during play. */
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
    ck_assert_int_eq(gauntlet_run(store, &m.settings, NULL, &interrupted, &m.result, &err),
                     STATUS_INTERRUPTED);
    scoreboard_free(&m.result.board);
    ck_assert_int_eq(m.result.stats.games, 0);
    match_play(&m, store);
    ck_assert_int_eq(m.result.stats.games, 20);
    store_close(store);
}
END_TEST

static int64_t number_of(Store *store, const char *sql)
{
    Error err = {0};
    int64_t number = -1;

    MUST(stmt_read_number(store, sql, &number, &err));
    return number;
}

/* A run that goes on is not finished; a shorter match leaves the result of the longer one. */
START_TEST(test_state_of_a_run)
{
    static const char finished[] = "SELECT count(*) FROM runs WHERE finished IS NOT NULL",
                      games[] = "SELECT json ->> '$.games' FROM gauntlets"
                                " WHERE state = 'finished'";
    const atomic_int interrupted = 1;
    Match m, shorter;
    Error err = {0};
    Store *store = create_store(support_temp_dir(), "states");

    match_init(&m, "material", "zero", 8, 2);
    match_play(&m, store);
    ck_assert_int_eq(number_of(store, finished), 1);
    match_init(&shorter, "material", "zero", 4, 2);
    match_play(&shorter, store);
    ck_assert_int_eq(shorter.result.stats.games, 4);
    ck_assert_int_eq(number_of(store, games), 8);
    m.settings.games = 20;
    ck_assert_int_eq(gauntlet_run(store, &m.settings, NULL, &interrupted, &m.result, &err),
                     STATUS_INTERRUPTED);
    scoreboard_free(&m.result.board);
    ck_assert_int_eq(number_of(store, finished), 0);
    store_close(store);
}
END_TEST

/* In the store while the match goes on: its games, at the first progress of a process. */
typedef struct Stored {
    Store *store;
    int64_t games; /* -1: not yet asked */
} Stored;

static void ask_stored(void *context, const GauntletProgress *progress)
{
    Stored *stored = context;
    Error err = {0};

    (void)progress;
    if (stored->games < 0)
        MUST(stmt_read_number(stored->store, "SELECT json ->> '$.games' FROM gauntlets",
                              &stored->games, &err));
}

START_TEST(a_resumed_match_keeps_its_stored_result)
{
    Stored stored = {create_store(support_temp_dir(), "resumed"), -1};
    const GauntletObserver observer = {.context = &stored, .progress = ask_stored};
    Error err = {0};
    Match m;

    match_init(&m, "material", "zero", 6, 1);
    match_play(&m, stored.store);
    m.settings.games = 8;
    MUST(gauntlet_run(stored.store, &m.settings, &observer, NULL, &m.result, &err));
    scoreboard_free(&m.result.board);
    ck_assert_int_eq(stored.games, 6);
    store_close(stored.store);
}
END_TEST

/* ---- Many players */

enum { FIELD = 4 };

typedef struct Tournament {
    Evaluation weights[FIELD];
    GauntletPlayer players[FIELD];
    GauntletSettings settings;
    GauntletProgress result;
} Tournament;

/* A round robin. */
static void tournament_init(Tournament *t, int64_t games, int threads)
{
    static const char *const names[FIELD] = {"zero", "material", "builtin", "hasty"};

    gauntlet_defaults(&t->settings);
    t->settings.games = games;
    t->settings.players = t->players;
    t->settings.schedule = (Schedule){.players = FIELD, .seeds = FIELD - 1};
    t->settings.threads = threads;
    t->settings.opening.verify_nodes = 100;
    for (int i = 0; i < FIELD; i++) {
        const char *weights = i == 3 ? "builtin" : names[i];
        ck_assert_int_eq(evaluation_load(weights, &t->weights[i], NULL, &(Error){0}), STATUS_OK);
        t->players[i] =
            (GauntletPlayer){.name = names[i],
                             .engine = {.weights = &t->weights[i], .hash_bytes = 1 << 16},
                             .limits = {.nodes_soft = i == 3 ? 10 : 100}};
    }
}

static void tournament_play(Tournament *t, Store *store)
{
    Error err = {0};
    Status status = gauntlet_run(store, &t->settings, NULL, NULL, &t->result, &err);
    ck_assert_msg(status == STATUS_OK, "%s", err.text);
}

static void same_board(const Scoreboard *a, const Scoreboard *b)
{
    ck_assert_int_eq(a->pairing_count, b->pairing_count);
    for (int i = 0; i < a->pairing_count; i++)
        ck_assert_int_eq(memcmp(&a->pairings[i], &b->pairings[i], sizeof a->pairings[i]), 0);
}

/* Pairings play from their own or shared openings. In one or several parts, with one or several
 * threads, the tournament is the same. */
START_TEST(test_round_robin)
{
    const int games_an_opening = _i ? 12 : 2;
    const char *dir = support_temp_dir();
    char digest[2][HASH_HEX_MAX], opening[FEN_TEXT_MAX] = "";
    Tournament whole, parts;
    const GameRecord *game;
    int64_t games = 0;

    Store *store = create_store(dir, "whole");
    tournament_init(&whole, 6, 2);
    whole.settings.schedule.shared_openings = _i;
    tournament_play(&whole, store);
    ck_assert_int_eq(whole.result.done, 6 * 6);
    for (int i = 0; i < 6; i++) {
        const MatchScore *s = &whole.result.board.pairings[i].score;
        ck_assert_int_eq(s->wins + s->draws + s->losses, 6);
    }
    GameCursor *cursor = store_read_games(store, NULL, 0, RUN_GAUNTLET, &(Error){0});
    for (; game_cursor_next(cursor, &game, NULL, NULL, &(Error){0}) == STATUS_OK && game; games++) {
        ScheduledGame due = schedule_game(&whole.result.board.schedule, games);
        ck_assert_int_eq(game->game_no, games);
        ck_assert_int_eq(game->white, due.players[due.white]);
        ck_assert_int_eq(game->black, due.players[1 - due.white]);
        ck_assert_int_eq(game->opening_no, games / games_an_opening);
        ck_assert_int_eq(strcmp(game->start_fen, opening) == 0, games % games_an_opening != 0);
        strcpy(opening, game->start_fen);
        ck_assert_ptr_nonnull(game->clock);
        ck_assert_uint_gt(game->clock[0].depth, 0);
    }
    game_cursor_close(cursor);
    ck_assert_int_eq(games, 36);
    ck_assert_int_eq(store_check(store, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(store_digest(store, digest[0], &(Error){0}), STATUS_OK);
    store_close(store);

    store = create_store(dir, "parts");
    tournament_init(&parts, 2, 1);
    parts.settings.schedule.shared_openings = _i;
    tournament_play(&parts, store);
    scoreboard_free(&parts.result.board);
    parts.settings.games = 6;
    parts.settings.threads = 3;
    tournament_play(&parts, store);
    ck_assert_int_eq(parts.result.resumed, 12);
    same_board(&whole.result.board, &parts.result.board);
    ck_assert_int_eq(store_digest(store, digest[1], &(Error){0}), STATUS_OK);
    ck_assert_str_eq(digest[0], digest[1]);
    store_close(store);
    scoreboard_free(&whole.result.board);
    scoreboard_free(&parts.result.board);
}
END_TEST

/* ---- Programs */

/* A worker keeps a few external engines running; the others end and are restarted. */
START_TEST(test_programs_kept)
{
    enum { PROGRAMS = 6, KEPT = 4 };
    const char *dir = support_temp_dir();
    char path[128], script[512];
    UciSetup uci = {.name = "one", .command.program = path, .stall_ms = 20000, .init_ms = 20000};
    GauntletPlayer players[PROGRAMS];
    GauntletSettings settings;
    GauntletProgress result;
    Error err = {0};
    int most = 0, alive = 0;

    /* logs its start and end to a file; its first move is illegal */
    (void)snprintf(path, sizeof path, "%s/engine", dir);
    (void)snprintf(
        script, sizeof script,
        "#!/bin/sh\necho + >>%s/alive\nwhile read -r line; do case $line in uci) echo uciok;;"
        " isready) echo readyok;; go*) echo bestmove 0000;; quit) break;; esac; done\n"
        "echo - >>%s/alive\n",
        dir, dir);
    support_write_file(path, script);
    ck_assert_int_eq(chmod(path, 0700), 0);
    gauntlet_defaults(&settings);
    settings.games = 4;
    settings.players = players;
    settings.schedule = (Schedule){.players = PROGRAMS, .seeds = PROGRAMS - 1};
    settings.opening.random_plies = 0;
    for (int i = 0; i < PROGRAMS; i++)
        players[i] = (GauntletPlayer){.name = "p", .uci = &uci, .limits = {.depth = 1}};
    Status status = gauntlet_run(NULL, &settings, NULL, NULL, &result, &err);
    ck_assert_msg(status == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(forfeits_total(&result.board.forfeits[PROGRAMS - 1]), 2 * (PROGRAMS - 1));
    scoreboard_free(&result.board);
    (void)snprintf(path, sizeof path, "%s/alive", dir);
    char *text = support_read_file(path);
    for (const char *c = text; *c; c++) {
        alive += (*c == '+') - (*c == '-');
        if (alive > most) most = alive;
    }
    free(text);
    ck_assert_int_eq(alive, 0);
    ck_assert_int_eq(most, KEPT);
}
END_TEST

/* The players are stored. A match of other players is another run. */
START_TEST(test_fields_are_kept_apart)
{
    Store *store = create_store(support_temp_dir(), "fields");
    PlayerRecord *players;
    RunRecord *runs;
    Tournament t;
    int count;

    tournament_init(&t, 2, 2);
    tournament_play(&t, store);
    scoreboard_free(&t.result.board);
    t.players[3].limits.nodes_soft = 20;
    tournament_play(&t, store);
    ck_assert_int_eq(t.result.resumed, 0);
    scoreboard_free(&t.result.board);
    ck_assert_int_eq(store_list_runs(store, 0, &runs, &count, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(count, 2);
    ck_assert_int_eq(store_list_players(store, runs[1].run_id, &players, &count, &(Error){0}),
                     STATUS_OK);
    ck_assert_int_eq(count, FIELD);
    ck_assert_str_eq(players[3].name, "hasty");
    ck_assert_ptr_nonnull(strstr(players[3].config, "\"nodes_soft\":20"));
    ck_assert_str_eq(players[3].weights, players[2].weights); /* the same weights with less time */
    store_free_players(players, count);
    store_free_runs(runs, 2);
    store_close(store);
}
END_TEST

/* Forfeits count for the loser, with either colour. */
START_TEST(test_forfeits)
{
    const Schedule schedule = {3, 1, false};
    Scoreboard board;

    ck_assert_int_eq(scoreboard_init(&board, &schedule, &(Error){0}), STATUS_OK);
    for (int64_t no = 0; no < 4; no += 2) { /* 0 against 1, then 0 against 2: White always loses */
        GameOutcome outcomes[2];
        for (int i = 0; i < 2; i++) {
            GameRecord game = {.game_no = no + i,
                               .result = RESULT_BLACK_WINS,
                               .reason = i ? REASON_CRASH : REASON_TIME};
            outcomes[i] = game_outcome(&schedule, &game);
        }
        scoreboard_add_pair(&board, no, outcomes);
    }
    ck_assert_int_eq(board.forfeits[0].time, 2);
    ck_assert_int_eq(board.forfeits[1].crashes, 1);
    ck_assert_int_eq(board.forfeits[2].crashes, 1);
    ck_assert_int_eq(forfeits_total(&board.forfeits[1]), 1);
    MatchScore zero = scoreboard_player(&board, 0);
    ck_assert_int_eq(zero.ptnml[2], 2);
    ck_assert_int_eq(zero.wins, 2);
    scoreboard_free(&board);
}
END_TEST

/* How many pairs until the pairing is named: game i has the moves of number games[i % count], and
 * the second game of a pair those of the first one plus `reversed`. 0: it is not, in 40 pairs. */
static int pairs_until_named(int count, int reversed, int64_t *repeated)
{
    const Schedule schedule = {2, 1, false};
    Scoreboard board;
    int named = 0;

    ck_assert_int_eq(scoreboard_init(&board, &schedule, &(Error){0}), STATUS_OK);
    for (int pair = 0; pair < 40; pair++) {
        GameOutcome outcomes[2];
        for (int i = 0; i < 2; i++) {
            GamePly ply = {.move = (uint16_t)(2 * (pair % count) + i * reversed)};
            GameRecord game = {.game_no = 2 * pair + i, .ply_count = 1, .plies = &ply};
            outcomes[i] = game_outcome(&schedule, &game);
        }
        if (scoreboard_add_pair(&board, 2 * pair, outcomes)) {
            ck_assert_int_eq(named, 0); /* once */
            named = pair + 1;
        }
    }
    *repeated = board.pairings[0].repeated;
    scoreboard_free(&board);
    return named;
}

START_TEST(test_repeated_games)
{
    int64_t repeated;

    ck_assert_int_eq(pairs_until_named(40, 1, &repeated), 0); /* two games of each opening */
    ck_assert_int_eq(repeated, 0);
    ck_assert_int_eq(pairs_until_named(40, 0, &repeated), 10); /* the players play alike */
    ck_assert_int_eq(repeated, 40);
    ck_assert_int_eq(pairs_until_named(4, 1, &repeated), 9); /* four openings again and again */
    ck_assert_int_eq(repeated, 72);
    ck_assert_int_eq(pairs_until_named(35, 1, &repeated), 0); /* ten games of 80 */
    ck_assert_int_eq(repeated, 10);
}
END_TEST

START_TEST(test_book)
{
    char fens[2][FEN_MAX] = {START_FEN,
                             "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"};
    OpeningBook book = {.count = 2, .fens = fens, .start = 1};
    Error err = {0};
    const GameRecord *game;
    int64_t game_id, run_id;
    Match m;
    Store *store = create_store(support_temp_dir(), "book");

    match_init(&m, "material", "zero", 8, 2);
    m.settings.book = &book;
    m.settings.opening.random_plies = 0;
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
    ck_assert_int_eq(gauntlet_run(NULL, &m.settings, NULL, NULL, &m.result, &err), STATUS_USAGE);
    match_init(&m, "material", "zero", 8, 1);
    m.players[1].limits = (SearchLimits){0};
    ck_assert_int_eq(gauntlet_run(NULL, &m.settings, NULL, NULL, &m.result, &err), STATUS_USAGE);
    ck_assert_msg(strstr(err.text, "zero") != NULL, "%s", err.text);

    Tournament t;
    tournament_init(&t, 2, 1);
    t.settings.sprt.enabled = true;
    ck_assert_int_eq(gauntlet_run(NULL, &t.settings, NULL, NULL, &t.result, &err), STATUS_USAGE);
    ck_assert_msg(strstr(err.text, "two players") != NULL, "%s", err.text);
    t.settings.sprt.enabled = false;
    t.settings.schedule.seeds = FIELD;
    ck_assert_int_eq(gauntlet_run(NULL, &t.settings, NULL, NULL, &t.result, &err), STATUS_USAGE);
}
END_TEST

int main(int argc, char **argv)
{
    TCase *c = tcase_create("tests");

    (void)argc;
    guard_main(argv);
    ADD_TESTS(c, test_equal_weights_measure_zero, test_knowledge_beats_none,
              test_pairs_in_the_store, test_sprt_stops_alike, test_prolonged,
              test_another_search_is_another_match, test_sprt_afterwards, test_interrupted,
              test_state_of_a_run, a_resumed_match_keeps_its_stored_result, test_programs_kept,
              test_fields_are_kept_apart, test_forfeits, test_repeated_games, test_book,
              test_bad_settings);
    tcase_add_loop_test(c, test_round_robin, 0, 2);
    return support_run(c);
}
