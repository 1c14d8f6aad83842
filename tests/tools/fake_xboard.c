/* SPDX-License-Identifier: MIT
 * An xboard engine that plays the first legal move, and misbehaves on its second move as its first
 * argument says.
 *   fake_xboard [FAULT] */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/board/bitboard.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"

enum { LINE_MAX_BYTES = 1024 };

typedef struct Fake {
    const char *fault;
    bool force, san, post, editing;
    Color edited; /* colour of the pieces being placed */
    int moves;    /* played by this engine */
    Position position;
} Fake;

static bool has_fault(const Fake *fake, const char *name)
{
    return strcmp(fake->fault, name) == 0;
}

static void say(const char *line)
{
    (void)puts(line);
    (void)fflush(stdout);
}

static void hang(void)
{
    (void)signal(SIGTERM, SIG_IGN);
    for (;;)
        (void)sleep(1000);
}

static void play_move(Fake *fake, Move move)
{
    const Position before = fake->position;
    position_make(&fake->position, &before, move);
}

/* True when the fault replaces the move. */
static bool commit_fault(Fake *fake)
{
    static const struct {
        const char *name, *line;
    } lines[] = {{"resign", "resign"},
                 {"draw", "1/2-1/2 {by me}"},
                 {"once", "1/2-1/2 {by me}"},
                 {"illegal", "move a1b8"},
                 {"nonsense", "move xyzzy"}};

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (has_fault(fake, lines[i].name)) {
            say(lines[i].line);
            return true;
        }
    if (has_fault(fake, "lost")) say(fake->position.stm == WHITE ? "0-1 {lost}" : "1-0 {lost}");
    if (has_fault(fake, "won")) say(fake->position.stm == WHITE ? "1-0 {won}" : "0-1 {won}");
    if (has_fault(fake, "late-move")) {
        say("1/2-1/2 {by me}");
        (void)nanosleep(&(struct timespec){.tv_sec = 3}, NULL);
    }
    if (has_fault(fake, "crash")) exit(7);
    if (has_fault(fake, "hang")) hang();
    return has_fault(fake, "lost") || has_fault(fake, "won");
}

/* With the fault no-sd: searches deeper until it receives `?`. */
static void dig(const Fake *fake)
{
    char line[LINE_MAX_BYTES] = "";

    if (!has_fault(fake, "no-sd")) return;
    for (int depth = 1; depth < 100 && strcmp(line, "?\n") != 0; depth++) {
        printf("%d 5 1 %d00 e2e4\n", depth, depth);
        (void)fflush(stdout);
        if (depth > 9 && !fgets(line, sizeof line, stdin)) exit(0);
    }
}

static void go(Fake *fake)
{
    char text[SAN_MAX];
    MoveList list;

    fake->force = false;
    movegen_all(&fake->position, &list);
    if (list.count == 0) return;
    dig(fake);
    if (++fake->moves == 2 && commit_fault(fake)) return;
    if (fake->san)
        move_to_san(&fake->position, list.moves[0], text);
    else
        move_to_uci(&fake->position, list.moves[0], text);
    if (fake->post) printf(" 3.\t 17 1 42  %s\n", text);
    play_move(fake, list.moves[0]);
    printf("move %s\n", text);
    if (has_fault(fake, "late-draw")) printf("1/2-1/2 {by me}\n");
    (void)fflush(stdout);
}

/* ---- The protocol */

static void send_features(const Fake *fake)
{
    if (has_fault(fake, "v1")) return;
    if (fake->san) say("feature san=1 usermove=1");
    printf("feature myname=\"Fake, of 'x'\" ping=%d setboard=%d memory=1 smp=1 colors=0 colour=3 "
           "sigint=0\n",
           !has_fault(fake, "late-move"), !has_fault(fake, "edit"));
    if (has_fault(fake, "once")) say("feature reuse=0");
    if (has_fault(fake, "chess960")) say("feature variants=\"normal,fischerandom\"");
    say("feature option=\"Style -combo Solid /// *Risky\" option=\"Depth -spin 3 1 9\" done=1");
}

/* A line of edit mode, which sets up a board piece by piece. */
static void edit(Fake *fake, const char *line)
{
    static const char letters[] = "PNBRQK";
    const char *letter = strchr(letters, line[0]);

    if (line[0] == '#') {
        memset(fake->position.board, NO_PIECE, sizeof fake->position.board);
    } else if (line[0] == 'c') {
        fake->edited = !fake->edited;
    } else if (line[0] == '.') {
        fake->editing = false;
    } else if (letter && line[1] && line[2]) {
        fake->position.board[make_square(line[1] - 'a', line[2] - '1')] =
            (uint8_t)make_piece(fake->edited, (PieceType)(letter - letters));
    }
    if (fake->editing) return;
    /* Through a FEN without castling rights: this engine does not castle. */
    char fen[FEN_MAX], *out = fen;
    for (int rank = RANK_8; rank >= RANK_1; rank--) {
        for (int file = FILE_A, empty = 0; file <= FILE_H; file++) {
            int piece = fake->position.board[make_square(file, rank)];
            empty += piece == NO_PIECE;
            if (empty > 0 && (piece != NO_PIECE || file == FILE_H))
                out += sprintf(out, "%d", empty);
            if (piece == NO_PIECE) continue;
            *out++ = "PpNnBbRrQqKk"[piece];
            empty = 0;
        }
        *out++ = rank > RANK_1 ? '/' : ' ';
    }
    (void)sprintf(out, "%c - - 0 1", fake->position.stm == WHITE ? 'w' : 'b');
    if (position_from_fen(&fake->position, fen, &(Error){0}) != STATUS_OK) exit(3);
}

static void user_move(Fake *fake, const char *text)
{
    Move move;

    if (has_fault(fake, "refuse") && !fake->force) {
        printf("Illegal move: %s\n", text);
        (void)fflush(stdout);
    } else if (move_from_uci(&fake->position, text, &move, &(Error){0}) == STATUS_OK ||
               move_from_san(&fake->position, text, &move, &(Error){0}) == STATUS_OK) {
        play_move(fake, move);
        if (!fake->force) go(fake);
    } else {
        printf("Error (unknown command): %s\n", text);
        (void)fflush(stdout);
    }
}

static void obey(Fake *fake, const char *line)
{
    if (fake->editing) {
        edit(fake, line);
    } else if (strcmp(line, "protover 2") == 0) {
        send_features(fake);
    } else if (strcmp(line, "new") == 0) {
        position_set_start(&fake->position);
        fake->force = false;
        fake->moves = 0;
    } else if (strcmp(line, "force") == 0) {
        fake->force = true;
    } else if (strcmp(line, "easy") == 0) {
        return;
    } else if (strcmp(line, "post") == 0) {
        fake->post = true;
    } else if (strcmp(line, "go") == 0) {
        go(fake);
    } else if (strcmp(line, "edit") == 0) {
        fake->editing = true;
        fake->edited = WHITE;
    } else if (strncmp(line, "setboard ", 9) == 0) {
        if (position_from_fen(&fake->position, line + 9, &(Error){0}) != STATUS_OK) exit(3);
    } else if (strncmp(line, "ping ", 5) == 0) {
        printf("pong %s\n", line + 5);
        (void)fflush(stdout);
    } else if (strcmp(line, "quit") == 0) {
        if (has_fault(fake, "no-quit")) hang();
        exit(0);
    } else if (strncmp(line, "usermove ", 9) == 0) {
        user_move(fake, line + 9);
    } else if (!fake->san && strlen(line) >= 3 && strlen(line) <= 5 &&
               (strchr("abcdefgh", line[0]) || line[0] == 'O')) {
        user_move(fake, line);
    }
}

int main(int argc, char **argv)
{
    char line[LINE_MAX_BYTES];
    Fake fake = {.fault = argc > 1 ? argv[1] : ""};

    bitboard_init();
    position_set_start(&fake.position);
    fake.san = has_fault(&fake, "san");
    say("fake_xboard, a chess program\n# talks");
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        obey(&fake, line);
    }
    return 0;
}
