/* SPDX-License-Identifier: MIT
 * A UCI engine that misbehaves as its first argument says, and otherwise plays the first legal
 * move. fake_engine FAULT [NUMBER]    NUMBER: the first `go` with a fault (1), for faults on `go`
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/board/bitboard.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"

enum { LINE_MAX_BYTES = 1 << 16 };

typedef struct Fake {
    const char *fault;
    int from_go, gos;
    int readies; /* isready so far */
    Position position;
} Fake;

static void say(const char *line)
{
    printf("%s\n", line);
    (void)fflush(stdout);
}

static void sleep_ms(long ms)
{
    struct timespec left = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

static void hang(void)
{
    (void)signal(SIGTERM, SIG_IGN);
    for (;;)
        sleep_ms(1000000);
}

/* Writes until the pipe breaks. */
static void flood(FILE *out, const char *text)
{
    while (fputs(text, out) >= 0)
        ;
    hang();
}

/* ---- Processes that the engine starts */

/* A daemon: no session, group, parent or pipe is the engine's. It lives for ms, 0: for ever. */
static void start_daemon(long ms)
{
    pid_t first = fork();

    if (first != 0) {
        (void)waitpid(first, NULL, 0);
        return;
    }
    (void)setsid();
    if (fork() != 0) _exit(0);
    for (int i = 0; i < 3; i++)
        (void)close(i);
    if (ms == 0) hang();
    sleep_ms(ms);
    _exit(0);
}

/* A child that leaves session and group, and keeps the pipes open. */
static void start_loner(void)
{
    if (fork() != 0) return;
    (void)setsid();
    hang();
}

/* A daemon that replaces itself by its child again and again, for half a minute at most. */
static void start_relay(void)
{
    if (fork() != 0) return;
    (void)setsid();
    for (int i = 0; i < 30000; i++) {
        sleep_ms(1);
        if (fork() != 0) _exit(0);
    }
    _exit(0);
}

/* ---- Playing */

/* The words of "position startpos|fen F [moves …]". */
static void set_position(Fake *fake, char *text)
{
    char *moves = strstr(text, " moves "), *rest;

    if (moves) *moves = '\0';
    const char *fen = strncmp(text, "fen ", 4) == 0 ? text + 4 : START_FEN;
    if (position_from_fen(&fake->position, fen, &(Error){0}) != STATUS_OK) exit(3);
    if (!moves) return;
    for (char *word = strtok_r(moves + 7, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        const Position before = fake->position;
        Move move;
        if (move_from_uci(&before, word, &move, &(Error){0}) != STATUS_OK) exit(3);
        position_make(&fake->position, &before, move);
    }
}

static void print_bestmove(const Fake *fake)
{
    MoveList list;
    char move[UCI_MOVE_MAX];

    movegen_all(&fake->position, &list);
    move_to_uci(&fake->position, list.count > 0 ? list.moves[0] : MOVE_NONE, move);
    printf("bestmove %s\n", move);
}

static void print_move(const Fake *fake)
{
    printf("info depth 1 score cp 0 nodes 1\n");
    print_bestmove(fake);
}

static void play(const Fake *fake)
{
    print_move(fake);
    (void)fflush(stdout);
}

/* ---- Faults on `go` */

static void fault_crash(const Fake *fake)
{
    (void)fake;
    (void)fputs("fake_engine: assertion failed\n", stderr);
    (void)raise(SIGKILL);
}

static void fault_exit(const Fake *fake)
{
    (void)fake;
    exit(7);
}

static void fault_kill_parent(const Fake *fake)
{
    (void)fake;
    (void)kill(getppid(), SIGKILL);
    hang();
}

static void fault_stop_parent(const Fake *fake)
{
    (void)fake;
    (void)kill(getppid(), SIGSTOP);
    hang();
}

static void fault_hang(const Fake *fake)
{
    (void)fake;
    hang();
}

/* Searches until `stop`, and only then moves. */
static void fault_think(const Fake *fake)
{
    char line[256];

    while (fgets(line, sizeof line, stdin) && strcmp(line, "stop\n") != 0)
        ;
    play(fake);
}

static void fault_late(const Fake *fake)
{
    sleep_ms(300);
    play(fake);
}

static void fault_garbage(const Fake *fake)
{
    (void)fake;
    say("\001\002\377\376best\033move e2e4 \t\t");
}

static void fault_nonsense(const Fake *fake)
{
    (void)fake;
    say("bestmove xyzzy");
}

static void fault_illegal(const Fake *fake)
{
    (void)fake;
    say("bestmove a1b8");
}

static void fault_none(const Fake *fake)
{
    (void)fake;
    say("bestmove (none)");
}

static void fault_null(const Fake *fake)
{
    (void)fake;
    say("bestmove 0000");
}

static void fault_resign(const Fake *fake)
{
    (void)fake;
    say("bestmove resign");
}

static void fault_empty(const Fake *fake)
{
    (void)fake;
    say("bestmove");
}

static void fault_flood_lines(const Fake *fake)
{
    (void)fake;
    flood(stdout,
          "info depth 1 score cp 17 nodes 1 nps 1 pv e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6"
          " e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5 b3c2 c7c5 d2d4 d8c7 b1d2 c5d4"
          " c3d4 a5c6 d2b3 a6a5 c1e3 a5a4 b3d2 c8d7\n");
}

static void fault_flood_bytes(const Fake *fake)
{
    (void)fake;
    flood(stdout, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
}

static void fault_flood_errors(const Fake *fake)
{
    (void)fake;
    flood(stderr, "fake_engine: a line of standard error, long enough to fill a buffer soon\n");
}

static void fault_nodes(const Fake *fake)
{
    (void)fake;
    for (long long nodes = 1000;; nodes *= 2) {
        printf("info depth 9 nodes %lld\n", nodes);
        (void)fflush(stdout);
        sleep_ms(5);
    }
}

static void fault_close_output(const Fake *fake)
{
    (void)fake;
    (void)fclose(stdout);
    hang();
}

/* Moves, and reads nothing more. */
static void fault_close_input(const Fake *fake)
{
    (void)close(STDIN_FILENO);
    play(fake);
    hang();
}

/* Exits; its child keeps the pipes open. */
static void fault_grandchild(const Fake *fake)
{
    (void)fake;
    if (fork() == 0) hang();
    exit(0);
}

/* ---- Odd but allowed: the game goes on */

static void odd_twice(const Fake *fake)
{
    print_move(fake);
    play(fake);
}

static void odd_nul(const Fake *fake)
{
    static const char zeros[] = "info\0string\0\0\nbest\0move\n\0\n";

    (void)fwrite(zeros, 1, sizeof zeros - 1, stdout);
    play(fake);
}

static void odd_long(const Fake *fake)
{
    printf("info string ");
    for (int i = 0; i < 1 << 20; i++)
        (void)putchar('x');
    (void)putchar('\n');
    play(fake);
}

static void odd_errors(const Fake *fake)
{
    for (int i = 0; i < 4000; i++)
        (void)fputs("fake_engine: warning: this is fine\n", stderr);
    play(fake);
}

static void odd_bounds(const Fake *fake)
{
    say("info depth 3 score cp 30 nodes 10 pv e2e4\ninfo depth 4 score cp 900 lowerbound nodes 12");
    play(fake);
}

/* Figures out of any range, in each form that engines print. */
static void odd_absurd(const Fake *fake)
{
    static const char *const infos[] = {
        ("info depth -99999999999 seldepth 99999999999 nodes -5 time -1 nps -1 score mate "
         "99999999999"),
        "info depth 99999999999 nodes -99999999999999999999 score mate -99999999999",
        "info depth 1 score cp 99999999999999999999 nodes 99999999999999999999",
        "info depth 1 score cp -2147483649 nodes -9223372036854775808",
        "info score mate 0",
        "info depth x nodes y score cp z",
        "info score mate -0 depth 256"};

    say(infos[fake->gos % (int)(sizeof infos / sizeof *infos)]);
    print_bestmove(fake);
    (void)fflush(stdout);
}

/* Lines with moves that the rules do not allow, and words that look like others. */
static void odd_lines(const Fake *fake)
{
    say("info depth 4 score cp 10 pv a1a8 zzzz e2e9 h1h1q (none) 0000 e7e8k\n"
        "info depth 4 multipv 2 score cp 9999 pv e2e5\n"
        "info currmove a1h7 currmovenumber 999\n"
        "info string bestmove a1a8\ninfo\nbestmov e2e4\nreadyok\nuciok\n"
        "info refutation e2e9 string score mate 1\nid name another\noption name Hash type spin");
    play(fake);
}

/* 20,000 lines before the move. */
static void odd_many(const Fake *fake)
{
    for (int i = 0; i < 20000; i++)
        printf("info depth %d score cp %d nodes 1 pv e2e4\n", i % 60, i);
    play(fake);
}

/* The move without the end of its line, and the end of the process. */
static void fault_half(const Fake *fake)
{
    (void)fake;
    printf("bestmove e2");
    (void)fflush(stdout);
    exit(0);
}

/* The move without the end of its line, and nothing more. */
static void fault_unended(const Fake *fake)
{
    (void)fake;
    printf("bestmove e2e4");
    (void)fflush(stdout);
    hang();
}

/* Moves, and a daemon of 20 ms remains. */
static void odd_daemons(const Fake *fake)
{
    start_daemon(20);
    play(fake);
}

static const struct {
    const char *name;
    void (*go)(const Fake *fake);
} faults[] = {
    {"crash", fault_crash},
    {"exit", fault_exit},
    {"kill-parent", fault_kill_parent},
    {"stop-parent", fault_stop_parent},
    {"hang", fault_hang},
    {"think", fault_think},
    {"late", fault_late},
    {"garbage", fault_garbage},
    {"nonsense", fault_nonsense},
    {"illegal", fault_illegal},
    {"none", fault_none},
    {"null", fault_null},
    {"empty", fault_empty},
    {"resign", fault_resign},
    {"flood-lines", fault_flood_lines},
    {"flood-bytes", fault_flood_bytes},
    {"flood-errors", fault_flood_errors},
    {"nodes", fault_nodes},
    {"close-output", fault_close_output},
    {"close-input", fault_close_input},
    {"grandchild", fault_grandchild},
    {"half", fault_half},
    {"unended", fault_unended},
    {"twice", odd_twice},
    {"absurd", odd_absurd},
    {"lines", odd_lines},
    {"many", odd_many},
    {"nul", odd_nul},
    {"long", odd_long},
    {"errors", odd_errors},
    {"bounds", odd_bounds},
    {"daemons", odd_daemons},
    {NULL, play},
};

static bool has_fault(const Fake *fake, const char *name)
{
    return strcmp(fake->fault, name) == 0;
}

static void go(Fake *fake)
{
    size_t i = 0;

    while (faults[i].name && !has_fault(fake, faults[i].name))
        i++;
    if (++fake->gos < fake->from_go)
        play(fake);
    else
        faults[i].go(fake);
}

/* ---- The rest of the protocol */

static void greet(const Fake *fake)
{
    if (has_fault(fake, "no-uciok")) return;
    /* Bytes that no name has, and more of them than a name has. */
    for (int i = 0; has_fault(fake, "names") && i < 2000; i++)
        printf("%s%c", i == 0 ? "id name \033[2J\"\\]}{'%s\t" : "", "\1\300\"\\]x"[i % 6]);
    say(has_fault(fake, "names") ? "" : "id name fake_engine");
    say("id author nobody\n"
        "option name Hash type spin default 1 min 1 max 1024\n"
        "option name Style type combo default Solid var Solid var Very Risky\n"
        "option name Clear Hash type button\n"
        "option name Slow type check default false\n"
        "option name Book File type string default <empty>\n"
        "option name UCI_Chess960 type check default false\n"
        "uciok");
}

static void be_ready(Fake *fake)
{
    int ready = ++fake->readies;
    if (has_fault(fake, "no-readyok") || (has_fault(fake, "no-newgame") && ready > 2)) return;
    say("readyok");
}

static void handle_line(Fake *fake, char *line)
{
    if (strcmp(line, "uci") == 0) greet(fake);
    if (strcmp(line, "ucinewgame") == 0 && has_fault(fake, "daemon-a-game")) start_daemon(0);
    if (strcmp(line, "isready") == 0) be_ready(fake);
    if (has_fault(fake, "stale") && strcmp(line, "quit") != 0) say("bestmove a7a8q");
    if (strncmp(line, "position ", 9) == 0) set_position(fake, line + 9);
    if (strncmp(line, "go", 2) == 0) go(fake);
    if (strcmp(line, "quit") == 0 && !has_fault(fake, "no-quit")) exit(0);
}

static void start(const Fake *fake)
{
    if (has_fault(fake, "no-start")) {
        (void)fputs("fake_engine: no license\n", stderr);
        exit(1);
    }
    if (has_fault(fake, "daemon")) start_daemon(0);
    if (has_fault(fake, "loner")) start_loner();
    if (has_fault(fake, "relay")) start_relay();
    if (has_fault(fake, "flood-start"))
        flood(stdout, "fake_engine: welcome to an engine that talks at length before it answers\n");
    if (has_fault(fake, "banner")) say("fake_engine 1.0 by the tests\n");
}

int main(int argc, char **argv)
{
    char line[LINE_MAX_BYTES];
    Fake fake = {.fault = argc > 1 ? argv[1] : "", .from_go = argc > 2 ? atoi(argv[2]) : 1};

    bitboard_init();
    position_set_start(&fake.position);
    start(&fake);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        handle_line(&fake, line);
    }
    if (has_fault(&fake, "no-quit")) hang();
    return 0;
}
