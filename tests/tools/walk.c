/* SPDX-License-Identifier: MIT
 * Random games, always the same ones for a seed, in the forms that other programs can judge:
 *
 *   walk uci POSITIONS       commands for a UCI engine: perft 2 of each position, and each after a
 * move walk answers POSITIONS   the lines a right engine answers (Stockfish's layout, en passant as
 * ours) walk fen                 reads FENs, a line each, and writes them in our form walk pgn
 * GAMES           games as PGN walk moves GAMES         the same games, a line each, in coordinates
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/movegen.h"
#include "engine/notation.h"
#include "engine/pcg.h"
#include "engine/position_make.h"
#include "tests/support_board.h"

enum { SEED = 20240907, PLIES = 120 };

/* A back rank of Chess960: bishops on both colours, the king between the rooks. */
static void random_back_rank(Pcg *rng, char rank[9])
{
    static const char free_pieces[] = "qnn", ordered_pieces[] = "rkr";
    int next = 0;

    memcpy(rank, "........", 9);
    rank[2 * pcg_below(rng, 4)] = 'b';
    rank[2 * pcg_below(rng, 4) + 1] = 'b';
    for (int i = 0; i < 3; i++) {
        uint32_t file;
        do
            file = pcg_below(rng, 8);
        while (rank[file] != '.');
        rank[file] = free_pieces[i];
    }
    for (int file = 0; file < 8; file++)
        if (rank[file] == '.') rank[file] = ordered_pieces[next++];
}

/* Every second game starts as chess, the others in turn from a position of the test list and from a
 * position of double Chess960, where the two sides stand differently. */
static void start_game(Position *pos, Pcg *rng, int game)
{
    int fens = 0;

    if (game % 2 == 0) {
        position_set_start(pos);
        return;
    }
    while (board_fens[fens] != NULL)
        fens++;
    char fen[FEN_MAX], white[9], black[9];
    random_back_rank(rng, white);
    random_back_rank(rng, black);
    for (char *c = white; *c; c++)
        *c = (char)(*c - 'a' + 'A');
    (void)snprintf(fen, sizeof fen, "%s/pppppppp/8/8/8/8/PPPPPPPP/%s w KQkq - 0 1", black, white);
    const char *chosen = game % 4 == 1 ? board_fens[game / 4 % fens] : fen;
    if (position_from_fen(pos, chosen, NULL) != STATUS_OK) abort(); /* not Check's: no test runs */
}

/* Plays a random legal move; false at the end of the game. */
static bool random_move(const Position *pos, Pcg *rng, Move *m)
{
    MoveList list;

    movegen_all(pos, &list);
    if (list.count == 0) return false;
    *m = list.moves[pcg_below(rng, (uint32_t)list.count)];
    return true;
}

/* ---- Positions */

typedef void (*Show)(const Position *pos, Move m);

static void show_commands(const Position *pos, Move m)
{
    char fen[FEN_MAX], uci[UCI_MOVE_MAX];

    position_to_fen(pos, fen);
    move_to_uci(pos, m, uci);
    printf("position fen %s\ngo perft 2\nposition fen %s moves %s\nd\n", fen, fen, uci);
}

static void show_answers(const Position *pos, Move m)
{
    MoveList list;
    Position next;
    char fen[FEN_MAX], text[UCI_MOVE_MAX];

    movegen_all(pos, &list);
    for (int i = 0; i < list.count; i++) {
        position_make(&next, pos, list.moves[i]);
        move_to_uci(pos, list.moves[i], text);
        printf("%s: %d\n", text, movegen_count(&next));
    }
    printf("Nodes searched: %llu\n", (unsigned long long)perft(pos, 2));
    position_make(&next, pos, m);
    position_to_fen(&next, fen);
    printf("Fen: %s\nCheckers:", fen);
    for (Bitboard b = next.checkers; b;) {
        square_to_text(pop_lsb(&b), text);
        printf(" %s", text);
    }
    printf("\n");
}

static void walk_positions(int positions, Show show)
{
    Pcg rng;

    pcg_seed(&rng, SEED, 0);
    for (int game = 0; positions > 0; game++) {
        Position pos, next;
        Move m;
        start_game(&pos, &rng, game);
        pos.chess960 = true; /* one way to write castling throughout */
        for (int ply = 0; ply < PLIES && positions > 0 && random_move(&pos, &rng, &m); ply++) {
            if (pcg_below(&rng, 8) == 0) {
                show(&pos, m);
                positions--;
            }
            position_make(&next, &pos, m);
            pos = next;
        }
    }
}

static int normalise_fens(void)
{
    char line[256];

    while (fgets(line, sizeof line, stdin)) {
        Position pos;
        Error err = {0};
        char fen[FEN_MAX];
        if (position_from_fen(&pos, line, &err) != STATUS_OK) {
            fprintf(stderr, "%s\n", err.text);
            return EXIT_FAILURE;
        }
        pos.chess960 = true;
        position_to_fen(&pos, fen);
        printf("%s\n", fen);
    }
    return EXIT_SUCCESS;
}

/* ---- Games */

/* Games of chess, not Chess960, from the start or from the positions of the test list. */
static void walk_games(int games, bool as_pgn)
{
    Pcg rng;

    pcg_seed(&rng, SEED, 1);
    for (int game = 0; game < games; game++) {
        Position pos, next;
        Move m;
        char text[FEN_MAX];
        do
            start_game(&pos, &rng, game % 2 ? (int)(4 * pcg_below(&rng, 100) + 1) : 0);
        while (pos.chess960);
        position_to_fen(&pos, text);
        if (as_pgn) printf("[SetUp \"1\"]\n[FEN \"%s\"]\n[Result \"*\"]\n\n", text);
        for (int ply = 0; ply < PLIES && random_move(&pos, &rng, &m); ply++) {
            if (as_pgn)
                move_to_san(&pos, m, text);
            else
                move_to_uci(&pos, m, text);
            printf("%s%s", text, as_pgn && ply % 10 == 9 ? "\n" : " ");
            position_make(&next, &pos, m);
            pos = next;
        }
        printf("*\n%s", as_pgn ? "\n" : "");
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int count = argc > 2 ? atoi(argv[2]) : 0;

    engine_init();
    if (strcmp(what, "uci") == 0)
        walk_positions(count, show_commands);
    else if (strcmp(what, "answers") == 0)
        walk_positions(count, show_answers);
    else if (strcmp(what, "fen") == 0)
        return normalise_fens();
    else if (strcmp(what, "pgn") == 0 || strcmp(what, "moves") == 0)
        walk_games(count, what[0] == 'p');
    else
        return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
