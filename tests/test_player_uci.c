/* SPDX-License-Identifier: MIT
 * External engines: a good one plays, and bad ones (dead, silent, talkative, unruly) lose their
 * game without holding anybody up or leaving a process behind. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "selfplay/game.h"
#include "selfplay/peer.h"
#include "selfplay/replay.h"
#include "tests/support.h"

/* A script that answers the handshake, notes every line in `log`, and then does `go` on go. */
static const char *fake_engine(const char *go)
{
    static char path[128];
    char text[1024];
    const char *dir = support_temp_dir();

    (void)snprintf(path, sizeof path, "%s/engine", dir);
    (void)snprintf(text, sizeof text,
                   "#!/bin/sh\n"
                   "while read -r line; do\n"
                   "  echo \"$line\" >>'%s/log'\n"
                   "  case \"$line\" in\n"
                   "  uci) echo 'id name fake'; echo 'option name Hash type spin'; echo uciok;;\n"
                   "  isready) echo readyok;;\n"
                   "  go*) %s;;\n"
                   "  quit) exit 0;;\n"
                   "  esac\n"
                   "done\n",
                   dir, go);
    support_write_file(path, text);
    ck_assert_int_eq(chmod(path, 0700), 0);
    return path;
}

static Player *start(const char *program, int64_t stall_ms)
{
    static const char *const options[] = {"Hash=1", "Clear Hash"};
    UciSetup setup = {program, options, 2, stall_ms};
    Error err = {0};
    Player *player = player_create_uci(&setup, &err);
    ck_assert_msg(player != NULL, "%s", err.text);
    return player;
}

static GamePly plies[GAME_PLIES_MAX];

static GameRecord play(Player *a, Player *b, const char *fen, const SearchLimits *limits)
{
    GameRecord game = {.plies = plies};
    Error err = {0};
    GameSetup setup = {.players = {a, b},
                       .start_fen = fen,
                       .limits = {*limits, *limits},
                       .adjudication = {.max_plies = 60}};
    ck_assert_msg(game_play(&setup, &game, &err) == STATUS_OK, "%s", err.text);
    ck_assert_msg(replay_check(&game, &err) == STATUS_OK, "%s", err.text);
    return game;
}

static const SearchLimits one_ply = {.depth = 1};

/* No child is left. */
static void check_reaped(void)
{
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}

typedef struct Fault {
    const char *go;
    int64_t stall_ms;
    GameReason reason;
} Fault;

static const Fault faults[] = {
    {"exit 1", 5000, REASON_CRASH},
    {"kill -9 $$", 5000, REASON_CRASH},
    {"sleep 60", 100, REASON_STALL},
    {":", 100, REASON_STALL},
    {"while :; do echo info depth 1; done", 100, REASON_STALL},
    {"while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done", 5000,
     REASON_CRASH},
    {"echo bestmove e2e5", 5000, REASON_ILLEGAL_MOVE},
    {"echo bestmove '(none)'", 5000, REASON_ILLEGAL_MOVE},
    {"echo bestmove", 100, REASON_STALL},
};

/* Whatever it does, it loses, is started again and loses again. */
START_TEST(test_faults)
{
    Player *player = start(fake_engine(faults[_i].go), faults[_i].stall_ms);

    for (int game = 0; game < 2; game++) {
        GameRecord record = play(player, player, START_FEN, &one_ply);
        ck_assert_str_eq(reason_name(record.reason), reason_name(faults[_i].reason));
        ck_assert_int_eq(record.result, RESULT_BLACK_WINS);
        ck_assert_int_eq(record.ply_count, 0);
    }
    player_destroy(player);
    check_reaped();
}
END_TEST

START_TEST(test_bad_starts)
{
    static const char *const scripts[] = {"#!/bin/sh\nexit 0\n", "#!/bin/sh\necho hello\n"};
    Error err = {0};
    char path[128];
    UciSetup setup = {"/no/such/engine", NULL, 0, 100};

    ck_assert_ptr_null(player_create_uci(&setup, &err));
    ck_assert_int_eq(err.status, STATUS_PEER);
    ck_assert_ptr_nonnull(strstr(err.text, "/no/such/engine"));
    (void)snprintf(path, sizeof path, "%s/bad", support_temp_dir());
    setup.program = path;
    for (int i = 0; i < 2; i++) {
        support_write_file(path, scripts[i]);
        ck_assert_int_eq(chmod(path, 0700), 0);
        ck_assert_ptr_null(player_create_uci(&setup, &err));
        ck_assert_int_eq(err.status, STATUS_PEER);
        ck_assert_msg(strstr(err.text, "uciok") != NULL, "%s", err.text);
    }
    check_reaped();
}
END_TEST

/* What the engine is told, and what is read from its answers. */
START_TEST(test_protocol)
{
    const char *engine =
        fake_engine("echo 'info depth 5 seldepth 9 score mate 3 nodes 1234 pv e7e5';"
                    "echo 'info depth 6 multipv 2 score cp 999 nodes 1300';"
                    "echo 'info string score cp 55';"
                    "echo 'bestmove e7e5 ponder g1f3'");
    Player *player = start(engine, 2000);
    Position pos, before;
    KeyHistory none = {0};
    PlayerMove answer;
    SearchLimits limits = {
        .nodes_soft = 77, .has_clock = true, .time_ms = {3000, 2000}, .increment_ms = {30, 20}};
    GamePly first = {make_move(12, 28, MOVE_DOUBLE_PUSH), 0};
    char path[160];

    position_set_start(&before);
    ck_assert_int_eq(
        position_from_fen(&pos, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", NULL),
        STATUS_OK);
    GameView view = {START_FEN, &first, 1, &pos, &none, NULL};
    ck_assert_int_eq(player_new_game(player, NULL), STATUS_OK);
    ck_assert_int_eq(player_choose(player, &view, &limits, &answer, NULL), STATUS_OK);
    ck_assert_int_eq(answer.fault, PLAYER_SOUND);
    ck_assert_int_eq(answer.move, make_move(52, 36, MOVE_DOUBLE_PUSH));
    ck_assert_int_eq(answer.score, VALUE_MATE - 5);
    ck_assert_int_eq(answer.depth, 5);
    ck_assert_uint_eq(answer.nodes, 1234);
    player_destroy(player);
    (void)snprintf(path, sizeof path, "%.*s/log", (int)(strrchr(engine, '/') - engine), engine);
    char *log = support_read_file(path);
    ck_assert_str_eq(log, "uci\nsetoption name Hash value 1\nsetoption name Clear Hash\nisready\n"
                          "ucinewgame\nisready\n"
                          "position fen " START_FEN " moves e2e4\n"
                          "go wtime 3000 btime 2000 winc 30 binc 20 nodes 77\n"
                          "quit\n");
    free(log);
    check_reaped();
}
END_TEST

/* Interrupting does not wait for an engine that thinks. */
START_TEST(test_cancelled)
{
    const atomic_int cancelled = 1;
    Player *player = start(fake_engine("sleep 60"), 30000);
    Position pos;
    KeyHistory none = {0};
    PlayerMove answer;

    position_set_start(&pos);
    GameView view = {START_FEN, NULL, 0, &pos, &none, &cancelled};
    ck_assert_int_eq(player_choose(player, &view, &one_ply, &answer, NULL), STATUS_INTERRUPTED);
    player_destroy(player);
    check_reaped();
}
END_TEST

START_TEST(test_real_engine)
{
    const char *path = "/usr/games/stockfish";
    EvalWeights material;
    SearchLimits limits = {.nodes_soft = 200, .nodes_hard = 1600};

    if (access(path, X_OK) != 0) {
        fprintf(stderr, "skipped: no %s\n", path);
        return;
    }
    weights_material(&material);
    Player *theirs = start(path, 10000),
           *ours = player_create_engine(&(EngineSetup){&material, NULL, 1 << 16, 0}, NULL);
    ck_assert_ptr_nonnull(ours);
    for (int i = 0; i < 2; i++) {
        GameRecord game = play(i ? ours : theirs, i ? theirs : ours, START_FEN, &limits);
        ck_assert_int_ne(game.reason, REASON_ILLEGAL_MOVE);
        ck_assert_int_ne(game.reason, REASON_CRASH);
        ck_assert_int_ne(game.reason, REASON_STALL);
        ck_assert_int_gt(game.ply_count, 20);
    }
    /* Chess960 castling is understood on both sides. */
    (void)play(theirs, ours, "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", &limits);
    player_destroy(theirs);
    player_destroy(ours);
    check_reaped();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("player_uci");
    TCase *c = tcase_create("player_uci");

    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, test_faults, 0, sizeof faults / sizeof *faults);
    tcase_add_test(c, test_bad_starts);
    tcase_add_test(c, test_protocol);
    tcase_add_test(c, test_cancelled);
    tcase_add_test(c, test_real_engine);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return support_run(suite());
}
