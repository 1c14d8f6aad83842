/* SPDX-License-Identifier: MIT
 * Random positions, always the same ones, and facts about positions in forms that other programs
 * can check. All modes but the first read FENs, a line each, from standard input:
 *
 *   walk positions N     N FENs from random games of chess, Chess960 and double Chess960
 *   walk fen             each FEN in our form: castling by rook file, en passant if it is legal
 *   walk commands DEPTH  for a UCI engine: divide at DEPTH, then `d` after each move
 *   walk answers DEPTH   the correct answers to that, in Stockfish's layout
 *   walk pgn             each move of each position of chess as a game, by from and to square
 *   walk san             the same moves as SAN, each with the FEN after it
 *   walk mutants N       N FENs with a few characters changed
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/pcg.h"
#include "engine/board/bitboard.h"
#include "engine/board/chess960.h"
#include "engine/board/movegen.h"
#include "engine/board/perft.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "tests/support/support_board.h"

enum { SEED = 20240907, PLIES = 160, LINE_SIZE = 1024 };

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "walk: %s\n", what);
    exit(EXIT_FAILURE);
}

/* ---- Random positions */

/* In turn chess, a position of the test list, Chess960 and double Chess960, where each side has a
 * start position of its own. */
static void start_game(Position *pos, Pcg *rng, int game)
{
    int white = (int)pcg_below(rng, CHESS960_STARTS), black = (int)pcg_below(rng, CHESS960_STARTS);
    int listed = 0;
    Error err = {0};

    while (board_fens[listed] != NULL)
        listed++;
    switch (game % 4) {
    case 0:
        position_set_start(pos);
        break;
    case 1:
        if (position_from_fen(pos, board_fens[game / 4 % listed], &err) != STATUS_OK) die(err.text);
        break;
    default:
        chess960_start(pos, white, game % 4 == 2 ? white : black);
    }
}

/* Plays a random legal move; false at the end of the game. */
static bool play_random(Position *pos, Pcg *rng)
{
    MoveList list;
    Position next;

    movegen_all(pos, &list);
    if (list.count == 0) return false;
    position_make(&next, pos, list.moves[pcg_below(rng, (uint32_t)list.count)]);
    *pos = next;
    return true;
}

static void print_fen(const Position *pos)
{
    char fen[FEN_MAX];

    position_to_fen(pos, fen);
    printf("%s\n", fen);
}

static void print_positions(int count)
{
    Pcg rng;

    pcg_seed(&rng, SEED, 0);
    for (int game = 0; count > 0; game++) {
        Position pos;
        start_game(&pos, &rng, game);
        for (int ply = 0; ply < PLIES && count > 0 && play_random(&pos, &rng); ply++) {
            if (pcg_below(&rng, 8) != 0) continue;
            print_fen(&pos);
            count--;
        }
    }
}

/* ---- Facts about a position */

/* Every move and the position after it. */
typedef void (*PrintMove)(const Position *pos, Move m, const Position *next);

static void each_move(const Position *pos, PrintMove print)
{
    MoveList list;

    movegen_all(pos, &list);
    for (int i = 0; i < list.count; i++) {
        Position next;
        position_make(&next, pos, list.moves[i]);
        print(pos, list.moves[i], &next);
    }
}

static void print_command(const Position *pos, Move m, const Position *next)
{
    char fen[FEN_MAX], uci[UCI_MOVE_MAX];

    (void)next;
    position_to_fen(pos, fen);
    move_to_uci(pos, m, uci);
    printf("position fen %s moves %s\nd\n", fen, uci);
}

static void print_commands(Position *pos, int depth)
{
    pos->chess960 = true; /* one way to write castling throughout */
    printf("position fen ");
    print_fen(pos);
    printf("go perft %d\n", depth);
    each_move(pos, print_command);
}

static void print_board(const Position *pos, Move m, const Position *next)
{
    char square[3];

    (void)pos;
    (void)m;
    printf("Fen: ");
    print_fen(next);
    printf("Checkers:");
    for (Bitboard b = next->checkers; b;) {
        square_to_text(pop_lsb(&b), square);
        printf(" %s", square);
    }
    printf("\n");
}

static void print_answers(Position *pos, int depth)
{
    MoveList list;
    uint64_t total = 0;
    char text[UCI_MOVE_MAX];

    pos->chess960 = true;
    movegen_all(pos, &list);
    for (int i = 0; i < list.count; i++) {
        Position next;
        position_make(&next, pos, list.moves[i]);
        uint64_t nodes = depth > 1 ? perft(&next, depth - 1) : 1;
        move_to_uci(pos, list.moves[i], text);
        printf("%s: %llu\n", text, (unsigned long long)nodes);
        total += nodes;
    }
    printf("Nodes searched: %llu\n", (unsigned long long)total);
    each_move(pos, print_board);
}

/* A game of one move, written as from and to square: pgn-extract works out the SAN. */
static void print_game(const Position *pos, Move m, const Position *next)
{
    char fen[FEN_MAX], text[UCI_MOVE_MAX];

    (void)next;
    position_to_fen(pos, fen);
    move_to_uci(pos, m, text);
    if (move_is_promotion(m)) text[4] = "NBRQ"[move_promotion(m) - KNIGHT];
    printf("[SetUp \"1\"]\n[FEN \"%s\"]\n[Result \"*\"]\n\n%s *\n\n", fen, text);
}

static void print_san(const Position *pos, Move m, const Position *next)
{
    char san[SAN_MAX];

    move_to_san(pos, m, san);
    printf("%s ", san);
    print_fen(next);
}

static void print_normal_fen(Position *pos, int unused)
{
    (void)unused;
    pos->chess960 = true;
    print_fen(pos);
}

static void print_games(Position *pos, int unused)
{
    (void)unused;
    if (!pos->chess960) each_move(pos, print_game);
}

static void print_sans(Position *pos, int unused)
{
    (void)unused;
    if (!pos->chess960) each_move(pos, print_san);
}

static void each_position(void (*print)(Position *pos, int number), int number)
{
    char line[LINE_SIZE];

    while (fgets(line, sizeof line, stdin)) {
        Position pos;
        Error err = {0};
        if (position_from_fen(&pos, line, &err) != STATUS_OK) die(err.text);
        print(&pos, number);
    }
}

/* ---- Mutants */

/* Half of the time exchanges two characters; else replaces, inserts, drops or doubles one, mostly
 * with characters of FENs. */
static void mutate(char *text, Pcg *rng)
{
    static const char alphabet[] = "KQRBNPkqrbnp12345678/ w-abcdefghABCDEFGH09+.:;?\t\x7f\xc3";
    size_t length = strlen(text);
    char *at = text + pcg_below(rng, (uint32_t)length + 1);
    char c = alphabet[pcg_below(rng, (uint32_t)sizeof alphabet - 1)];
    size_t tail = length - (size_t)(at - text) + 1; /* with the NUL */

    switch (pcg_below(rng, 8)) {
    case 0:
        if (*at) *at = c;
        break;
    case 1:
        if (*at) memmove(at, at + 1, tail - 1);
        break;
    case 2:
        memmove(at + 1, at, tail);
        *at = c;
        break;
    case 3:
        if (at > text) memmove(at, at - 1, tail + 1);
        break;
    default:
        if (length > 0 && *at) {
            char *with = text + pcg_below(rng, (uint32_t)length);
            c = *at;
            *at = *with;
            *with = c;
        }
        break;
    }
}

static void print_mutants(int count)
{
    static char lines[1 << 14][FEN_MAX]; /* read once */
    uint32_t read = 0;
    Pcg rng;

    while (read < sizeof lines / sizeof lines[0] && fgets(lines[read], FEN_MAX, stdin)) {
        lines[read][strcspn(lines[read], "\n")] = '\0';
        read++;
    }
    if (read == 0) die("no positions");
    pcg_seed(&rng, SEED, 2);
    for (int i = 0; i < count; i++) {
        char text[2 * FEN_MAX];
        (void)snprintf(text, sizeof text, "%s", lines[pcg_below(&rng, read)]);
        for (uint32_t edits = 1 + pcg_below(&rng, 3); edits > 0; edits--)
            mutate(text, &rng);
        printf("%s\n", text);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(Position *pos, int number);
    } modes[] = {{"fen", print_normal_fen},
                 {"commands", print_commands},
                 {"answers", print_answers},
                 {"pgn", print_games},
                 {"san", print_sans}};
    const char *mode = argc > 1 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 0;

    bitboard_init();
    if (strcmp(mode, "positions") == 0) {
        print_positions(number);
        return EXIT_SUCCESS;
    }
    if (strcmp(mode, "mutants") == 0) {
        print_mutants(number);
        return EXIT_SUCCESS;
    }
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(mode, modes[i].name) != 0) continue;
        each_position(modes[i].print, number);
        return EXIT_SUCCESS;
    }
    die("unknown mode");
}
