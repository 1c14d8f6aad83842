/* SPDX-License-Identifier: MIT
 * The referee: every way a game can end, clocks, faults, exploration; then real games, whose
 * records must replay to their stated end. */
#include <stdlib.h>
#include <string.h>

#include "db/chess/replay.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/game/game.h"
#include "selfplay/openings/opening.h"
#include "selfplay/players/player.h"
#include "tests/support/support.h"

/* A player that repeats a script of UCI moves, with a fixed score from White's view. */
typedef struct ScriptPlayer {
    Player base;
    const char *moves;     /* of both sides, one blank between */
    int white_score;       /* or SCORE_UNKNOWN */
    int fail_ply;          /* here: */
    GameReason lost;       /* this fault, or */
    Move illegal;          /* this move, or */
    int64_t time_us;       /* reported time of every move */
    SearchLimits told[16]; /* limits received, by ply of the game */
    int new_games;
} ScriptPlayer;

static Status script_new_game(Player *player, Error *err)
{
    (void)err;
    ((ScriptPlayer *)player)->new_games++;
    return STATUS_OK;
}

static const char *nth_word(const char *text, int n)
{
    int words = 1;
    for (const char *c = text; *c; c++)
        words += *c == ' ';
    for (n %= words; n > 0; n--)
        text = strchr(text, ' ') + 1;
    return text;
}

static Status script_choose(Player *player, const GameView *game, const SearchLimits *limits,
                            PlayerMove *out, Error *err)
{
    ScriptPlayer *p = (ScriptPlayer *)player;
    bool white = position_stm(game->position) == WHITE;

    if (game->ply_count < 16) p->told[game->ply_count] = *limits;
    *out = (PlayerMove){.nodes = 10, .time_us = p->time_us};
    out->score = p->white_score == SCORE_UNKNOWN || white ? p->white_score : -p->white_score;
    if (game->ply_count == p->fail_ply) {
        out->lost = p->lost;
        out->move = p->illegal;
        return STATUS_OK;
    }
    return move_from_uci(game->position, nth_word(p->moves, game->ply_count), &out->move, err);
}

static void script_destroy(Player *player)
{
    (void)player;
}

static const PlayerVtable script_vtable = {script_new_game, script_choose, script_destroy};

static ScriptPlayer script_player(const char *moves, int white_score)
{
    return (ScriptPlayer){
        .base = {&script_vtable}, .moves = moves, .white_score = white_score, .fail_ply = -1};
}

static GamePly plies[GAME_PLIES_MAX];

/* Plays the script from `fen` and checks the record by the rules. */
static GameRecord play_script(ScriptPlayer *player, const char *fen, const Adjudication *rules)
{
    GameRecord game = {.plies = plies};
    Error err = {0};
    GameSetup setup = {.players = {&player->base, &player->base}, .start_fen = fen};

    if (rules) setup.adjudication = *rules;
    ck_assert_msg(game_play(&setup, &game, &err) == STATUS_OK, "%s", err.text);
    ck_assert_msg(replay_check(&game, &err) == STATUS_OK, "%s", err.text);
    return game;
}

typedef struct Ending {
    const char *fen, *moves;
    GameResult result;
    GameReason reason;
    int plies;
} Ending;

static const Ending endings[] = {
    {START_FEN, "f2f3 e7e5 g2g4 d8h4", RESULT_BLACK_WINS, REASON_CHECKMATE, 4},
    {START_FEN, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", RESULT_WHITE_WINS, REASON_CHECKMATE, 7},
    {"7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", "g5g6", RESULT_DRAW, REASON_STALEMATE, 1},
    {START_FEN, "g1f3 g8f6 f3g1 f6g8", RESULT_DRAW, REASON_REPETITION, 8},
    {"8/8/4k3/8/8/3K4/8/7R w - - 98 80", "h1h2 e6e5", RESULT_DRAW, REASON_FIFTY_MOVES, 2},
    /* the mate on the hundredth ply counts */
    {"7k/8/5KQ1/8/8/8/8/8 w - - 99 80", "g6g7", RESULT_WHITE_WINS, REASON_CHECKMATE, 1},
    {"8/8/4k3/8/8/3Kp3/8/8 w - - 0 1", "d3e3", RESULT_DRAW, REASON_MATERIAL, 1},
    /* over before it begins */
    {"8/8/4k3/8/8/3K4/8/8 w - - 0 1", "d3e3", RESULT_DRAW, REASON_MATERIAL, 0},
    {"7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "h8h7", RESULT_WHITE_WINS, REASON_CHECKMATE, 0},
};

START_TEST(test_endings)
{
    const Ending *e = &endings[_i];
    ScriptPlayer player = script_player(e->moves, 0);
    GameRecord game = play_script(&player, e->fen, NULL);

    ck_assert_int_eq(game.result, e->result);
    ck_assert_int_eq(game.reason, e->reason);
    ck_assert_int_eq(game.ply_count, e->plies);
    ck_assert_int_eq(game.nodes, 10 * e->plies);
    ck_assert_str_eq(game.start_fen, e->fen);
    ck_assert_int_eq(player.new_games, 1);
}
END_TEST

/* Kings and rooks move for long without a threefold repetition. */
#define WALK_FEN "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1"
#define WALK     "a1b1 a8b8 b1c1 b8c8 c1d1 c8d8 d1a1 d8a8"

typedef struct Verdict {
    Adjudication rules;
    int white_score;
    GameResult result;
    GameReason reason;
    int plies;
} Verdict;

static const Verdict verdicts[] = {
    {{.win_score = 500, .win_plies = 4}, 500, RESULT_WHITE_WINS, REASON_WIN_ADJUDICATION, 4},
    {{.win_score = 500, .win_plies = 4}, -501, RESULT_BLACK_WINS, REASON_WIN_ADJUDICATION, 4},
    {{.win_score = 500, .win_plies = 5}, 31990, RESULT_WHITE_WINS, REASON_WIN_ADJUDICATION, 5},
    {{.win_score = 500, .win_plies = 4, .max_plies = 9}, 499, RESULT_DRAW, REASON_MAX_PLIES, 9},
    {{.draw_score = 10, .draw_plies = 4}, -10, RESULT_DRAW, REASON_DRAW_ADJUDICATION, 4},
    {{.draw_score = 10, .draw_plies = 4, .draw_from_ply = 6},
     10,
     RESULT_DRAW,
     REASON_DRAW_ADJUDICATION,
     10},
    {{.draw_score = 10, .draw_plies = 4, .max_plies = 9}, 11, RESULT_DRAW, REASON_MAX_PLIES, 9},
    {{.win_score = 0, .win_plies = 2, .draw_plies = 2, .max_plies = 7},
     SCORE_UNKNOWN,
     RESULT_DRAW,
     REASON_MAX_PLIES,
     7},
    {{.max_plies = 3}, 0, RESULT_DRAW, REASON_MAX_PLIES, 3},
};

START_TEST(test_adjudication)
{
    const Verdict *v = &verdicts[_i];
    ScriptPlayer player = script_player(WALK, v->white_score);
    GameRecord game = play_script(&player, WALK_FEN, &v->rules);

    ck_assert_int_eq(game.result, v->result);
    ck_assert_int_eq(game.reason, v->reason);
    ck_assert_int_eq(game.ply_count, v->plies);
    for (int i = 0; i < game.ply_count; i++) /* stored scores are White's */
        ck_assert_int_eq(game.plies[i].score, v->white_score);
}
END_TEST

/* win_one_sided: only the loser's score counts, after half as many moves. */
START_TEST(test_one_side_resigns)
{
    ScriptPlayer sober = script_player(WALK, 0), other = script_player(WALK, 600);
    GameRecord game = {.plies = plies};
    GameSetup setup = {
        .players = {&sober.base, &other.base},
        .start_fen = WALK_FEN,
        .adjudication = {.win_score = 500, .win_plies = 4, .win_one_sided = true, .max_plies = 9}};

    ck_assert_int_eq(game_play(&setup, &game, &(Error){0}), STATUS_OK); /* Black's score is lost */
    ck_assert_int_eq(game.result, RESULT_WHITE_WINS);
    ck_assert_int_eq(game.reason, REASON_WIN_ADJUDICATION);
    ck_assert_int_eq(game.ply_count, 4);
    other.white_score = -600; /* Black's score is won */
    ck_assert_int_eq(game_play(&setup, &game, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(game.reason, REASON_MAX_PLIES);
    sober.white_score = -600; /* and White's score is lost */
    ck_assert_int_eq(game_play(&setup, &game, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(game.result, RESULT_BLACK_WINS);
    ck_assert_int_eq(game.ply_count, 3);
}
END_TEST

/* draw_resets: captures and pawn moves restart the count; without it they do not. */
START_TEST(test_draw_count_resets)
{
    ScriptPlayer player = script_player("a1b1 a8b8 e2e3 b8c8 b1c1 c8d8", 0);
    const Adjudication rules = {.draw_plies = 4, .draw_resets = _i};
    GameRecord game = play_script(&player, "r3k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", &rules);

    ck_assert_int_eq(game.reason, REASON_DRAW_ADJUDICATION);
    ck_assert_int_eq(game.ply_count, _i ? 6 : 4);
}
END_TEST

/* The scores of one side alone do not adjudicate the game. */
START_TEST(test_both_sides_must_agree)
{
    ScriptPlayer hopeful = script_player(WALK, 900), sober = script_player(WALK, 0);
    GameRecord game = {.plies = plies};
    GameSetup setup = {
        .players = {&hopeful.base, &sober.base},
        .start_fen = WALK_FEN,
        .adjudication = {
            .win_score = 500, .win_plies = 2, .draw_score = 10, .draw_plies = 2, .max_plies = 9}};

    ck_assert_int_eq(game_play(&setup, &game, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(game.reason, REASON_MAX_PLIES);
    ck_assert_int_eq(game.white, 0);
    ck_assert_int_eq(game.black, 1);
    ck_assert_int_eq(hopeful.new_games, 1);
    ck_assert_int_eq(sober.new_games, 1);
    ck_assert_int_eq(game.plies[0].score, 900);
    ck_assert_int_eq(game.plies[1].score, 0);
    setup.white = 1;
    ck_assert_int_eq(game_play(&setup, &game, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(game.white, 1);
    ck_assert_int_eq(game.plies[0].score, 0);
}
END_TEST

START_TEST(test_faults_lose)
{
    ScriptPlayer player = script_player(WALK, 0);
    GameRecord game = {.plies = plies};

    player.fail_ply = 3; /* Black to move */
    player.illegal = make_move(0, 63, MOVE_QUIET);
    game = play_script(&player, WALK_FEN, NULL);
    ck_assert_int_eq(game.reason, REASON_ILLEGAL_MOVE);
    ck_assert_int_eq(game.result, RESULT_WHITE_WINS);
    ck_assert_int_eq(game.ply_count, 3);
    player.illegal = MOVE_NONE;
    player.lost = REASON_CRASH;
    game = play_script(&player, WALK_FEN, NULL);
    ck_assert_int_eq(game.reason, REASON_CRASH);
    player.fail_ply = 2;
    player.lost = REASON_STALL;
    game = play_script(&player, WALK_FEN, NULL);
    ck_assert_int_eq(game.reason, REASON_STALL);
    ck_assert_int_eq(game.result, RESULT_BLACK_WINS);
}
END_TEST

/* Ten plies, each side with its limits and times a move in microseconds. */
static GameRecord play_timed(ScriptPlayer players[2], const SearchLimits *limits,
                             int64_t white_margin_ms, int64_t white_us, int64_t black_us)
{
    GameRecord game = {.plies = plies};
    GameSetup setup = {.players = {&players[0].base, &players[1].base},
                       .start_fen = WALK_FEN,
                       .limits = {*limits, *limits},
                       .margin_ms = {white_margin_ms, 0},
                       .adjudication = {.max_plies = 10}};

    for (int i = 0; i < 2; i++)
        players[i] = script_player(WALK, 0);
    players[0].time_us = white_us;
    players[1].time_us = black_us;
    ck_assert_int_eq(game_play(&setup, &game, &(Error){0}), STATUS_OK);
    return game;
}

static void check_forfeit(const GameRecord *game, GameResult result, int ply_count)
{
    ck_assert_str_eq(reason_name(game->reason), reason_name(REASON_TIME));
    ck_assert_int_eq(game->result, result);
    ck_assert_int_eq(game->ply_count, ply_count);
}

START_TEST(test_clocks)
{
    const SearchLimits clock = {
        .has_clock = true, .time_ms = {20, 20}, .increment_ms = {1, 1}, .depth = 1};
    ScriptPlayer p[2];

    /* Increments are added before the move, microseconds are counted, and all time may be used. */
    GameRecord game = play_timed(p, &clock, 0, 1500, 4800);
    ck_assert_int_eq(game.reason, REASON_MAX_PLIES);
    ck_assert_int_eq(p[0].told[4].time_ms[WHITE], 20);
    ck_assert_int_eq(p[0].told[4].time_ms[BLACK], 13);
    ck_assert_int_eq(p[1].told[9].time_ms[BLACK], 5);
    ck_assert_int_eq(p[1].told[9].moves_to_go, 0);
    game = play_timed(p, &clock, 0, 1500, 5001); /* 20 + 5 increments - 5 moves < 0 */
    check_forfeit(&game, RESULT_WHITE_WINS, 9);
    game = play_timed(p, &clock, 0, 21001, 0);
    check_forfeit(&game, RESULT_BLACK_WINS, 0);
}
END_TEST

START_TEST(test_sessions)
{
    const SearchLimits clock = {.has_clock = true, .time_ms = {10, 10}, .moves_to_go = 2};
    ScriptPlayer p[2];

    GameRecord game = play_timed(p, &clock, 0, 5000, 4000);
    ck_assert_int_eq(game.reason, REASON_MAX_PLIES);
    ck_assert_int_eq(p[0].told[2].moves_to_go, 1);
    ck_assert_int_eq(p[0].told[2].time_ms[WHITE], 5);
    ck_assert_int_eq(p[0].told[4].moves_to_go, 2);
    ck_assert_int_eq(p[0].told[4].time_ms[WHITE], 10);
    ck_assert_int_eq(p[0].told[4].time_ms[BLACK], 12); /* unused time is kept */
    game = play_timed(p, &clock, 0, 5001, 4000);
    check_forfeit(&game, RESULT_BLACK_WINS, 2);
    /* Later periods have increments of their own; the last one is repeated. */
    const SearchLimits periods = {.has_clock = true,
                                  .time_ms = {10, 10},
                                  .moves_to_go = 1,
                                  .later = {{2, 20, 1}, {1, 30, 0}}};
    static const int left[] = {10, 30, 30, 59, 88};
    game = play_timed(p, &periods, 0, 1000, 1000);
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(p[0].told[2 * i].time_ms[WHITE], left[i]);
    ck_assert_int_eq(p[0].told[2].increment_ms[WHITE], 1);
}
END_TEST

START_TEST(test_time_a_move_and_margins)
{
    const SearchLimits move = {.movetime_ms = 5};
    const SearchLimits clock = {.has_clock = true, .time_ms = {10, 10}, .increment_ms = {2, 2}};
    ScriptPlayer p[2];

    GameRecord game = play_timed(p, &move, 0, 5000, 5000);
    ck_assert_int_eq(game.reason, REASON_MAX_PLIES);
    game = play_timed(p, &move, 0, 5000, 5001);
    check_forfeit(&game, RESULT_WHITE_WINS, 1);
    game = play_timed(p, &move, 1, 6000, 5000);
    ck_assert_int_eq(game.reason, REASON_MAX_PLIES);
    /* A clock exceeded within the margin is 0, not negative. */
    game = play_timed(p, &clock, 3, 15000, 0);
    check_forfeit(&game, RESULT_BLACK_WINS, 2);
    ck_assert_int_eq(p[0].told[2].time_ms[WHITE], 2);
    game = play_timed(p, &clock, 3, 15001, 0);
    check_forfeit(&game, RESULT_BLACK_WINS, 0);
}
END_TEST

START_TEST(test_cancelled)
{
    const atomic_int cancelled = 1;
    ScriptPlayer player = script_player(WALK, 0);
    GameRecord game = {.plies = plies};
    GameSetup setup = {
        .players = {&player.base, &player.base}, .start_fen = WALK_FEN, .cancelled = &cancelled};
    Error err = {0};

    ck_assert_int_eq(game_play(&setup, &game, &err), STATUS_INTERRUPTED);
    setup.start_fen = "no position";
    setup.cancelled = NULL;
    ck_assert_int_eq(game_play(&setup, &game, &err), STATUS_BAD_INPUT);
}
END_TEST

/* ---- Exploration */

/* A player that always returns the same four moves of the start position, best first; white_score
 * is added to their scores. */
static Status liner_choose(Player *player, const GameView *game, const SearchLimits *limits,
                           PlayerMove *out, Error *err)
{
    static const char *const moves[PLAYER_LINES] = {"e2e4", "d2d4", "g1f3", "c2c4"};
    static const int scores[PLAYER_LINES] = {40, 30, 15, 14};
    int lift = ((const ScriptPlayer *)player)->white_score;

    *out = (PlayerMove){.score = scores[0] + lift};
    Status status = move_from_uci(game->position, moves[0], &out->move, err);
    for (int i = 0; limits->multipv > 1 && status == STATUS_OK && i < PLAYER_LINES; i++) {
        status = move_from_uci(game->position, moves[i], &out->lines[i].move, err);
        out->lines[out->line_count++].score = scores[i] + lift;
    }
    return status;
}

static const PlayerVtable liner_vtable = {script_new_game, liner_choose, script_destroy};

/* Bits of the moves played in 200 games of one ply; *varied counts those marked as varied. */
static unsigned moves_within(int margin, int until, int lift, int *varied)
{
    ScriptPlayer player = {.base = {&liner_vtable}, .white_score = lift};
    unsigned seen = 0;

    *varied = 0;
    for (uint64_t i = 0; i < 200; i++) {
        GameRecord game = {.plies = plies};
        Pcg rng;
        pcg_seed(&rng, 1, i);
        GameSetup setup = {.players = {&player.base, &player.base},
                           .start_fen = START_FEN,
                           .adjudication = {.max_plies = 1},
                           .exploration = {.vary_margin = margin, .vary_until_ply = until},
                           .rng = &rng};
        ck_assert_int_eq(game_play(&setup, &game, &(Error){0}), STATUS_OK);
        int to = move_to(plies[0].move);
        int line = to == 28 ? 0 : to == 27 ? 1 : to == 21 ? 2 : 3; /* e4, d4, f3, c4 */
        seen |= 1U << line;
        *varied += (int)game.varied;
        ck_assert_int_eq(game.varied, line != 0);
        ck_assert_int_eq(plies[0].score, 40 + lift); /* the best move's score */
    }
    return seen;
}

START_TEST(test_varied_moves)
{
    int varied;

    ck_assert_uint_eq(moves_within(25, 1, 0, &varied), 7); /* 15 is within 25 of 40, 14 is not */
    ck_assert_int_ge(varied, 100);                         /* two of three: 133 ± 5 deviations */
    ck_assert_int_le(varied, 166);
    ck_assert_uint_eq(moves_within(26, 1, 0, &varied), 15);
    ck_assert_uint_eq(moves_within(0, 1, 0, &varied), 1);
    ck_assert_uint_eq(moves_within(50, 0, 0, &varied), 1);
    ck_assert_uint_eq(moves_within(50, 1, VALUE_MATE_IN_MAX, &varied), 1); /* a mate is played */
    ck_assert_int_eq(varied, 0);
}
END_TEST

/* The engine returns its lines best first; its move is the first of them. */
START_TEST(test_engine_lines)
{
    Evaluation material;
    PlayerMove answer;
    Position pos;
    KeyHistory history = {0};
    GameView view = {.start_fen = START_FEN, .position = &pos, .history = &history};
    SearchLimits limits = {.nodes_soft = 2000, .nodes_hard = 16000, .multipv = PLAYER_LINES};

    evaluation_material(&material);
    Player *player = player_create_engine(&(EngineSetup){&material, NULL, 1 << 16, 0}, &(Error){0});
    ck_assert_ptr_nonnull(player);
    position_set_start(&pos);
    ck_assert_int_eq(player_choose(player, &view, &limits, &answer, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(answer.line_count, PLAYER_LINES);
    ck_assert_int_eq(answer.move, answer.lines[0].move);
    ck_assert_int_eq(answer.score, answer.lines[0].score);
    for (int i = 1; i < PLAYER_LINES; i++) {
        ck_assert_int_le(answer.lines[i].score, answer.lines[i - 1].score);
        for (int k = 0; k < i; k++)
            ck_assert_int_ne(answer.lines[i].move, answer.lines[k].move);
    }
    limits.multipv = 0;
    ck_assert_int_eq(player_choose(player, &view, &limits, &answer, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(answer.line_count, 0);
    player_destroy(player);
}
END_TEST

/* ---- Real games */

static GameRecord play_engine_game(Player *a, Player *b, uint64_t number, double random_move)
{
    OpeningSettings opening;
    char fen[FEN_MAX];
    Pcg rng;
    GameRecord game = {.plies = plies};
    Error err = {0};

    settings_default(opening_settings, &opening);
    opening.verify_depth = 0;
    opening_random(&opening, 11, number, NULL, NULL, fen);
    pcg_seed(&rng, 11, number);
    GameSetup setup = {
        .players = {a, b},
        .start_fen = fen,
        .limits = {{.nodes_soft = 50, .nodes_hard = 400}, {.nodes_soft = 50, .nodes_hard = 400}},
        .adjudication = {.win_score = 1500, .win_plies = 4, .max_plies = 300},
        .exploration = {.random_move = random_move,
                        .random_until_ply = 40,
                        .vary_margin = 30,
                        .vary_until_ply = 20},
        .rng = &rng};
    ck_assert_msg(game_play(&setup, &game, &err) == STATUS_OK, "%s", err.text);
    ck_assert_msg(replay_check(&game, &err) == STATUS_OK, "%s", err.text);
    return game;
}

START_TEST(test_games_replay_and_repeat)
{
    static GamePly first[GAME_PLIES_MAX];
    Evaluation material, zero;
    int64_t reasons[16] = {0};

    evaluation_material(&material);
    evaluation_zero(&zero);
    Player *a = player_create_engine(&(EngineSetup){&material, NULL, 1 << 16, 0}, &(Error){0});
    Player *b = player_create_engine(&(EngineSetup){&zero, NULL, 1 << 16, 0}, &(Error){0});
    ck_assert(a && b);
    for (uint64_t i = 0; i < 40; i++) {
        Player *other = i % 2 ? a : b;
        GameRecord game = play_engine_game(a, other, i, 0.1);
        GameResult result = game.result;
        int unknown = 0, count = game.ply_count;
        reasons[game.reason]++;
        memcpy(first, plies, sizeof first);
        for (int p = 0; p < count; p++)
            unknown += plies[p].score == SCORE_UNKNOWN;
        ck_assert_int_le(unknown, 40);
        /* the same game again, whatever was played in between */
        (void)play_engine_game(b, a, i + 1000, 0);
        game = play_engine_game(a, other, i, 0.1);
        ck_assert_int_eq(game.ply_count, count);
        ck_assert_int_eq(game.result, result);
        ck_assert_int_eq(memcmp(first, plies, (size_t)count * sizeof *plies), 0);
    }
    ck_assert_int_gt(reasons[REASON_CHECKMATE] + reasons[REASON_WIN_ADJUDICATION], 10);
    player_destroy(a);
    player_destroy(b);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_one_side_resigns, test_both_sides_must_agree, test_faults_lose, test_clocks,
              test_sessions, test_time_a_move_and_margins, test_cancelled, test_varied_moves,
              test_engine_lines, test_games_replay_and_repeat);
    tcase_add_loop_test(c, test_endings, 0, sizeof endings / sizeof *endings);
    tcase_add_loop_test(c, test_adjudication, 0, sizeof verdicts / sizeof *verdicts);
    tcase_add_loop_test(c, test_draw_count_resets, 0, 2);
    return support_run(c);
}
