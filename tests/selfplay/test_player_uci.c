/* SPDX-License-Identifier: MIT
 * External engines: good ones play; faulty ones forfeit their game, delay nothing and leave no
 * process behind. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/chess/replay.h"
#include "engine/notation/fen.h"
#include "selfplay/game/game.h"
#include "selfplay/players/child_guard.h"
#include "selfplay/players/child_process.h"
#include "selfplay/players/player.h"
#include "selfplay/players/player_uci.h"
#include "tests/support/support.h"

/* A script that answers the handshake with the white space that UCI allows, logs every line to
 * `log`, and runs `go` on go. */
static const char *fake_engine(const char *go)
{
    static char path[128];
    char text[1024];
    const char *dir = support_temp_dir();

    (void)snprintf(path, sizeof path, "%s/engine", dir);
    (void)snprintf(
        text, sizeof text,
        "#!/bin/sh\n"
        "while read -r line; do\n"
        "  echo \"$line\" >>'%s/log'\n"
        "  case \"$line\" in\n"
        "  uci) echo 'id name fake'; printf '\\t option name  Hash \\ttype spin\\n'; "
        "echo 'option name Clear\tHash  type button'; echo 'option name Book type string'; "
        "printf '\\tuciok \\t\\n';;\n"
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
    UciSetup setup = {.name = "fake",
                      .command.program = program,
                      .options = options,
                      .option_count = 2,
                      .stall_ms = stall_ms,
                      .init_ms = 20000};
    Error err = {0};
    Player *player = player_create_uci(&setup, &err);
    ck_assert_msg(player != NULL, "%s", err.text);
    return player;
}

/* The program tests/tools/fake_engine.c. */
static UciSetup faulty(const char *const *args, int64_t stall_ms)
{
    return (UciSetup){.name = "faulty",
                      .command.program = FAKE_ENGINE,
                      .command.args = args,
                      .stall_ms = stall_ms,
                      .init_ms = 20000};
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

/* No child process is left. */
static void check_reaped(void)
{
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}

typedef struct Fault {
    const char *mode;
    GameReason reason;
    const char *note; /* part of the record's note */
} Fault;

static const Fault faults[] = {
    {"crash", REASON_CRASH,
     "killed by signal 9 (Killed); last line \"readyok\"; standard error "
     "\"fake_engine: assertion failed\""},
    {"exit", REASON_CRASH, "ended with exit code 7"},
    {"hang", REASON_STALL, "does not answer"},
    {"think", REASON_STALL, "does not answer"},
    {"garbage", REASON_STALL, "last line \"????best?move e2e4"},
    {"nonsense", REASON_ILLEGAL_MOVE,
     "\"bestmove xyzzy\" is not a legal move in rnbqkbnr/pppppppp/"},
    {"illegal", REASON_ILLEGAL_MOVE, "\"bestmove a1b8\" is not a legal move in rnbqkbnr/pppppppp/"},
    {"none", REASON_ILLEGAL_MOVE, "\"bestmove (none)\" is not a legal move in rnbqkbnr/pppppppp/"},
    {"null", REASON_ILLEGAL_MOVE, "\"bestmove 0000\" is not a legal move in rnbqkbnr/pppppppp/"},
    {"empty", REASON_ILLEGAL_MOVE, "\"bestmove\" is not a legal move in rnbqkbnr/pppppppp/"},
    {"flood-lines", REASON_CRASH, "wrote more than 64 MiB"},
    {"flood-bytes", REASON_CRASH, "wrote more than 64 MiB"},
    {"flood-errors", REASON_CRASH, "wrote more than 64 MiB"},
    {"nodes", REASON_STALL, "nodes instead of 77"},
    {"close-output", REASON_CRASH, "closed its output"},
    {"grandchild", REASON_CRASH, "ended with exit code 0"},
};

/* Every fault loses the game; the engine is restarted if necessary and loses again. */
START_TEST(test_faults)
{
    const Fault *fault = &faults[_i];
    const char *const args[] = {fault->mode, NULL};
    const SearchLimits limits = {.nodes_soft = 77, .nodes_hard = 77};
    /* A flood is slow under a sanitizer. */
    UciSetup setup = faulty(args, fault->reason == REASON_STALL ? 300 : 60000);
    Error err = {0};

    Player *player = player_create_uci(&setup, &err);
    ck_assert_msg(player != NULL, "%s", err.text);
    for (int game = 0; game < 2; game++) {
        GameRecord record = play(player, player, START_FEN, &limits);
        ck_assert_str_eq(reason_name(record.reason), reason_name(fault->reason));
        ck_assert_int_eq(record.result, RESULT_BLACK_WINS);
        ck_assert_int_eq(record.ply_count, 0);
        ck_assert_msg(strncmp(record.note, "faulty: ", 8) == 0, "%s", record.note);
        ck_assert_msg(strstr(record.note, fault->note) != NULL, "%s", record.note);
    }
    player_destroy(player);
    check_reaped();
}
END_TEST

/* In the middle of a game. */
START_TEST(test_fault_later)
{
    const char *const args[] = {_i == 0 ? "crash" : "close-input", "4", NULL};
    const UciSetup setup = faulty(args, 20000);
    Player *player = player_create_uci(&setup, &(Error){0});

    ck_assert_ptr_nonnull(player);
    GameRecord record = play(player, player, START_FEN, &one_ply);
    ck_assert_str_eq(reason_name(record.reason), "crash");
    ck_assert_int_eq(record.ply_count, _i == 0 ? 3 : 4);
    if (_i == 1) ck_assert_msg(strstr(record.note, "does not read its input"), "%s", record.note);
    player_destroy(player);
    check_reaped();
}
END_TEST

/* Resigning loses the game, is no fault, and keeps the process for the next game. */
START_TEST(test_resigns)
{
    const char *const args[] = {"resign", "3", NULL};
    const UciSetup setup = faulty(args, 20000);
    Player *player = player_create_uci(&setup, &(Error){0});

    ck_assert_ptr_nonnull(player);
    for (int game = 0; game < 2; game++) {
        GameRecord record = play(player, player, START_FEN, &one_ply);
        ck_assert_str_eq(reason_name(record.reason), "win adjudicated");
        ck_assert_int_eq(record.result, RESULT_BLACK_WINS);
        ck_assert_int_eq(record.ply_count, game ? 0 : 2); /* the same process */
        ck_assert_str_eq(record.note, "");
    }
    player_destroy(player);
    check_reaped();
}
END_TEST

/* The engine's name. */
START_TEST(test_name)
{
    const UciSetup setup = faulty(NULL, 20000);
    char name[PLAYER_NAME_MAX] = "";

    ck_assert_int_eq(player_ask_name(&setup, name, &(Error){0}), STATUS_OK);
    ck_assert_str_eq(name, "fake_engine");
    check_reaped();
}
END_TEST

/* With a clock an engine that is late loses on time, whether it answers `stop` or not. */
START_TEST(test_late)
{
    static const char *const faults_in_time[] = {"late", "think", "hang"};
    const char *const args[] = {faults_in_time[_i], NULL};
    const UciSetup setup = faulty(args, 20000);
    const SearchLimits clock = {.has_clock = true, .time_ms = {50, 50}};
    const SearchLimits move_time = {.movetime_ms = 50};
    Player *player = player_create_uci(&setup, &(Error){0});

    ck_assert_ptr_nonnull(player);
    for (int game = 0; game < 2; game++) {
        GameRecord record = play(player, player, START_FEN, game ? &clock : &move_time);
        ck_assert_str_eq(reason_name(record.reason), "time");
        ck_assert_int_eq(record.ply_count, 0);
        if (_i == 2) ck_assert_msg(strstr(record.note, "does not stop"), "%s", record.note);
    }
    player_destroy(player);
    check_reaped();
}
END_TEST

/* Odd but allowed. */
START_TEST(test_oddities)
{
    static const char *const oddities[] = {"twice",  "nul",    "long",   "errors",
                                           "bounds", "banner", "no-quit"};
    const char *const args[] = {oddities[_i], NULL};
    UciSetup setup = faulty(args, 20000);
    Error err = {0};

    setup.restart = true;
    Player *player = player_create_uci(&setup, &err);
    ck_assert_msg(player != NULL, "%s", err.text);
    GameRecord record = play(player, player, START_FEN, &one_ply);
    ck_assert_msg(record.ply_count > 8, "%s", record.note);
    ck_assert_str_eq(record.note, "");
    ck_assert_int_eq(record.plies[0].score, 0);
    player_destroy(player);
    check_reaped();
}
END_TEST

typedef struct BadStart {
    const char *mode, *option, *text;
} BadStart;

static const BadStart bad_starts[] = {
    {"no-start", NULL,
     "faulty: no uciok: ended with exit code 1; standard error \"fake_engine: no license\""},
    {"no-uciok", NULL, "faulty: no uciok: timeout after 1.0 s"},
    {"no-readyok", NULL, "faulty: no readyok: timeout after 1.0 s; last line \"uciok\""},
    {"flood-start", NULL, "faulty: no uciok"},
    {"", "Hsah=1",
     "faulty: no option Hsah; its options are Hash, Style, Clear Hash, Slow, Book File, "
     "UCI_Chess960"},
    {"", "Hash=0", "faulty: Hash=0: the option's value must be from 1 to 1024"},
    {"", "Hash=big", "faulty: Hash=big: the option's value must be a number"},
    {"", "Style=Risky", "the option does not have this value; it has: var Solid var Very Risky"},
    {"", "Slow=yes", "faulty: Slow=yes: the option's value must be true or false"},
    {"", "Clear Hash=1", "faulty: Clear Hash=1: a button takes no value"},
    {"", "Hash", "faulty: Hash: the option needs a value"},
};

START_TEST(test_bad_starts)
{
    const BadStart *bad = &bad_starts[_i];
    const char *const args[] = {bad->mode, NULL};
    UciSetup setup = faulty(args, 1000);
    char name[PLAYER_NAME_MAX];
    Error err = {0};

    setup.options = &bad->option;
    setup.option_count = bad->option != NULL;
    if (strcmp(bad->mode, "no-uciok") == 0 || strcmp(bad->mode, "no-readyok") == 0)
        setup.init_ms = 1000;
    ck_assert_int_eq(player_ask_name(&setup, name, &err), STATUS_ENGINE);
    ck_assert_msg(strstr(err.text, bad->text) != NULL, "%s", err.text);
    check_reaped();
}
END_TEST

/* An engine that ends loses its game. One that cannot be started loses none: the match ends. */
START_TEST(test_starts_no_more)
{
    const char *engine = fake_engine("rm -f \"$0\"; exit 1");
    GameRecord game = {.plies = plies};
    Player *player = start(engine, 20000);
    GameSetup setup = {
        .players = {player, player}, .start_fen = START_FEN, .limits = {one_ply, one_ply}};
    Error err = {0};

    ck_assert_int_eq(game_play(&setup, &game, &err), STATUS_OK);
    ck_assert_str_eq(reason_name(game.reason), "crash");
    ck_assert_int_eq(game_play(&setup, &game, &err), STATUS_ENGINE);
    ck_assert_msg(strstr(err.text, "fake: cannot start") != NULL, "%s", err.text);
    player_destroy(player);
    check_reaped();
}
END_TEST

START_TEST(test_no_program)
{
    UciSetup setup = {
        .name = "x", .command.program = "/no/such/engine", .stall_ms = 100, .init_ms = 100};
    char name[PLAYER_NAME_MAX];
    Error err = {0};

    ck_assert_int_eq(player_ask_name(&setup, name, &err), STATUS_ENGINE);
    ck_assert_str_eq(err.text, "x: cannot start /no/such/engine: No such file or directory");
    setup.command.dir = "/no/such/folder";
    ck_assert_int_eq(player_ask_name(&setup, name, &err), STATUS_ENGINE);
    ck_assert_ptr_nonnull(strstr(err.text, "in /no/such/folder"));
    check_reaped();
}
END_TEST

/* Arguments, the working folder, and the log. */
START_TEST(test_running)
{
    static const char *const args[] = {"a b", "", "c", NULL};
    const char *engine = fake_engine("echo \"info string $1,$2,$3 $PWD\"; echo bestmove e2e4");
    char *slash = strrchr(engine, '/'), dir[128], path[160];
    UciSetup setup = {.name = "runner",
                      .command.program = "engine",
                      .command.args = args,
                      .command.dir = dir,
                      .stall_ms = 5000,
                      .init_ms = 5000};
    Error err = {0};

    (void)snprintf(dir, sizeof dir, "%.*s", (int)(slash - engine), engine);
    (void)snprintf(path, sizeof path, "%s/traffic.log", dir);
    setup.log = engine_log_open(path, &err);
    ck_assert_msg(setup.log != NULL, "%s", err.text);
    Player *player = player_create_uci(&setup, &err);
    ck_assert_msg(player != NULL, "%s", err.text);
    GameRecord record = play(player, player, START_FEN, &one_ply);
    ck_assert_int_eq(record.ply_count, 1);
    player_destroy(player);
    engine_log_close(setup.log);
    char *log = support_read_file(path);
    (void)snprintf(path, sizeof path, "Z runner#1 < info string a b,,c %s\n", dir);
    ck_assert_msg(strstr(log, path) != NULL, "%s", log);
    ck_assert_ptr_nonnull(strstr(log, "Z runner#1 * started\n"));
    ck_assert_ptr_nonnull(strstr(log, "Z runner#1 > position startpos moves e2e4\n"));
    ck_assert_ptr_nonnull(strstr(log, "Z runner#1 > go depth 1\n"));
    ck_assert_ptr_nonnull(strstr(log, "Z runner#1 * ended\n"));
    free(log);
    check_reaped();
}
END_TEST

/* Long values are sent whole; a value beyond the limit fails the start. */
START_TEST(test_long_option)
{
    char option[10000], *log, path[160], name[PLAYER_NAME_MAX];
    const char *engine = fake_engine("true"), *const options[] = {option};
    UciSetup setup = {.name = "long",
                      .command.program = engine,
                      .options = options,
                      .option_count = 1,
                      .stall_ms = 5000,
                      .init_ms = 5000};
    Error err = {0};

    (void)snprintf(option, sizeof option, "Book=%04000d", 1);
    ck_assert_msg(player_ask_name(&setup, name, &err) == STATUS_OK, "%s", err.text);
    (void)snprintf(path, sizeof path, "%.*s/log", (int)(strrchr(engine, '/') - engine), engine);
    log = support_read_file(path);
    ck_assert_ptr_nonnull(strstr(log, "setoption name Book value 000"));
    ck_assert_ptr_nonnull(strstr(log, "0001\n"));
    free(log);
    strcpy(option, "Book="); /* UCI's way of an empty value */
    ck_assert_msg(player_ask_name(&setup, name, &err) == STATUS_OK, "%s", err.text);
    log = support_read_file(path);
    ck_assert_ptr_nonnull(strstr(log, "setoption name Book value <empty>\n"));
    free(log);
    (void)snprintf(option, sizeof option, "Book=%09000d", 1);
    ck_assert_int_eq(player_ask_name(&setup, name, &err), STATUS_ENGINE);
    ck_assert_msg(strstr(err.text, "long: the option Book=000") != NULL, "%s", err.text);
    check_reaped();
}
END_TEST

/* restart: a new process for each game. */
START_TEST(test_restart)
{
    const char *engine = fake_engine("echo bestmove 0000");
    UciSetup setup = {
        .name = "r", .command.program = engine, .stall_ms = 5000, .init_ms = 5000, .restart = _i};
    char path[160];
    int starts = 0;

    Player *player = player_create_uci(&setup, &(Error){0});
    ck_assert_ptr_nonnull(player);
    for (int i = 0; i < 3; i++)
        (void)play(player, player, START_FEN, &one_ply);
    player_destroy(player);
    (void)snprintf(path, sizeof path, "%.*s/log", (int)(strrchr(engine, '/') - engine), engine);
    char *log = support_read_file(path);
    for (const char *at = log; (at = strstr(at, "uci\n")); at++)
        starts++;
    ck_assert_int_eq(starts, _i ? 3 : 1);
    free(log);
    check_reaped();
}
END_TEST

/* A Chess960 game needs an engine with UCI_Chess960. */
START_TEST(test_chess960)
{
    Player *player = start(fake_engine("echo bestmove 0000"), 5000);
    GameRecord game = {.plies = plies};
    GameSetup setup = {.players = {player, player},
                       .start_fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
                       .limits = {one_ply, one_ply}};
    Error err = {0};

    ck_assert_int_eq(game_play(&setup, &game, &err), STATUS_ENGINE);
    ck_assert_ptr_nonnull(strstr(err.text, "UCI_Chess960"));
    player_destroy(player);
    check_reaped();
}
END_TEST

/* An option UCI_Chess960=true is taken back for usual chess. */
START_TEST(test_usual_chess)
{
    const char *const options[] = {"UCI_Chess960=true"};
    UciSetup setup = faulty(NULL, 20000);
    char path[160];
    Error err = {0};

    (void)snprintf(path, sizeof path, "%s/chess960.log", support_temp_dir());
    setup.options = options;
    setup.option_count = 1;
    setup.log = engine_log_open(path, &err);
    ck_assert_msg(setup.log != NULL, "%s", err.text);
    Player *player = player_create_uci(&setup, &(Error){0});
    (void)play(player, player, START_FEN, &one_ply);
    player_destroy(player);
    engine_log_close(setup.log);
    char *log = support_read_file(path);
    const char *off = strstr(log, "> setoption name UCI_Chess960 value false");
    ck_assert_msg(off && off < strstr(log, "> go "), "%s", log);
    free(log);
    check_reaped();
}
END_TEST

/* The lines sent, and the values read from the answers. */
START_TEST(test_protocol)
{
    const char *engine =
        fake_engine("echo 'info depth 5 seldepth 9 score mate 3 nodes 1234 pv e7e5';"
                    "echo 'info depth 6 multipv 2 score cp 999 nodes 1300';"
                    "echo 'info string score cp 55';"
                    "printf ' \\tbestmove  \\te7e5\\tponder g1f3\\n'");
    Player *player = start(engine, 2000);
    Position pos, before;
    KeyHistory none = {0};
    PlayerMove answer;
    SearchLimits limits = {
        .nodes_soft = 77, .has_clock = true, .time_ms = {3000, 2000}, .increment_ms = {30, 20}};
    GamePly first = {make_move(12, 28, MOVE_DOUBLE_PUSH), 0};
    char path[160];

    position_set_start(&before);
    ck_assert_int_eq(position_from_fen(&pos,
                                       "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
                                       &(Error){0}),
                     STATUS_OK);
    GameView view = {.start_fen = START_FEN,
                     .plies = &first,
                     .ply_count = 1,
                     .position = &pos,
                     .history = &none};
    ck_assert_int_eq(player_new_game(player, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(player_choose(player, &view, &limits, &answer, &(Error){0}), STATUS_OK);
    ck_assert_int_eq(answer.lost, 0);
    ck_assert_int_eq(answer.move, make_move(52, 36, MOVE_DOUBLE_PUSH));
    ck_assert_int_eq(answer.score, VALUE_MATE - 5);
    ck_assert_int_eq(answer.depth, 5);
    ck_assert_uint_eq(answer.nodes, 1234);
    player_destroy(player);
    (void)snprintf(path, sizeof path, "%.*s/log", (int)(strrchr(engine, '/') - engine), engine);
    char *log = support_read_file(path);
    ck_assert_str_eq(log, "uci\nsetoption name Hash value 1\nsetoption name Clear Hash\nisready\n"
                          "ucinewgame\nisready\n"
                          "position startpos moves e2e4\n"
                          "go wtime 3000 btime 2000 winc 30 binc 20 nodes 77\n"
                          "quit\n");
    free(log);
    check_reaped();
}
END_TEST

/* Interrupting does not wait for an engine that searches. */
START_TEST(test_cancelled)
{
    const atomic_int cancelled = 1;
    Player *player = start(fake_engine("sleep 60"), 30000);
    Position pos;
    KeyHistory none = {0};
    PlayerMove answer;

    position_set_start(&pos);
    ck_assert_int_eq(player_new_game(player, &(Error){0}), STATUS_OK);
    GameView view = {
        .start_fen = START_FEN, .position = &pos, .history = &none, .cancelled = &cancelled};
    ck_assert_int_eq(player_choose(player, &view, &one_ply, &answer, &(Error){0}),
                     STATUS_INTERRUPTED);
    player_destroy(player);
    check_reaped();
}
END_TEST

START_TEST(test_real_engine)
{
    const char *path = "/usr/games/stockfish";
    Evaluation material;
    SearchLimits limits = {.nodes_soft = 200, .nodes_hard = 1600};

    if (access(path, X_OK) != 0) {
        fprintf(stderr, "skipped: no %s\n", path);
        return;
    }
    evaluation_material(&material);
    Player *theirs = start(path, 10000),
           *ours = player_create_engine(&(EngineSetup){&material, NULL, 1 << 16, 0}, &(Error){0});
    ck_assert_ptr_nonnull(ours);
    for (int i = 0; i < 2; i++) {
        GameRecord game = play(i ? ours : theirs, i ? theirs : ours, START_FEN, &limits);
        ck_assert_int_ne(game.reason, REASON_ILLEGAL_MOVE);
        ck_assert_int_ne(game.reason, REASON_CRASH);
        ck_assert_int_ne(game.reason, REASON_STALL);
        ck_assert_int_gt(game.ply_count, 10); /* bare material is soon mated */
    }
    /* Chess960 castling is understood on both sides. */
    (void)play(theirs, ours, "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", &limits);
    player_destroy(theirs);
    player_destroy(ours);
    check_reaped();
}
END_TEST

int main(int argc, char **argv)
{
    TCase *c = tcase_create("tests");

    (void)argc;
    guard_main(argv);
    ADD_TESTS(c, test_resigns, test_name, test_starts_no_more, test_no_program, test_running,
              test_long_option, test_chess960, test_usual_chess, test_protocol, test_cancelled,
              test_real_engine);
    tcase_add_loop_test(c, test_faults, 0, sizeof faults / sizeof *faults);
    tcase_add_loop_test(c, test_fault_later, 0, 2);
    tcase_add_loop_test(c, test_late, 0, 3);
    tcase_add_loop_test(c, test_oddities, 0, 7);
    tcase_add_loop_test(c, test_bad_starts, 0, sizeof bad_starts / sizeof *bad_starts);
    tcase_add_loop_test(c, test_restart, 0, 2);
    return support_run(c);
}
