/* SPDX-License-Identifier: MIT
 * Fuzzes the readers of FEN, SAN and UCI moves: the input is a FEN, then moves, a line each. What
 * is accepted must be consistent and must survive a round trip through its own text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "tests/fuzz/support_fuzz.h"

static const char *const fens[] = {
    START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/R4KR1 w GAgb - 0 1",
    "3k4/3r4/8/3Q4/8/8/b2B2q1/3K4 w - - 0 1",
};

/* The FEN of the first line: a number of `fens` and pairs (place, character) of edits, or a FEN. */
static void first_fen(const char *line, char *fen, size_t size)
{
    size_t chosen = (unsigned char)line[0];

    if (chosen >= 1 && chosen <= sizeof fens / sizeof *fens) {
        (void)snprintf(fen, size, "%s", fens[chosen - 1]);
        size_t length = strlen(fen);
        for (const char *edit = line + 1; edit[0] && edit[1]; edit += 2)
            fen[(unsigned char)edit[0] % length] = edit[1];
    } else {
        (void)snprintf(fen, size, "%s", line);
    }
}

static void check_position(const Position *pos)
{
    Position again;
    MoveList list, noisy, quiet;
    char fen[FEN_MAX];

    demand(position_is_consistent(pos));
    position_to_fen(pos, fen);
    demand(position_from_fen(&again, fen, &(Error){0}) == STATUS_OK && again.key == pos->key);
    movegen_all(pos, &list);
    movegen_noisy(pos, &noisy);
    movegen_quiet(pos, &quiet);
    demand(list.count == movegen_count(pos) && list.count == noisy.count + quiet.count);
    for (int i = 0; i < list.count; i++) {
        Position next;
        position_make(&next, pos, list.moves[i]);
        demand(movegen_is_legal(pos, list.moves[i]));
        demand(movegen_gives_check(pos, list.moves[i]) == position_in_check(&next));
        demand(position_is_consistent(&next));
    }
}

static void check_move(const Position *pos, Move m)
{
    char uci[UCI_MOVE_MAX], san[SAN_MAX];
    Move again;

    demand(movegen_is_legal(pos, m));
    move_to_uci(pos, m, uci);
    demand(move_from_uci(pos, uci, &again, &(Error){0}) == STATUS_OK && again == m);
    move_to_san(pos, m, san);
    demand(move_from_san(pos, san, &again, &(Error){0}) == STATUS_OK && again == m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Position pos, next;
    Error err = {0};
    char *text =
        malloc(size + 1); /* of exact size, so that the sanitizer finds every read beyond it */
    demand(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';

    char *line = text, *rest = strchr(text, '\n');
    if (rest) *rest++ = '\0';
    char fen[512];
    first_fen(line, fen, sizeof fen);
    if (position_from_fen(&pos, fen, &err) == STATUS_OK) {
        check_position(&pos);
        while (rest) {
            Move m;
            line = rest;
            rest = strchr(line, '\n');
            if (rest) *rest++ = '\0';
            if (move_from_san(&pos, line, &m, &err) != STATUS_OK &&
                move_from_uci(&pos, line, &m, &err) != STATUS_OK)
                continue;
            check_move(&pos, m);
            position_make(&next, &pos, m);
            check_position(&next);
            pos = next;
        }
    }
    free(text);
    return 0;
}
